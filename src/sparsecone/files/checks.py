"""What the data and the labels of a file must be."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from scipy import sparse

from ..linalg.sparse_format import summed
from ..linalg.types import Array
from .dataset import DataFileError, Dataset, shown

NUMBER_KINDS = "biuf"
# Beyond it whole numbers that differ are the same in double precision.
LARGEST_WHOLE = 2**53
Missing = Literal["error", "drop-rows", "median", "keep"]


def as_matrix(value: Any, *, path: Path, name: str) -> Any:
    """Return the data as a matrix of float64, dense or CSR, or say what they are instead."""
    is_sparse = sparse.issparse(value)
    array = value if is_sparse else np.asarray(value)
    if array.dtype.kind not in NUMBER_KINDS:
        raise DataFileError(
            path, f"holds no numbers in {name} but {array.dtype}", remedy="Save numbers as X"
        )
    if array.ndim != 2 or 0 in array.shape:
        raise DataFileError(
            path,
            f"holds data of shape {array.shape} in {name}",
            remedy="Save a matrix with one row a sample and one column a feature",
        )
    if is_sparse:
        return summed(sparse.csr_matrix(array, dtype=np.float64))
    return np.ascontiguousarray(array, dtype=np.float64)


def as_labels(value: Any, *, n_samples: int, path: Path) -> Array:
    """Return one label a sample; whole numbers stored as floats become integers."""
    y = np.ravel(value)
    if y.dtype.kind not in NUMBER_KINDS + "US":
        raise DataFileError(
            path, f"has labels of type {y.dtype}", remedy="Save them as numbers or text"
        )
    if y.size != n_samples:
        raise DataFileError(
            path, f"has {y.size} labels for {n_samples} samples", remedy="Save one label a sample"
        )
    if y.dtype.kind == "f":
        if not np.isfinite(y).all():
            raise DataFileError(path, "has missing labels", remedy="Drop those samples")
        if np.array_equal(y, np.rint(y)):
            if np.abs(y).max(initial=0.0) > LARGEST_WHOLE:
                raise DataFileError(
                    path,
                    f"has labels beyond {LARGEST_WHOLE}, of which numbers lose the last digits",
                    remedy="Save them as text",
                )
            return y.astype(np.int64)
    return y


def without_gaps(dataset: Dataset, *, path: Path, missing: Missing) -> Dataset:
    """Return the data set with no missing value, by the remedy chosen.

    Infinite values have no remedy: they are an error in any case.
    """
    values = dataset.X.data if sparse.issparse(dataset.X) else dataset.X
    if np.isfinite(values).all():
        return dataset
    if np.isinf(values).any():
        place, value = _first_place(dataset, np.isinf)
        raise DataFileError(
            path, f"holds {value} in {place}", remedy="Replace infinite values in the file"
        )
    if missing == "keep":
        return dataset
    if missing == "drop-rows":
        return _drop_rows(dataset, path=path)
    if missing == "median" and not sparse.issparse(dataset.X):
        return replace(dataset, X=_filled(dataset, path=path))
    place, _ = _first_place(dataset, np.isnan)
    choices = "missing='drop-rows' (--missing drop-rows)"
    if not sparse.issparse(dataset.X):
        choices += " or missing='median' (--missing median)"
    raise DataFileError(
        path, f"has no value in {place}", remedy=f"Fill it in the file, or choose {choices}"
    )


def _first_place(dataset: Dataset, test: Any) -> tuple[str, float]:
    """Return where the first value that passes a test is, in words, and the value."""
    X: Any = dataset.X
    if sparse.issparse(X):
        entry = int(np.argmax(test(X.data)))
        row, column = int(np.searchsorted(X.indptr, entry, side="right")) - 1, int(X.indices[entry])
        value = X.data[entry]
    else:
        row, column = divmod(int(np.argmax(test(X))), X.shape[1])
        value = X[row, column]
    names = dataset.feature_names
    which = f"column {column + 1}" if names is None else f"column {shown(names[column])}"
    return f"{which}, row {row + 1} of its data", float(value)


def _drop_rows(dataset: Dataset, *, path: Path) -> Dataset:
    """Return the samples that have all their values."""
    X: Any = dataset.X
    if sparse.issparse(X):
        gaps = np.isnan(X.data)
        incomplete = np.unique(np.searchsorted(X.indptr, np.flatnonzero(gaps), side="right") - 1)
    else:
        incomplete = np.flatnonzero(np.isnan(X).any(axis=1))
    kept = np.delete(np.arange(X.shape[0]), incomplete)
    if kept.size == 0:
        raise DataFileError(
            path,
            "has a missing value in every row",
            remedy="Choose missing='median' (--missing median), or drop the columns with gaps",
        )
    names = dataset.sample_names
    return replace(
        dataset,
        X=X[kept],
        y=None if dataset.y is None else dataset.y[kept],
        sample_names=None if names is None else tuple(names[row] for row in kept),
    )


def _filled(dataset: Dataset, *, path: Path) -> Array:
    """Return the data with the median of its column in place of each missing value."""
    X = np.array(dataset.X)
    gaps = np.isnan(X)
    for column in np.flatnonzero(gaps.any(axis=0)):
        known = X[~gaps[:, column], column]
        if known.size == 0:
            names = dataset.feature_names
            name = f"column_{column}" if names is None else names[column]
            raise DataFileError(
                path,
                f"has no value at all in column {shown(name)}",
                remedy=f"Leave it out: drop=[{shown(name)}] (--drop)",
            )
        X[gaps[:, column], column] = np.median(known)
    return X
