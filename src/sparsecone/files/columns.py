"""From the columns of a table to a data set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .checks import as_labels, as_matrix
from .dataset import DataFileError, Dataset, listed, shown
from .ids import ids_among
from .tables import TextColumn, as_numbers, column_of, matrix_of, polars_for, texts_in, texts_of
from .variables import without_columns
from .wanted import Wanted

if TYPE_CHECKING:
    import polars as pl

_SHOWN = 10


@dataclass(frozen=True)
class _Roles:
    """Which column is what."""

    features: list[str]
    label: str | None
    id: str | None
    notes: list[str]


def from_columns(frame: pl.DataFrame, wanted: Wanted, notes: list[str]) -> Dataset:
    """Return the data set in the columns of a table: every column but a few is a feature."""
    path = wanted.path
    roles = _roles(frame, wanted)
    numbers, left_out = _numbers(frame.select(roles.features), wanted)
    features = numbers.columns
    X = as_matrix(matrix_of(numbers, path=path), path=path, name="the table")
    row_names = None if roles.id is None else texts_of(frame, roles.id, path=path)
    told: dict[str, Any] = {"id_name": roles.id or None}
    told["notes"] = (*notes, *roles.notes, *left_out)
    if wanted.transpose:
        if roles.label is not None:
            raise DataFileError(
                path,
                "is to be transposed, where a column of labels belongs to the features",
                remedy="Leave out label= (--label), or save the table with samples in rows",
            )
        turned = Dataset(
            path.stem, np.ascontiguousarray(X.T), None, row_names, tuple(features), **told
        )
        return without_columns(turned, replace(wanted, drop=()))
    y = None
    if roles.label is not None:
        y = as_labels(column_of(frame, roles.label, path=path), n_samples=len(X), path=path)
    return Dataset(path.stem, X, y, tuple(features), row_names, roles.label, **told)


def _roles(frame: pl.DataFrame, wanted: Wanted) -> _Roles:
    """Tell features from labels and names of rows."""
    dropped = wanted.dropped(frame.columns)
    id_name = wanted.id_among(frame.columns)
    # R and pandas write the names of the rows in a first column without a name.
    if id_name is None and frame.columns[0] == "" and "" not in dropped:
        id_name = ""
    rest = [name for name in frame.columns if name not in {*dropped, id_name}]
    label = None if wanted.transpose and wanted.label is None else wanted.label_among(rest)
    features = [name for name in rest if name != label]
    notes = []
    if wanted.find_id:
        free = [name for name in features if name not in (wanted.only or ())]
        found = ids_among(frame, free, polars_for(wanted.path))
        features = [name for name in features if name not in found]
        if found:
            notes.append(
                f"{listed(found)} {'are' if len(found) > 1 else 'is'} taken for the names of the "
                "rows and left out of the features: find_id=False (--no-id) says otherwise."
            )
            id_name = found[0] if id_name is None else id_name
    if wanted.only is not None and not wanted.transpose:
        features = wanted.only_among(features)
    if not features:
        raise DataFileError(wanted.path, "has no feature left", remedy="Drop fewer columns")
    return _Roles(features, label, id_name, notes)


def _numbers(frame: pl.DataFrame, wanted: Wanted) -> tuple[pl.DataFrame, list[str]]:
    """Return the columns as numbers, less those of text if they may go, and which these are."""
    frame = as_numbers(frame, wanted)
    texts = texts_in(frame, path=wanted.path)
    if not texts:
        return frame, []
    if not wanted.drop_text:
        raise _text_error(texts, wanted)
    if len(texts) == frame.width:
        raise DataFileError(
            wanted.path, "has no column of numbers", remedy="Leave out drop_text (--drop-text)"
        )
    return frame.drop(list(texts)), [f"Left out, because of text in them: {listed(texts)}."]


def _text_error(texts: Mapping[str, TextColumn], wanted: Wanted) -> DataFileError:
    """Return a complaint that names every column of text, each with an entry."""
    (name, first), *others = texts.items()
    if others:
        shows = [f"{shown(name)} ({text})" for name, text in texts.items()]
        more = f" and {len(shows) - _SHOWN} more" if len(shows) > _SHOWN else ""
        fault = f"has text in {len(shows)} columns: {', '.join(shows[:_SHOWN])}{more}"
        remedy = "Leave all out with drop_text=True (--drop-text), or some with drop= (--drop)"
    else:
        fault = (
            f"has text in column {shown(name)}, {first}"
            if first.kind is None
            else f"has no numbers in column {shown(name)} but {first}"
        )
        remedy = f"Leave it out with drop=[{shown(name)}] (--drop)"
    gap = next((text.entry for text in texts.values() if text.mostly_numbers), None)
    if gap is not None:
        remedy += f", or say that it is a gap with gaps=[{shown(gap)}] (--gap)"
    return DataFileError(
        wanted.path,
        fault,
        remedy=f"{remedy}, or name one as the label with label= (--label) or as the names of the "
        "samples with sample_names= (--id)",
    )
