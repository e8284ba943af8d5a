"""From the named arrays or columns of a file to a checked data set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from sparsecone.datasets.dataset import DataFileError, Dataset

_DATA_NAMES = ("x", "fea", "data", "features")
_LABEL_NAMES = ("y", "gnd", "label", "labels", "class", "target")
_NUMBER_KINDS = "biuf"


def from_variables(
    variables: Mapping[str, Any], *, path: Path, label: str | None, name: str
) -> Dataset:
    """Return the data set in the variables of a .mat, .npz or .npy file."""
    label_name = _label_name(variables, label=label, path=path)
    matrix_name = _matrix_name(variables, label_name=label_name, path=path)
    X = _as_matrix(variables[matrix_name], path=path, name=matrix_name)
    if label_name is None:
        return Dataset(name, X)
    labels = variables[label_name]
    if np.size(labels) == X.shape[1] != X.shape[0]:
        # As many labels as columns: this file has its samples there.
        X = np.ascontiguousarray(X.T)
    return Dataset(name, X, _as_labels(labels, X=X, path=path))


def from_columns(
    columns: Mapping[str, NDArray[Any]], *, path: Path, label: str | None, name: str
) -> Dataset:
    """Return the data set in the columns of a table."""
    label_name = _label_name(columns, label=label, path=path)
    features = {key: column for key, column in columns.items() if key != label_name}
    for key, column in features.items():
        if column.dtype.kind not in _NUMBER_KINDS:
            raise DataFileError(
                path,
                f"has text in column '{key}', such as '{_first_text(column)}'",
                remedy="Drop it, turn it into numbers, or name it as the label: label=...",
            )
    table = np.column_stack(list(features.values())) if features else np.empty((0, 0))
    X = _as_matrix(table, path=path, name="the table")
    y = None if label_name is None else _as_labels(columns[label_name], X=X, path=path)
    return Dataset(name, X, y, tuple(features))


def is_number(entry: str) -> bool:
    """Whether a text reads as a number."""
    try:
        float(entry)
    except ValueError:
        return False
    return True


def _first_text(column: NDArray[Any]) -> str:
    """Return the entry that shows best why a column is text."""
    return next((str(entry) for entry in column if not is_number(entry)), str(column[0]))


def _label_name(names: Mapping[str, Any], *, label: str | None, path: Path) -> str | None:
    """Return the name of the labels: the one asked for, or a usual one, or None."""
    if label is not None:
        if label not in names:
            raise DataFileError(
                path, f"has no '{label}'", remedy=f"As the label choose one of {_listed(names)}"
            )
        return label
    return _first_usual(names, _LABEL_NAMES)


def _matrix_name(variables: Mapping[str, Any], *, label_name: str | None, path: Path) -> str:
    """Return the name of the data: a usual one, or that of the only matrix."""
    others = [name for name in variables if name != label_name]
    usual = _first_usual(others, _DATA_NAMES)
    if usual is not None:
        return usual
    matrices = [name for name in others if min(np.shape(variables[name]), default=0) > 1]
    if len(matrices) != 1:
        raise DataFileError(
            path,
            f"does not say which of its variables are the data ({_listed(variables)})",
            remedy="Save the samples x features matrix under the name X",
        )
    return matrices[0]


def _first_usual(names: Mapping[str, Any] | Sequence[str], usual: Sequence[str]) -> str | None:
    """Return the name that comes first among the usual ones, in capitals or not."""
    by_lower_case = {name.lower(): name for name in names}
    return next((by_lower_case[name] for name in usual if name in by_lower_case), None)


def _listed(names: Mapping[str, Any]) -> str:
    """Return some names as a list for a message."""
    shown = [repr(name) for name in names]
    return ", ".join(shown[:10]) + (", ..." if len(shown) > 10 else "") or "none"


def _as_matrix(value: Any, *, path: Path, name: str) -> NDArray[np.float64]:
    """Return the data as a finite matrix of float64, or say what they are instead."""
    if sparse.issparse(value):
        raise DataFileError(
            path, f"holds a sparse matrix, {name}", remedy="Load it with SciPy and pass it on as is"
        )
    array = np.asarray(value)
    if array.dtype.kind not in _NUMBER_KINDS:
        raise DataFileError(
            path, f"holds no numbers in {name} but {array.dtype}", remedy="Save numbers as X"
        )
    if array.ndim != 2 or array.size == 0:
        raise DataFileError(
            path,
            f"holds data of shape {array.shape} in {name}",
            remedy="Save a matrix with one row a sample and one column a feature",
        )
    X = np.ascontiguousarray(array, dtype=np.float64)
    if not np.isfinite(X).all():
        row, column = np.argwhere(~np.isfinite(X))[0]
        raise DataFileError(
            path,
            f"holds {X[row, column]} in row {row + 1}, column {column + 1} of {name}",
            remedy="Fill or drop missing and infinite values",
        )
    return X


def _as_labels(value: Any, *, X: NDArray[np.float64], path: Path) -> NDArray[Any]:
    """Return one label a sample; whole numbers stored as floats become integers."""
    y = np.ravel(value)
    if y.dtype.kind not in _NUMBER_KINDS + "US":
        raise DataFileError(
            path, f"has labels of type {y.dtype}", remedy="Save them as numbers or text"
        )
    if y.size != len(X):
        raise DataFileError(
            path,
            f"has {y.size} labels for {len(X)} samples",
            remedy="Save one label a sample",
        )
    if y.dtype.kind == "f":
        if not np.isfinite(y).all():
            raise DataFileError(path, "has missing labels", remedy="Drop those samples")
        if np.array_equal(y, np.rint(y)):
            return y.astype(np.intp)
    return y
