"""The files a command writes: checked before the work, written together after it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..files.whole_file import whole_file
from ..linalg.types import Array
from ..model_file import finite_or_none
from .written import note

if TYPE_CHECKING:
    from ..datasets import Dataset
    from ..selectors.base import Selector
    from .sizes import SizedSelection

TABLES = (".csv", ".tsv", ".parquet")
RANKINGS = (*TABLES, ".json")
MODELS = (".json",)
PAGES = (".html", ".htm")


def check_outputs(
    outputs: Mapping[str, tuple[Path | None, Sequence[str]]], *, inputs: Sequence[Path]
) -> None:
    """Complain, before the work starts, about an output that could not be written after it.

    Outputs are the file of each option, and the endings it may have; inputs are not written over.
    """
    taken = {path.resolve(): "the input" for path in inputs}
    for option, (path, endings) in outputs.items():
        if path is None:
            continue
        _check_place(option, path, endings)
        other = taken.setdefault(path.resolve(), option)
        if other != option:
            raise ValueError(f"{option} '{path}' is the same file as {other}: give another name.")


def _check_place(option: str, path: Path, endings: Sequence[str]) -> None:
    if path.suffix.lower() not in endings:
        raise ValueError(f"{option} '{path}' must end in {' or '.join(endings)}.")
    if path.exists() and not path.is_file():
        raise ValueError(f"{option} '{path}' is there and is no file: give another name.")
    folder = path.resolve().parent
    if not folder.is_dir():
        raise ValueError(f"{option} '{path}': there is no folder '{folder}': make it first.")
    if not os.access(folder, os.W_OK):
        raise ValueError(f"{option} '{path}': you may not write to '{folder}'.")


def write_together(
    files: Mapping[Path | None, Callable[[str], bytes]], *, page: Callable[[], None] | None = None
) -> list[Path]:
    """Write files so that all of them appear, or none unless the disk fails between two of them.

    Contents are made for the ending of their file. `page` writes one more file, by itself, before
    the others take their places.
    """
    wanted = {path: contents for path, contents in files.items() if path is not None}
    with ExitStack() as drafts:
        for path, contents in wanted.items():
            data = contents(path.suffix.lower())
            try:
                drafts.enter_context(_noted(path)).write_bytes(data)
            except OSError as error:
                # The draft is of no interest: name the file that was asked for.
                raise OSError(error.errno, error.strerror, str(path)) from error
        if page is not None:
            page()
    return list(wanted)


@contextmanager
def _noted(path: Path) -> Iterator[Path]:
    """Yield the draft of a file, and note the file once it has taken its place."""
    with whole_file(path) as draft:
        yield draft
    note(path)


def ranking_bytes(
    selector: Selector, names: Sequence[str], suffix: str, *, sizes: Sequence[SizedSelection] = ()
) -> bytes:
    """Return the ranking of all features, best first, as the contents of a file.

    Several selections have a column each.
    """
    order = np.argsort(selector.ranking_)
    columns: dict[str, list[Any]] = {
        "rank": selector.ranking_[order].tolist(),
        "feature": [names[index] for index in order],
        "score": finite_or_none(selector.scores_[order]),
        "selected": selector.support_[order].tolist(),
    }
    for size in sizes:
        columns[f"selected_{size.selected.size}"] = np.isin(order, size.selected).tolist()
    return columns_bytes(columns, suffix)


def columns_bytes(columns: Mapping[str, Sequence[Any] | Array], suffix: str) -> bytes:
    """Return columns as the contents of a table, or of a JSON file with one object a row."""
    if suffix == ".json":
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        return json.dumps(rows, allow_nan=False, indent=1).encode()
    from ..files.tables import table_bytes

    return table_bytes(columns, suffix=suffix)


def reduced_bytes(
    dataset: Dataset, columns: Iterable[int], names: Sequence[str], *, id_name: str, suffix: str
) -> bytes:
    """Return some columns of the data, with the names of the samples, as the contents of a file."""
    values = dense(dataset.X[:, list(columns)])
    table: dict[str, Any] = {}
    if dataset.sample_names is not None:
        while id_name in names:
            id_name = f"_{id_name}"
        table[id_name] = list(dataset.sample_names)
    return columns_bytes(table | dict(zip(names, values.T, strict=True)), suffix)


def dense(columns: Any) -> Array:
    """Return a few columns of the data as an array, be they sparse or not."""
    return columns if isinstance(columns, np.ndarray) else np.asarray(columns.toarray())
