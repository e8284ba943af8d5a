"""The options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

FILE = "File"
METHOD = "Method"
OUTPUT = "Output"


class Scale(StrEnum):
    """How features are scaled before the fit."""

    NONE = "none"
    MINMAX = "minmax"
    STANDARD = "standard"


class Missing(StrEnum):
    """What to do about missing values."""

    ERROR = "error"
    DROP_ROWS = "drop-rows"
    MEDIAN = "median"


class Units(StrEnum):
    """Units of lam and eta."""

    RELATIVE = "relative"
    ABSOLUTE = "absolute"


def complete_method(beginning: str) -> list[str]:
    """Return the methods that begin so, for the shell."""
    from ..registry import methods

    return [method.name for method in methods() if method.name.startswith(beginning)]


# Paths are not checked here (`readable=False`): what is wrong with one is said in one line later.
DataFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="The data: .csv, .tsv (also .gz), .parquet, .npz, .npy, .mat or .h5ad.",
        show_default=False,
        readable=False,
    ),
]
Drop = Annotated[
    list[str] | None,
    typer.Option("--drop", help="Columns to leave out: a,b or repeated.", rich_help_panel=FILE),
]
Label = Annotated[
    str | None,
    typer.Option(
        "--label",
        help="The column with classes; k-means on the selection is compared with them, "
        "the selection never sees them.",
        rich_help_panel=FILE,
    ),
]
NoLabel = Annotated[
    bool,
    typer.Option(
        "--no-label",
        help="Take a column called y, label, class ... as a feature like any other.",
        rich_help_panel=FILE,
    ),
]
Id = Annotated[
    str | None,
    typer.Option("--id", help="The column with the names of the rows.", rich_help_panel=FILE),
]
Scaling = Annotated[
    Scale, typer.Option("--scale", help="Scale the features for the fit.", rich_help_panel=FILE)
]
Gaps = Annotated[
    Missing, typer.Option("--missing", help="What to do about gaps.", rich_help_panel=FILE)
]
Transpose = Annotated[
    bool,
    typer.Option(
        "--transpose", help="Features are in rows; --id names them.", rich_help_panel=FILE
    ),
]
Delimiter = Annotated[
    str | None,
    typer.Option(
        "--delimiter", help="What separates columns of text, such as ';'.", rich_help_panel=FILE
    ),
]
NFeatures = Annotated[
    str | None,
    typer.Option(
        "--n-features",
        "-k",
        help="How many features: a number, a fraction such as 0.1 (default: half), or auto where "
        "the method can tell how many are enough.",
        rich_help_panel=METHOD,
    ),
]
Seed = Annotated[
    int, typer.Option("--seed", min=0, help="Seed of all chance.", rich_help_panel=METHOD)
]
# One thread by default: the digits do not depend on the number of cores, and a busy machine does
# not slow the fit down many times over, as it does with threads that wait for one another.
Threads = Annotated[
    int,
    typer.Option(
        "--threads",
        min=1,
        help="Threads of linear algebra; more help with large dense data.",
        rich_help_panel=METHOD,
    ),
]
AsJson = Annotated[
    bool,
    typer.Option("--json", help="Print JSON on stdout instead of tables.", rich_help_panel=OUTPUT),
]
