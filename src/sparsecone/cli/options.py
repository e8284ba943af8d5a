"""The options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import is_dataclass
from enum import StrEnum
from functools import partial, wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any

import typer

# An option under the heading of its panel in --help. What is wrong with a path is said in one line
# later, not by the parser (`readable=False`).
file_option: Callable[..., Any] = partial(typer.Option, rich_help_panel="File")
method_option: Callable[..., Any] = partial(typer.Option, rich_help_panel="Method")
output_option: Callable[..., Any] = partial(typer.Option, rich_help_panel="Output")
output_file: Callable[..., Any] = partial(output_option, readable=False)


def by_options(command: Callable[[Any], None]) -> Callable[..., None]:
    """Return a command that takes the fields of a dataclass, one by one, instead of the whole."""
    (whole,) = signature(command, eval_str=True).parameters.values()
    parameters = _fields(whole.annotation)

    @wraps(command)
    def flat(**given: Any) -> None:
        command(_filled(whole.annotation, given))

    flat.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    flat.__annotations__ = {each.name: each.annotation for each in parameters}
    return flat


def _fields(kind: Any) -> list[Parameter]:
    """Return the fields of a dataclass, and those of dataclasses within it in their place."""
    found = []
    for each in signature(kind, eval_str=True).parameters.values():
        found += _fields(each.annotation) if is_dataclass(each.annotation) else [each]
    return found


def _filled(kind: Any, given: dict[str, Any]) -> Any:
    fields = signature(kind, eval_str=True).parameters.values()
    inner = {each.name: each.annotation for each in fields if is_dataclass(each.annotation)}
    own = {each.name: given[each.name] for each in fields if each.name not in inner}
    return kind(**own, **{name: _filled(part, given) for name, part in inner.items()})


# What options take that have few values.
Scale = StrEnum("Scale", {"NONE": "none", "MINMAX": "minmax", "STANDARD": "standard"})
Missing = StrEnum("Missing", {"ERROR": "error", "DROP_ROWS": "drop-rows", "MEDIAN": "median"})
Decimal = StrEnum("Decimal", {"COMMA": ",", "POINT": "."})

DataFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="The data: .csv, .tsv (also .gz), .xlsx, .parquet, .feather, .npz, .npy, .mat or "
        ".h5ad.",
        show_default=False,
        readable=False,
    ),
]
Id = Annotated[str | None, file_option("--id", help="The column with the names of the rows.")]
Transpose = Annotated[
    bool, file_option("--transpose", help="Features are in rows; --id names them.")
]
Delimiter = Annotated[
    str | None,
    file_option("--delimiter", help="What separates columns of text; recognised by default."),
]
DecimalSign = Annotated[
    Decimal | None,
    file_option("--decimal", help="What separates fractions in text; recognised by default."),
]
Encoding = Annotated[
    str | None,
    file_option("--encoding", help="Encoding of text, such as cp1250; recognised by default."),
]
Gap = Annotated[
    list[str] | None,
    file_option("--gap", help="A text that stands for a missing value, besides NA, ?, ..."),
]
MaxMemory = Annotated[
    str | None,
    file_option(
        "--max-memory",
        metavar="SIZE",
        help="What the contents may take in memory, such as 16GB; by default 1 GiB, or 20 times "
        "the size of the file.",
    ),
]
MaxSeconds = Annotated[
    float | None,
    file_option(
        "--max-seconds",
        min=0.1,
        help="Time to read a .mat, .h5ad or .parquet file; by default 120, and one a megabyte.",
    ),
]
Seed = Annotated[int, method_option("--seed", min=0, help="Seed of all chance.")]
# One thread by default: the digits do not depend on the number of cores, and a busy machine does
# not slow the fit down many times over, as it does with threads that wait for one another.
Threads = Annotated[
    int,
    method_option(
        "--threads", min=1, help="Threads of linear algebra; more help with large dense data."
    ),
]
AsJson = Annotated[bool, output_option("--json", help="Print JSON on stdout instead of tables.")]
