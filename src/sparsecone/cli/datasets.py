"""`sparsecone datasets`: the data sets of the paper, and where they are."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from .console import console, printable, say, say_json, show_table
from .exits import one_line_errors
from .options import AsJson

datasets = typer.Typer(
    help="List, describe and download the paper's data sets.", no_args_is_help=True
)
Name = Annotated[str, typer.Argument(metavar="NAME", help="Name of the data set.")]


@datasets.command("list")
@one_line_errors
def list_datasets(as_json: AsJson = False) -> None:
    """List the data sets and which of them are in the data folder."""
    from ..datasets import DATASETS, available, data_folder

    there = set(available())
    if as_json:
        say_json([asdict(info) | {"available": info.name in there} for info in DATASETS])
        return
    rows = [
        (
            info.name,
            str(info.n_samples),
            str(info.n_features),
            str(info.n_classes),
            info.kind,
            "here" if info.name in there else "fetch" if info.url else "by hand",
        )
        for info in DATASETS
    ]
    columns = ["name", "samples", "features", "classes", "kind", "file"]
    show_table(f"Data sets; those here are in {data_folder()}", columns, rows, numbers=columns[1:4])


@datasets.command()
@one_line_errors
def info(name: Name, as_json: AsJson = False) -> None:
    """Show what is known about a data set."""
    from ..datasets import dataset_info
    from ..datasets.stored import find

    known = dataset_info(name)
    path = find(known)
    facts = asdict(known) | {"file": None if path is None else str(path)}
    if as_json:
        say_json(facts)
        return
    for key, value in facts.items():
        if value is not None:
            say(f"{key.replace('_', ' '):14s} {printable(str(value))}")


@datasets.command()
@one_line_errors
def fetch(name: Name) -> None:
    """Download a data set into the data folder, unless it is there already."""
    from ..datasets import fetch as download

    console.out(str(download(name)), highlight=False)
