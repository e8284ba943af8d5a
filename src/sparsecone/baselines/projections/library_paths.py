"""Regression paths of several targets as scikit-learn follows them."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import lars_path

from ...linalg.types import Array


def lasso_ends(X: Array, targets: Array, n_nonzero: int) -> tuple[Array, int]:
    """Return the lasso's solutions where its path first has so many features, and the most it had.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The features; centred.
    targets : ndarray of shape (n_samples, n_targets)
        What each path predicts; centred.
    n_nonzero : int
        Features of a solution; a path that ends before ends there.

    Returns
    -------
    coefficients : ndarray of shape (n_features, n_targets)
        The coefficients of each solution.
    n_iter : int
        The largest number of features of a solution.
    """
    ends = [_lasso_end(X, y, n_nonzero) for y in targets.T]
    return np.column_stack(ends), max(int(np.count_nonzero(end)) for end in ends)


def turning_ends(X: Array, targets: Array, n_steps: int) -> tuple[Array, int]:
    """Return the ends of the paths of scikit-learn's `Lars`; arguments as of `lasso_ends`."""
    ends = [_path(X, y, "lar", n_steps)[:, -1] for y in targets.T]
    return np.column_stack(ends), max(int(np.count_nonzero(end)) for end in ends)


def _lasso_end(X: Array, y: Array, n_nonzero: int) -> Array:
    """Follow the path, which also drops features, until it is long enough."""
    n_steps = 0
    while True:
        n_steps = 2 * n_steps or n_nonzero
        path = _path(X, y, "lasso", n_steps)
        counts = np.count_nonzero(path, axis=0)
        if counts.max() >= n_nonzero or path.shape[1] <= n_steps:
            return np.asarray(path[:, np.argmax(counts >= min(n_nonzero, counts.max()))])


def _path(X: Array, y: Array, method: str, n_steps: int) -> Array:
    """Return the coefficients after every step."""
    with warnings.catch_warnings():
        # What is left of a target may be rounding before the last step.
        warnings.simplefilter("ignore", ConvergenceWarning)
        return np.asarray(lars_path(X, y, method=method, max_iter=n_steps)[2])
