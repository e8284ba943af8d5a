"""Tables by polars: reading text, Excel, Parquet and Arrow files, and writing them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..linalg.types import Array
from ..optional import require
from .csv_text import numbered, spreadsheet_safe
from .dataset import DataFileError, shown
from .number_text import bare, numbers_in
from .text_table import RawTable, read_text, without_empty
from .wanted import Wanted, kind_of

if TYPE_CHECKING:
    import polars as pl

ARROW = (".feather", ".arrow")
# What fastexcel, or polars of an earlier version, calls a column without a name, with its place.
_UNNAMED = ("__UNNAMED__", "column_")
EXCEL = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")


def read_table(wanted: Wanted) -> RawTable:
    """Return a table with its columns as the file has them."""
    path, kind = wanted.path, kind_of(wanted.path)
    polars = polars_for(path)
    if kind == ".parquet":
        # The footer states how many rows there are, which may be one value packed many times.
        n_rows = polars.scan_parquet(path).select(polars.len()).collect().item()
        wanted.limit.check_shape((n_rows, len(polars.read_parquet_schema(path))))
        return RawTable(polars.read_parquet(path), decimal=wanted.decimal)
    if kind in ARROW:
        return RawTable(polars.read_ipc(path), decimal=wanted.decimal)
    if kind in EXCEL:
        return _read_excel(wanted, polars)
    return read_text(wanted, polars)


def as_numbers(frame: pl.DataFrame, wanted: Wanted) -> pl.DataFrame:
    """Return a table with numbers in all columns that can be read as such."""
    polars = polars_for(wanted.path)
    words = (polars.String, polars.Categorical, polars.Enum)
    names = [name for name, kind in frame.schema.items() if kind in words]
    if not names:
        return frame
    texts = [bare(frame[name], polars, wanted.gaps) for name in names]
    has_points = any(kind.is_float() for kind in frame.dtypes)
    numbers = numbers_in(
        texts, polars, path=wanted.path, decimal=wanted.decimal, has_points=has_points
    )
    return frame.with_columns(numbers)


@dataclass(frozen=True)
class TextColumn:
    """A column that is no numbers."""

    entry: str = ""  #: The entry that shows it best.
    kind: str | None = None  #: The type of a column that is no text, such as Date.
    mostly_numbers: bool = False

    def __str__(self) -> str:
        return f"such as {shown(self.entry)}" if self.kind is None else self.kind


def texts_in(frame: pl.DataFrame, *, path: Path) -> dict[str, TextColumn]:
    """Return the columns that are no numbers."""
    polars = polars_for(path)
    found = {}
    for name, kind in frame.schema.items():
        if kind.is_numeric() or kind in (polars.Boolean, polars.Null):
            continue
        if kind != polars.String:
            found[name] = TextColumn(kind=str(kind))
            continue
        entries = bare(frame[name], polars).drop_nulls()
        words = entries.filter(entries.cast(polars.Float64, strict=False).is_null())
        # Numbers of another kind, such as decimal commas among points.
        entry = words[0] if words.len() else entries[0]
        found[name] = TextColumn(str(entry), mostly_numbers=2 * words.len() < entries.len())
    return found


def matrix_of(frame: pl.DataFrame, *, path: Path) -> Array:
    """Return a table of numbers as a matrix, with NaN for nulls."""
    polars = polars_for(path)
    return np.asarray(frame.select(polars.all().cast(polars.Float64)).to_numpy())


def column_of(frame: pl.DataFrame, name: str, *, path: Path) -> Array:
    """Return a column of labels: numbers as numbers, anything else as text."""
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
    polars = polars_for(path)
    return np.asarray(column.cast(polars.String).str.strip_chars().to_list(), dtype=np.str_)


def texts_of(frame: pl.DataFrame, name: str, *, path: Path) -> tuple[str, ...]:
    """Return a column as text, nulls as nothing."""
    return tuple(frame[name].cast(polars_for(path).String).fill_null("").to_list())


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


def polars_for(path: Path) -> Any:
    """Return the package polars, which reading a file needs."""
    return require("polars", purpose=f"Reading a {path.suffix} file", extra="datasets")


def _read_excel(wanted: Wanted, polars: Any) -> RawTable:
    """Return the first sheet, and which one it was where there are others."""
    path = wanted.path
    engine = require("fastexcel", purpose=f"Reading a {path.suffix} file", extra="excel")
    sheets = engine.read_excel(path).sheet_names
    frame: pl.DataFrame = polars.read_excel(path, sheet_id=1, engine="calamine")
    given = [
        "" if name in [f"{unnamed}{place}" for unnamed in _UNNAMED] else name.strip()
        for place, name in enumerate(frame.columns)
    ]
    frame.columns, notes = numbered(given)
    frame = without_empty(frame, given)
    if len(sheets) > 1:
        notes.append(
            f"Sheet {shown(sheets[0])} is read, the first of {len(sheets)}: save another one as a "
            "file of its own to read that."
        )
    return RawTable(frame, notes, decimal=wanted.decimal)
