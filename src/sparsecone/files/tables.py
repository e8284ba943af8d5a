"""Reading and writing .csv, .tsv and .parquet files: all that needs polars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..linalg.types import Array
from ..optional import require
from .csv_text import (
    are_names,
    blank_lines,
    check_rows,
    check_unique,
    first_row,
    is_number,
    spreadsheet_safe,
)
from .dataset import DataFileError, shown
from .variables import column_names
from .wanted import kind_of

if TYPE_CHECKING:
    import polars as pl

# What stands for a missing value in text.
GAPS = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "?")
# Types are guessed from so many lines; all are read where the guess fails.
_GUESSED_FROM = 1000


def read_table(path: Path, *, delimiter: str | None = None) -> pl.DataFrame:
    """Return a table with its columns as the file has them, gaps as nulls.

    A text file with numbers in its first line has no names: its columns are called column_0,
    column_1 and so on, after their indices.
    """
    if path.suffix.lower() == ".parquet":
        frame: pl.DataFrame = _polars(path).read_parquet(path)
        return frame
    return _read_text(path, delimiter or ("\t" if kind_of(path).startswith(".tsv") else ","))


def numbers_of(frame: pl.DataFrame, *, path: Path) -> Array:
    """Return a table as a matrix, with NaN for nulls, or say which column is no numbers."""
    polars = _polars(path)
    texts = [name for name, kind in frame.schema.items() if kind == polars.String]
    if texts:
        # A space after a comma makes text of a number.
        bare = frame.select(polars.col(texts).str.strip_chars())
        bare = bare.select(polars.when(~polars.all().is_in(GAPS)).then(polars.all()))
        read = bare.select(polars.all().cast(polars.Float64, strict=False))
        whole = [name for name in texts if read[name].null_count() == bare[name].null_count()]
        frame = frame.with_columns(read.select(whole))
    for name, kind in frame.schema.items():
        if not (kind.is_numeric() or kind in (polars.Boolean, polars.Null)):
            _complain_of_text(frame[name], path, polars)
    return np.asarray(frame.select(polars.all().cast(polars.Float64)).to_numpy())


def column_of(frame: pl.DataFrame, name: str, *, path: Path) -> Array:
    """Return a column of labels: numbers as numbers, anything else as text."""
    polars = _polars(path)
    column = frame[name]
    if column.null_count():
        row = int(column.is_null().arg_max() or 0) + 1
        raise DataFileError(
            path,
            f"has no value in column {shown(name)}, row {row} of its data",
            remedy="Every sample needs a label: drop that row, or choose another column",
        )
    if column.dtype.is_numeric():
        return np.asarray(column.to_numpy())
    return np.asarray(column.cast(polars.String).str.strip_chars().to_list(), dtype=np.str_)


def texts_of(frame: pl.DataFrame, name: str, *, path: Path) -> tuple[str, ...]:
    """Return a column as text, nulls as nothing."""
    return tuple(frame[name].cast(_polars(path).String).fill_null("").to_list())


def table_bytes(columns: Mapping[str, Sequence[Any] | Array], *, suffix: str) -> bytes:
    """Return columns as the contents of a .csv, .tsv or .parquet file.

    Text files may be opened in a spreadsheet: names and entries are made safe for it.
    """
    polars = require("polars", purpose=f"Writing a {suffix} file", extra="cli")
    frame = polars.DataFrame(dict(columns))
    buffer = BytesIO()
    if suffix == ".parquet":
        frame.write_parquet(buffer)
        return buffer.getvalue()
    texts = [name for name, kind in frame.schema.items() if kind == polars.String]
    safe = [polars.Series(name, [*map(spreadsheet_safe, frame[name])]) for name in texts]
    frame = frame.with_columns(safe)
    frame.columns = [spreadsheet_safe(name) for name in frame.columns]
    frame.write_csv(buffer, separator="\t" if suffix == ".tsv" else ",")
    return buffer.getvalue()


def _polars(path: Path) -> Any:
    return require("polars", purpose=f"Reading a {path.suffix} file", extra="datasets")


def _read_text(path: Path, delimiter: str) -> pl.DataFrame:
    polars = _polars(path)
    first = first_row(path, delimiter)
    named = are_names(first)
    names = first if named else list(column_names(len(first)))
    check_unique(path, names)
    settings: dict[str, Any] = {
        "has_header": named,
        "separator": delimiter,
        "null_values": list(GAPS),
    }
    frame = _first_that_works(path, polars, settings)
    if frame is None:
        check_rows(path, delimiter)
        raise _unreadable(path)
    has_gaps = frame[:, -1].null_count() > 0
    if frame.width != len(names) or has_gaps:
        # polars fills up short lines; each of them lacks its last entry.
        check_rows(path, delimiter)
    frame.columns = names
    frame = frame.filter(
        ~polars.Series(_blank(frame, path, delimiter, skipped=int(named)), dtype=polars.Boolean)
    )
    if frame.height == 0:
        raise DataFileError(
            path, "has a line of names but no rows", remedy="Add a line a sample, or save it again"
        )
    return frame


def _blank(frame: pl.DataFrame, path: Path, delimiter: str, *, skipped: int) -> Sequence[bool]:
    """Return which rows are lines without any entry, and so no samples; gaps alone are one."""
    polars = _polars(path)
    if not frame.select(polars.all_horizontal(polars.all().is_null())).to_series().any():
        return [False] * frame.height
    blank = blank_lines(path, delimiter)[skipped:]
    if len(blank) != frame.height:
        raise _unreadable(path)
    return blank


def _unreadable(path: Path) -> DataFileError:
    return DataFileError(
        path,
        f"cannot be read as {path.suffix}: entries and types do not fit together",
        remedy="Look for a quotation mark that is not closed",
    )


def _first_that_works(path: Path, polars: Any, settings: dict[str, Any]) -> pl.DataFrame | None:
    """Read with types guessed from some lines or, where that fails, from all."""
    for lines in (_GUESSED_FROM, None):
        try:
            frame: pl.DataFrame = polars.read_csv(path, infer_schema_length=lines, **settings)
        except polars.exceptions.ComputeError:
            continue
        return frame
    return None


def _complain_of_text(column: pl.Series, path: Path, polars: Any) -> None:
    """Name a column that is no numbers, with the entry that shows it best."""
    name = shown(column.name)
    if column.dtype == polars.String:
        entries = (str(entry) for entry in column.drop_nulls().to_list())
        sample = next((entry for entry in entries if not is_number(entry)), "")
        fault = f"has text in column {name}, such as {shown(sample)}"
    else:
        fault = f"has no numbers in column {name} but {column.dtype}"
    raise DataFileError(
        path,
        fault,
        remedy=f"Leave it out with drop=[{name}] (--drop), or name it as the label with label= "
        "(--label) or as the names of the samples with sample_names= (--id)",
    )
