"""Least angle regression.

With P_A y the projection of a target y on its chosen features A, the fit f moves towards P_A y by
the fraction g of the way at which another feature is as correlated with the residual as those of A:
the smallest g in (0, 1] with |c_j - g (c_j - e_j)| = (1 - g) C, where c = X'(y - f),
e = X'(y - P_A y) and C = |c_j| on A; 1 / g - 1 is the largest of |e_j| / (C - sign(e_j) c_j). That
feature is chosen next. With orthonormal q_1, .., q_k that span A all of this needs X'q_k alone:
X'P_A y is the sum of (q_i'y) X'q_i.

Where the inner products X'X of all features are cheap a path goes on step by step
(`sparsecone.baselines.projections.feature_path`), otherwise all paths in blocks of steps
(`sparsecone.baselines.projections.sample_paths`).
"""

from __future__ import annotations

import numpy as np

from ...linalg.types import Array
from .feature_path import feature_end
from .sample_paths import Paths

# Numbers that paths may keep side by side.
MOST_NUMBERS = 2**25


def least_angle_ends(X: Array, targets: Array, n_steps: int) -> tuple[Array, int]:
    """Return the ends of least angle regressions, and the number of steps of the longest.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The features; centred.
    targets : ndarray of shape (n_samples, n_targets)
        What each path predicts; centred.
    n_steps : int
        Steps of each path. A feature that the chosen ones explain is not chosen.

    Returns
    -------
    coefficients : ndarray of shape (n_features, n_targets)
        The coefficients at the end of each path.
    n_iter : int
        The largest number of features of a path.
    """
    n_samples, n_features = X.shape
    n_targets = targets.shape[1]
    # Paths that choose fewer features than there are need few rows of X'X.
    if n_features <= min(n_samples, n_steps * n_targets):
        gram, room = X.T @ X, np.empty((n_steps, n_features))
        ends = [feature_end(gram, b, room) for b in targets.T @ X]
    else:
        n_paths = max(1, MOST_NUMBERS // (n_steps * n_samples))
        groups = [targets[:, first : first + n_paths] for first in range(0, n_targets, n_paths)]
        ends = [end for some in groups for end in Paths(X, some, n_steps).ends()]
    return np.column_stack([end for end, _ in ends]), max(n_chosen for _, n_chosen in ends)
