"""The options of `sparsecone select` that no other command has."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

from .options import (
    Units,
    complete_method,
    file_option,
    method_option,
    output_file,
    output_option,
)


class Selection(StrEnum):
    """How features are chosen once they are scored."""

    DIVERSE = "diverse"
    SCORES = "scores"


MethodName = Annotated[
    str,
    method_option(
        "--method",
        "-m",
        help="One of those that sparsecone methods lists.",
        autocompletion=complete_method,
    ),
]
Lam = Annotated[
    str | None, method_option("--lam", help="Weight of the sparsity, a number or auto.")
]
Eta = Annotated[
    str | None, method_option("--eta", help="Weight of the trace, a number, auto or paper.")
]
Choice = Annotated[
    Selection | None,
    method_option(
        "--selection", help="Features that do not repeat each other, or simply the highest scores."
    ),
]
UnitsOfWeights = Annotated[Units | None, method_option("--units", help="Units of lam and eta.")]
SolverName = Annotated[
    str | None, method_option("--solver", help="auto, factored, admm or published.")
]
Tol = Annotated[str | None, method_option("--tol", help="Gap to reach, such as 1e-4.")]
MaxTime = Annotated[float | None, method_option("--max-time", help="Seconds after which to stop.")]
Settings = Annotated[
    list[str] | None,
    method_option("--set", help="Any other parameter of the method: name=value; repeatable."),
]
Out = Annotated[
    Path | None,
    output_file("--out", "-o", help="The ranking of all features: .csv, .tsv, .parquet or .json."),
]
SaveSelected = Annotated[
    Path | None,
    output_file("--save-selected", help="The selected columns, unscaled: .csv, .tsv or .parquet."),
]
SaveModel = Annotated[
    Path | None, output_file("--save-model", help="The fitted selector for apply: .json.")
]
Report = Annotated[Path | None, output_file("--report", help="A page about the result: .html.")]
Image = Annotated[
    str | None,
    output_option(
        "--image", help="Features are the pixels of images, such as 32x32 (rows x columns)."
    ),
]

Resamples = Annotated[
    int | None,
    output_option(
        "--stability",
        min=2,
        metavar="N",
        help="Select on N random halves of the rows too, and say how far they agree.",
    ),
]
OnDask = Annotated[
    bool,
    file_option(
        "--dask",
        help="Read Parquet files on the workers of a Dask cluster, a local one by default.",
    ),
]
Scheduler = Annotated[
    str | None,
    file_option(
        "--scheduler",
        metavar="ADDRESS",
        help="The scheduler of that cluster, such as tcp://host:8786.",
    ),
]
