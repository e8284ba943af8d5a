"""Bringing features to one scale."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from scipy import sparse
from sklearn.preprocessing import minmax_scale, scale
from sklearn.utils.sparsefuncs import mean_variance_axis, min_max_axis

Scaling = Literal["none", "minmax", "standard"]


def scaled(X: Any, how: Scaling) -> Any:
    """Return data with every feature on one scale.

    Parameters
    ----------
    X : ndarray or CSR matrix of shape (n_samples, n_features)
        The data.
    how : {"none", "minmax", "standard"}
        "minmax" makes every range 1, "standard" every standard deviation 1, and dense features
        start at 0 or have mean 0. Sparse features are not shifted, so that they stay sparse: the
        models centre them anyway. Constant features stay constant.

    Examples
    --------
    >>> scaled(np.array([[1.0, 4.0], [3.0, 4.0]]), "minmax").tolist()
    [[0.0, 0.0], [1.0, 0.0]]
    """
    if how == "none":
        return X
    if not sparse.issparse(X):
        return minmax_scale(X) if how == "minmax" else scale(X)
    if how == "minmax":
        lowest, highest = min_max_axis(X, axis=0)
        sizes = highest - lowest
    else:
        sizes = np.sqrt(mean_variance_axis(X, axis=0)[1])
    return sparse.csr_matrix(X @ sparse.diags(1.0 / np.where(sizes > 0.0, sizes, 1.0)))
