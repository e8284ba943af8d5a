"""Reading the columns of .csv and .parquet files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sparsecone.datasets.contents import is_number
from sparsecone.datasets.dataset import DataFileError
from sparsecone.optional import require

if TYPE_CHECKING:
    import polars as pl


def read_table(path: Path) -> dict[str, NDArray[Any]]:
    """Return the columns of a table by name: numbers as float64, other columns as text.

    A .csv file with numbers in its first line has no names: its columns are called column_0,
    column_1 and so on, after their indices.
    """
    polars = require("polars", purpose=f"Reading a {path.suffix} file", extra="datasets")
    frame = _read_csv(path, polars) if path.suffix.lower() == ".csv" else polars.read_parquet(path)
    return {column.name: _as_array(column, path, polars) for column in frame}


def _read_csv(path: Path, polars: Any) -> pl.DataFrame:
    with path.open(encoding="utf-8-sig") as file:
        first_line = file.readline()
    named = not all(is_number(entry) for entry in first_line.split(","))
    frame: pl.DataFrame = polars.read_csv(path, has_header=named, infer_schema_length=None)
    frame.columns = [
        name.strip() if named else f"column_{index}" for index, name in enumerate(frame.columns)
    ]
    blank = polars.all_horizontal(polars.all().is_null())
    return frame.filter(~blank)


def _as_array(column: pl.Series, path: Path, polars: Any) -> NDArray[Any]:
    """Return a column without gaps, as numbers if every entry is one."""
    if column.null_count() > 0:
        row = column.is_null().to_list().index(True) + 1
        raise DataFileError(
            path,
            f"has no value in column '{column.name}', row {row} of its data",
            remedy="Fill or drop missing values, and give all rows the same length",
        )
    if column.dtype.is_numeric() or column.dtype == polars.Boolean:
        return np.asarray(column.cast(polars.Float64).to_numpy())
    text = column.cast(polars.String).str.strip_chars()
    # A space after a comma makes text of a number.
    numbers = text.cast(polars.Float64, strict=False)
    if column.dtype == polars.String and numbers.null_count() == 0:
        return np.asarray(numbers.to_numpy())
    return np.asarray(text.to_list(), dtype=np.str_)
