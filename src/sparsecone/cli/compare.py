"""`sparsecone compare`: several methods on one file, side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from . import options
from .options import method_option, output_file

# What is compared unless methods are named.
USUAL = ("spca-psd", "max-variance", "laplacian-score", "random")
Methods = Annotated[
    list[str] | None,
    method_option("--methods", "-m", help="Names: a,b or repeated.", show_default=",".join(USUAL)),
]
Out = Annotated[
    Path | None, output_file("--out", "-o", help="The table: .csv, .tsv, .parquet or .json.")
]
Report = Annotated[
    Path | None, output_file("--report", help="A page that sets the methods side by side: .html.")
]


def compare(
    file: options.DataFile,
    methods: Methods = None,
    n_features: options.NFeatures = None,
    seed: options.Seed = 0,
    threads: options.Threads = 1,
    drop: options.Drop = None,
    drop_text: options.DropText = False,
    label: options.Label = None,
    no_label: options.NoLabel = False,
    id_column: options.Id = None,
    no_id: options.NoId = False,
    scale: options.Scaling = options.Scale.NONE,
    missing: options.Gaps = options.Missing.ERROR,
    gap: options.Gap = None,
    transpose: options.Transpose = False,
    delimiter: options.Delimiter = None,
    decimal: options.DecimalSign = None,
    encoding: options.Encoding = None,
    max_memory: options.MaxMemory = None,
    max_seconds: options.MaxSeconds = None,
    out: Out = None,
    report: Report = None,
    as_json: options.AsJson = False,
) -> None:
    """Run several methods on a file and show what their selections are worth.

    Overlap is the share of the features that a method has in common with the first one. A method
    that fails is a row with its reason, and the exit code is 1.
    """
    from ..files.wanted import split_names
    from .comparison import Comparing
    from .exits import FAILED
    from .fitting import find_method
    from .limits import ReadingLimits
    from .source import ColumnOptions, FileOptions

    names = USUAL if methods is None else split_names(methods)
    all_done = Comparing(
        source=FileOptions(
            file=file,
            columns=ColumnOptions(drop or (), drop_text, label, no_label, id_column, no_id),
            scale=scale,
            missing=missing,
            gaps=gap or (),
            transpose=transpose,
            delimiter=delimiter,
            decimal=decimal,
            encoding=encoding,
            limits=ReadingLimits.of(file, max_memory, max_seconds),
        ),
        methods=[find_method(name) for name in dict.fromkeys(names)],
        n_features=n_features,
        seed=seed,
        threads=threads,
        out=out,
        report=report,
        as_json=as_json,
    ).run()
    if not all_done:
        raise typer.Exit(FAILED)
