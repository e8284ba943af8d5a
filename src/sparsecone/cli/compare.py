"""`sparsecone compare`: several methods on one file, side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import (
    METHOD,
    OUTPUT,
    AsJson,
    DataFile,
    Delimiter,
    Drop,
    Gaps,
    Id,
    Label,
    Missing,
    NFeatures,
    NoLabel,
    Scale,
    Scaling,
    Seed,
    Threads,
    Transpose,
)

Methods = Annotated[
    str,
    typer.Option("--methods", "-m", help="Names with commas between.", rich_help_panel=METHOD),
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        help="The table: .csv, .tsv, .parquet or .json.",
        readable=False,
        rich_help_panel=OUTPUT,
    ),
]


def compare(
    file: DataFile,
    methods: Methods = "spca-psd,max-variance,laplacian-score,random",
    n_features: NFeatures = None,
    seed: Seed = 0,
    threads: Threads = None,
    drop: Drop = None,
    label: Label = None,
    no_label: NoLabel = False,
    id_column: Id = None,
    scale: Scaling = Scale.NONE,
    missing: Gaps = Missing.ERROR,
    transpose: Transpose = False,
    delimiter: Delimiter = None,
    out: Out = None,
    as_json: AsJson = False,
) -> None:
    """Run several methods on a file and show what their selections are worth.

    Overlap is the share of the features that a method has in common with the first one. A method
    that fails is a row with its reason, and the exit code is 1.
    """
    from ..datasets import scaled
    from .comparison import compare_methods, rows_as_columns, show_comparison
    from .console import say, say_json
    from .exits import FAILED
    from .fitting import find_method
    from .outputs import RANKINGS, check_outputs, columns_bytes, write_together
    from .source import Source, split_names

    check_outputs({"--out": (out, RANKINGS)}, inputs=[file])
    chosen = [find_method(name) for name in dict.fromkeys(split_names([methods]))]
    source = Source(
        file=file,
        drop=split_names(drop),
        label=label,
        no_label=no_label,
        id=id_column,
        scale=scale,
        missing=missing,
        transpose=transpose,
        delimiter=delimiter,
    )
    dataset = source.load()
    rows, _ = compare_methods(
        chosen,
        scaled(dataset.X, scale.value),
        None if label is None else dataset.y,
        n_features=n_features,
        seed=seed,
        threads=threads,
    )
    if out is not None:
        table = rows_as_columns(rows)
        write_together({out: lambda: columns_bytes(table, out.suffix.lower())})
    if as_json:
        say_json([vars(row) for row in rows])
    else:
        n_selected = " or ".join(str(n) for n in dict.fromkeys(row.n_selected for row in rows) if n)
        n_samples, width = dataset.X.shape
        show_comparison(
            f"{dataset.name}: {n_samples} samples, {n_selected} of {width} features", rows
        )
        if out is not None:
            say(f"Written: {out}")
    if any(row.failure for row in rows):
        raise typer.Exit(FAILED)
