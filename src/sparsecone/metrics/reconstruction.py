"""How well the selected features rebuild all features."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse

from ..linalg.checked import checked_array
from .selection import check_selection


def reconstruction_error(
    X: ArrayLike, selected: ArrayLike, *, X_test: ArrayLike | None = None
) -> float:
    """Share of the variance that the selected features cannot explain.

    With X centred and X_h its selected columns, min_B ||X - X_h B||_F^2 / ||X||_F^2. B is the
    least-squares solution of smallest norm, so repeated or constant columns do no harm.

    Parameters
    ----------
    X : array-like or SciPy sparse matrix of shape (n_samples, n_features)
        The data on which B is found; only the selected columns of sparse data are made dense.
    selected : array-like of shape (n_selected,)
        Indices of the selected features.
    X_test : array-like of shape (n_test, n_features), default=None
        Held-out data on which the error is measured, centred by the means of `X`. None measures
        it on `X` itself, as sparse data need.

    Returns
    -------
    float
        Relative error, 0 is best. In [0, 1] on `X`; it may exceed 1 on held-out data. Data that
        do not vary leave nothing to explain and give 0.

    Examples
    --------
    >>> X = [[0.0, 0.0, 1.0], [1.0, 2.0, -1.0], [2.0, 4.0, 1.0], [3.0, 6.0, -1.0]]
    >>> round(reconstruction_error(X, [0, 2]), 4)
    0.0
    >>> round(reconstruction_error(X, [0]), 4)
    0.1103
    """
    train = checked_array(X, dtype=np.float64, accept_sparse="csr" if X_test is None else False)
    chosen = check_selection(selected, n_features=train.shape[1])
    if issparse(train):
        return _unexplained(train, chosen)
    mean = train.mean(axis=0)
    centred = train - mean
    coefficients = np.linalg.lstsq(centred[:, chosen], centred, rcond=None)[0]
    if X_test is not None:
        test = checked_array(X_test, dtype=np.float64)
        if test.shape[1] != train.shape[1]:
            raise ValueError(
                f"X_test has {test.shape[1]} features, but X has {train.shape[1]}: give both the "
                "same columns."
            )
        centred = test - mean
    total = np.linalg.norm(centred)
    if total == 0.0:
        return 0.0
    residual = centred - centred[:, chosen] @ coefficients
    return float((np.linalg.norm(residual) / total) ** 2)


def _unexplained(X: Any, chosen: NDArray[np.intp]) -> float:
    """Return the error of sparse data: what lies outside the span of their selected columns.

    An orthonormal basis Q of that span is orthogonal to constants, so that Q'X needs no centring.
    """
    total = X.power(2).sum() - X.shape[0] * np.square(X.mean(axis=0)).sum()
    columns = X[:, chosen].toarray()
    basis, sizes, _ = np.linalg.svd(columns - columns.mean(axis=0), full_matrices=False)
    basis = basis[:, sizes > sizes[0] * max(columns.shape) * np.finfo(float).eps]
    if total <= 0.0:
        return 0.0
    return float(np.clip(1.0 - np.square(X.T @ basis).sum() / total, 0.0, 1.0))
