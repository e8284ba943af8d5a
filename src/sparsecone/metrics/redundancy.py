"""How much the selected features repeat one another."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike

from ..linalg.checked import checked_array
from ..linalg.types import Array
from .selection import check_selection


def redundancy(X: ArrayLike, selected: ArrayLike) -> float:
    """Mean absolute correlation among the pairs of selected features.

    For h selected features, sum_{i != j} |corr(f_i, f_j)| / (h (h - 1)). A constant feature has
    correlation 0 with every other; a single feature repeats nothing and has redundancy 0.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The data.
    selected : array-like of shape (n_selected,)
        Indices of the selected features.

    Returns
    -------
    float
        Redundancy in [0, 1], smaller is better.

    Examples
    --------
    >>> round(redundancy([[0, 0, 1], [1, -2, 1], [2, -4, 1]], [0, 1]), 4)
    1.0
    >>> round(redundancy([[0, 0, 1], [1, -2, 1], [2, -4, 1]], [0, 1, 2]), 4)
    0.3333
    """
    data = checked_array(X, dtype=np.float64)
    chosen = check_selection(selected, n_features=data.shape[1])
    return mean_absolute_correlation(correlations(data[:, chosen]))


def mean_absolute_correlation(matrix: Array) -> float:
    """Return the mean of the absolute entries off the diagonal; 0 for a single feature."""
    size = len(matrix)
    if size == 1:
        return 0.0
    absolute = np.abs(matrix)
    return float((absolute.sum() - np.trace(absolute)) / (size * (size - 1)))


def correlations(X: Any) -> Array:
    """Return the correlation matrix of the columns of an array or a SciPy sparse matrix.

    A constant column has correlation 0 with every other, and 1 with itself.

    Examples
    --------
    >>> correlations(np.array([[0.0, 0.0, 1.0], [1.0, -2.0, 1.0]])).round(4).tolist()
    [[1.0, -1.0, 0.0], [-1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    if sp.issparse(X):
        matrix = _sparse_correlations(X)
    else:
        unit = _unit_columns(X)
        matrix = unit.T @ unit
    np.fill_diagonal(matrix, 1.0)
    return np.clip(matrix, -1.0, 1.0)


def _sparse_correlations(X: Any) -> Array:
    """Return the correlations from the products of the columns, which are never made dense."""
    largest = np.asarray(abs(X).max(axis=0).todense()).ravel()
    scaled = X @ sp.diags_array(1.0 / np.where(largest > 0.0, largest, 1.0))
    n_samples = X.shape[0]
    total = np.asarray(scaled.sum(axis=0)).ravel()
    gram = (scaled.T @ scaled).toarray()
    covariance = gram - np.multiply.outer(total, total) / n_samples
    # What is left of a constant column by rounding is no variance.
    variances = np.diagonal(covariance)
    varies = variances > 1e-12 * np.diagonal(gram)
    scale = np.where(varies, 1.0 / np.sqrt(np.where(varies, variances, 1.0)), 0.0)
    return np.asarray(scale[:, np.newaxis] * covariance * scale)


def _unit_columns(X: Array) -> Array:
    """Return the columns centred and scaled to unit norm, constant ones as zero."""
    # Scaled to a range of one first, so that neither a tiny nor a huge column loses its norm.
    spread = np.ptp(X, axis=0)
    varies = spread > 0.0
    scaled = np.zeros_like(X)
    scaled[:, varies] = (X[:, varies] - X[:, varies].min(axis=0)) / spread[varies]
    scaled -= scaled.mean(axis=0)
    scaled[:, varies] /= np.linalg.norm(scaled[:, varies], axis=0)
    return scaled
