"""From the named arrays of a .mat, .npz or .npy file to a data set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse

from .checks import as_labels, as_matrix
from .dataset import DataFileError, Dataset, listed
from .wanted import Wanted, first_usual

_DATA_NAMES = ("x", "fea", "data", "features")


def from_variables(variables: Mapping[str, Any], wanted: Wanted) -> Dataset:
    """Return the data set in the variables of a file."""
    if isinstance(wanted.sample_names, str):
        raise DataFileError(
            wanted.path,
            "holds arrays, which have no column of sample names",
            remedy="Leave out sample_names (--id)",
        )
    label_name = wanted.label_among(list(variables))
    matrix_name = _matrix_name(variables, label_name=label_name, wanted=wanted)
    X = as_matrix(variables[matrix_name], path=wanted.path, name=matrix_name)
    labels = None if label_name is None else variables[label_name]
    only_columns_fit = labels is not None and np.size(labels) == X.shape[1] != X.shape[0]
    if wanted.transpose or only_columns_fit:
        # As many labels as columns: this file has its samples there.
        X = as_matrix(X.T, path=wanted.path, name=matrix_name)
    y = None if labels is None else as_labels(labels, n_samples=X.shape[0], path=wanted.path)
    return without_columns(Dataset(wanted.path.stem, X, y, label_name=label_name), wanted)


def without_columns(dataset: Dataset, wanted: Wanted) -> Dataset:
    """Return a data set less the features to drop; those without names are called column_0, ..."""
    if not wanted.drop and wanted.only is None:
        return dataset
    names = dataset.feature_names or column_names(dataset.X.shape[1])
    dropped = set(wanted.dropped(names))
    chosen = names if wanted.only is None else wanted.only_among(names)
    place = {name: index for index, name in enumerate(names)}
    kept = [place[name] for name in chosen if name not in dropped]
    if not kept:
        raise DataFileError(wanted.path, "has no feature left", remedy="Drop fewer columns")
    X = dataset.X[:, kept]
    if not sparse.issparse(X):
        X = np.ascontiguousarray(X)
    return replace(dataset, X=X, feature_names=tuple(names[index] for index in kept))


def column_names(count: int) -> tuple[str, ...]:
    """Return the names of columns that have none, after their indices."""
    return tuple(f"column_{index}" for index in range(count))


def _matrix_name(variables: Mapping[str, Any], *, label_name: str | None, wanted: Wanted) -> str:
    """Return the name of the data: a usual one, or that of the only matrix."""
    others = [name for name in variables if name != label_name]
    usual = first_usual(others, _DATA_NAMES)
    if usual is not None:
        return usual
    shapes = {name: np.shape(variables[name]) for name in others}
    matrices = [name for name, shape in shapes.items() if len(shape) > 1 and min(shape) > 1]
    if len(matrices) != 1:
        raise DataFileError(
            wanted.path,
            f"does not say which of its variables are the data ({listed(variables)})",
            remedy="Save the samples x features matrix under the name X",
        )
    return matrices[0]
