"""`sparsecone select`: rank the features of a file and write down the best."""

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
    Units,
    complete_method,
)

MethodName = Annotated[
    str,
    typer.Option(
        "--method",
        "-m",
        help="One of those that sparsecone methods lists.",
        autocompletion=complete_method,
        rich_help_panel=METHOD,
    ),
]
Lam = Annotated[
    str | None,
    typer.Option("--lam", help="Weight of the sparsity, or auto.", rich_help_panel=METHOD),
]
Eta = Annotated[
    str | None,
    typer.Option("--eta", help="Weight of the trace, or auto.", rich_help_panel=METHOD),
]
UnitsOfWeights = Annotated[
    Units | None, typer.Option("--units", help="Units of lam and eta.", rich_help_panel=METHOD)
]
SolverName = Annotated[
    str | None,
    typer.Option("--solver", help="auto, factored, admm or published.", rich_help_panel=METHOD),
]
Tol = Annotated[
    str | None, typer.Option("--tol", help="Gap to reach, such as 1e-4.", rich_help_panel=METHOD)
]
MaxTime = Annotated[
    float | None,
    typer.Option("--max-time", help="Seconds after which to stop.", rich_help_panel=METHOD),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        help="Any other parameter of the method: name=value; repeatable.",
        rich_help_panel=METHOD,
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        help="The ranking of all features: .csv, .tsv, .parquet or .json.",
        readable=False,
        rich_help_panel=OUTPUT,
    ),
]
SaveSelected = Annotated[
    Path | None,
    typer.Option(
        "--save-selected",
        help="The selected columns, unscaled: .csv, .tsv or .parquet.",
        readable=False,
        rich_help_panel=OUTPUT,
    ),
]
SaveModel = Annotated[
    Path | None,
    typer.Option(
        "--save-model",
        help="The fitted selector for apply: .json.",
        readable=False,
        rich_help_panel=OUTPUT,
    ),
]
Report = Annotated[
    Path | None,
    typer.Option(
        "--report", help="A page about the result: .html.", readable=False, rich_help_panel=OUTPUT
    ),
]
Image = Annotated[
    str | None,
    typer.Option(
        "--image",
        help="Features are the pixels of images, such as 32x32 (rows x columns).",
        rich_help_panel=OUTPUT,
    ),
]


def select(
    file: DataFile,
    method: MethodName = "spca-psd",
    n_features: NFeatures = None,
    lam: Lam = None,
    eta: Eta = None,
    units: UnitsOfWeights = None,
    solver: SolverName = None,
    tol: Tol = None,
    max_time: MaxTime = None,
    settings: Settings = None,
    seed: Seed = 0,
    threads: Threads = 1,
    drop: Drop = None,
    label: Label = None,
    no_label: NoLabel = False,
    id_column: Id = None,
    scale: Scaling = Scale.NONE,
    missing: Gaps = Missing.ERROR,
    transpose: Transpose = False,
    delimiter: Delimiter = None,
    out: Out = None,
    save_selected: SaveSelected = None,
    save_model: SaveModel = None,
    report: Report = None,
    image: Image = None,
    as_json: AsJson = False,
) -> None:
    """Rank the features of a file and select the best.

    Names in .csv and .tsv outputs that a spreadsheet would run as a formula get an apostrophe in
    front; .parquet and .json outputs keep every name as it is.
    """
    from .fitting import settings_of, value_of
    from .selecting import Selecting
    from .source import Source, split_names

    Selecting(
        source=Source(
            file=file,
            drop=split_names(drop),
            label=label,
            no_label=no_label,
            id=id_column,
            scale=scale,
            missing=missing,
            transpose=transpose,
            delimiter=delimiter,
        ),
        method=method,
        n_features=n_features,
        parameters={
            "lam": value_of(lam),
            "eta": value_of(eta),
            "units": units and str(units),
            "solver": solver,
            "tol": value_of(tol),
            "max_time": max_time,
            **settings_of(settings),
        },
        seed=seed,
        threads=threads,
        out=out,
        save_selected=save_selected,
        save_model=save_model,
        report=report,
        image=image,
        as_json=as_json,
    ).run()
