"""`sparsecone compare`: several methods on one file, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from . import options
from .options import method_option, output_file
from .source import FileOptions

# What is compared unless methods are named.
USUAL = ("spca-psd", "max-variance", "laplacian-score", "random")


@dataclass(frozen=True, kw_only=True)
class CompareOptions:
    """One call of the command; the fields are its options."""

    methods: Annotated[
        list[str] | None,
        method_option(
            "--methods", "-m", help="Names: a,b or repeated.", show_default=",".join(USUAL)
        ),
    ] = None
    n_features: Annotated[
        str | None,
        options.method_option(
            "--n-features",
            "-k",
            help="How many features: a number, a fraction such as 0.1 (default: half), or auto "
            "where the method can tell how many are enough.",
        ),
    ] = None
    seed: options.Seed = 0
    threads: options.Threads = 1
    source: FileOptions
    out: Annotated[
        Path | None, output_file("--out", "-o", help="The table: .csv, .tsv, .parquet or .json.")
    ] = None
    report: Annotated[
        Path | None,
        output_file("--report", help="A page that sets the methods side by side: .html."),
    ] = None
    as_json: options.AsJson = False


@options.by_options
def compare(asked: CompareOptions) -> None:
    """Run several methods on a file and show what their selections are worth.

    Overlap is the share of the features that a method has in common with the first one. A method
    that fails is a row with its reason, and the exit code is 1.
    """
    from .comparison import Comparing
    from .exits import FAILED

    if not Comparing(**vars(asked)).run():
        raise typer.Exit(FAILED)
