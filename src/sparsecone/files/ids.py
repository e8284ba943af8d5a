"""Columns that name the rows and measure nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

_NAMES = {
    *("id", "ids", "index", "idx", "key", "uuid", "guid", "nr", "no", "row", "rowname", "rownames"),
    *("name", "names", "sample", "samples", "barcode", "subject", "patient", "unnamed: 0", "#"),
}
_LAST_WORDS = {"id", "ids", "uuid", "guid", "nr", "barcode"}
# PatientID, patientId, patient_id, patient-id, patient id
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def is_name_of_ids(name: str) -> bool:
    """Whether a column is called as those with the names of rows are.

    Examples
    --------
    >>> [is_name_of_ids(name) for name in ("id", "PatientID", "sample_id", "_id", "width", "acid")]
    [True, True, True, True, False, False]
    """
    last = _WORDS.findall(name)[-1:]
    return name.strip().lower() in _NAMES or any(word.lower() in _LAST_WORDS for word in last)


def ids_among(frame: pl.DataFrame, names: list[str], polars: Any) -> list[str]:
    """Return the columns that are called so and have another whole number or text in every row."""
    return [name for name in names if is_name_of_ids(name) and _are_ids(frame[name], polars)]


def _are_ids(column: pl.Series, polars: Any) -> bool:
    kind = column.dtype
    if column.null_count():
        return False
    if kind.is_float():
        counts = bool((column.is_finite() & (column == column.round())).all())
    else:
        counts = kind.is_integer() or kind in (polars.String, polars.Categorical)
    return counts and bool(column.is_unique().all())
