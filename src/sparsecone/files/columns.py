"""From the columns of a table to a data set."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from .checks import as_labels, as_matrix
from .dataset import DataFileError, Dataset
from .tables import column_of, numbers_of, texts_of
from .variables import without_columns
from .wanted import Wanted

if TYPE_CHECKING:
    import polars as pl


def from_columns(frame: pl.DataFrame, wanted: Wanted) -> Dataset:
    """Return the data set in the columns of a table: every column but a few is a feature."""
    path = wanted.path
    # R and pandas write the names of the rows in a first column without a name.
    unnamed = "" if frame.columns[0] == "" and "" not in wanted.drop else None
    id_name = unnamed if wanted.sample_names is None else wanted.sample_names
    wanted.check_names([*wanted.drop, *([] if id_name is None else [id_name])], frame.columns)
    rest = [name for name in frame.columns if name not in {*wanted.drop, id_name}]
    label_name = None if wanted.transpose and wanted.label is None else wanted.label_among(rest)
    features = [name for name in rest if name != label_name]
    if wanted.only is not None and not wanted.transpose:
        features = wanted.only_among(features)
    if not features:
        raise DataFileError(path, "has no feature left", remedy="Drop fewer columns")
    X = as_matrix(numbers_of(frame.select(features), path=path), path=path, name="the table")
    row_names = None if id_name is None else texts_of(frame, id_name, path=path)
    if wanted.transpose:
        if label_name is not None:
            raise DataFileError(
                path,
                "is to be transposed, where a column of labels belongs to the features",
                remedy="Leave out label= (--label), or save the table with samples in rows",
            )
        turned = Dataset(path.stem, np.ascontiguousarray(X.T), None, row_names, tuple(features))
        return without_columns(turned, replace(wanted, drop=()))
    y = None
    if label_name is not None:
        y = as_labels(column_of(frame, label_name, path=path), n_samples=len(X), path=path)
    return Dataset(path.stem, X, y, tuple(features), row_names, label_name)
