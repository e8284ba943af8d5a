"""How much the selected features repeat one another."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_array

from sparsecone.metrics.selection import check_selection


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
    data = check_array(X, dtype=np.float64)
    chosen = check_selection(selected, n_features=data.shape[1])
    if chosen.size == 1:
        return 0.0
    unit = _unit_columns(data[:, chosen])
    correlation = np.clip(np.abs(unit.T @ unit), 0.0, 1.0)
    off_diagonal = correlation.sum() - np.trace(correlation)
    return float(off_diagonal / (chosen.size * (chosen.size - 1)))


def _unit_columns(X: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the columns centred and scaled to unit norm, constant ones as zero."""
    # Scaled to a range of one first, so that neither a tiny nor a huge column loses its norm.
    spread = np.ptp(X, axis=0)
    varies = spread > 0.0
    scaled = np.zeros_like(X)
    scaled[:, varies] = (X[:, varies] - X[:, varies].min(axis=0)) / spread[varies]
    scaled -= scaled.mean(axis=0)
    scaled[:, varies] /= np.linalg.norm(scaled[:, varies], axis=0)
    return scaled
