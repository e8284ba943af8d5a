"""The options of `sparsecone select` that no other command has."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from .options import FILE, METHOD, OUTPUT, Units, complete_method


class Selection(StrEnum):
    """How features are chosen once they are scored."""

    DIVERSE = "diverse"
    SCORES = "scores"


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
    typer.Option("--lam", help="Weight of the sparsity, a number or auto.", rich_help_panel=METHOD),
]
Eta = Annotated[
    str | None,
    typer.Option(
        "--eta", help="Weight of the trace, a number, auto or paper.", rich_help_panel=METHOD
    ),
]
Choice = Annotated[
    Selection | None,
    typer.Option(
        "--selection",
        help="Features that do not repeat each other, or simply the highest scores.",
        rich_help_panel=METHOD,
    ),
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

Resamples = Annotated[
    int | None,
    typer.Option(
        "--stability",
        min=2,
        metavar="N",
        help="Select on N random halves of the rows too, and say how far they agree.",
        rich_help_panel=OUTPUT,
    ),
]
OnDask = Annotated[
    bool,
    typer.Option(
        "--dask",
        help="Read Parquet files on the workers of a Dask cluster, a local one by default.",
        rich_help_panel=FILE,
    ),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler",
        metavar="ADDRESS",
        help="The scheduler of that cluster, such as tcp://host:8786.",
        rich_help_panel=FILE,
    ),
]
