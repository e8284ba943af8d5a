"""Least angle regression.

With P_A y the projection of a target y on its chosen features A, the fit f moves towards P_A y by
the fraction g of the way at which another feature is as correlated with the residual as those of A:
the smallest g in (0, 1] with |c_j - g (c_j - e_j)| = (1 - g) C, where c = X'(y - f),
e = X'(y - P_A y) and C = |c_j| on A; 1 / g - 1 is the largest of |e_j| / (C - sign(e_j) c_j). That
feature is chosen next. With orthonormal q_1, .., q_k that span A all of this needs X'q_k alone:
X'P_A y is the sum of (q_i'y) X'q_i.

Where the inner products X'X of all features are cheap and the X'q of a path stay in the cache, a
path goes on step by step (`sparsecone.baselines.projections.feature_path`); otherwise paths go on
side by side in blocks of steps (`sparsecone.baselines.projections.paths`), by X'q or by q.
"""

from __future__ import annotations

import numpy as np

from ...linalg.types import Array
from .feature_path import feature_end
from .feature_vectors import FeatureVectors
from .paths import Paths
from .sample_vectors import SampleVectors

# Paths side by side, and the numbers that they may keep. The blocks of all end where the first of
# them is wrong: 53 targets of PIE take twice as long together as in groups of 5 to 12.
MOST_PATHS, MOST_NUMBERS = 12, 2**25
# Numbers X'q of a path up to which it goes on step by step: with 617 features of Isolet and 308
# steps that takes three quarters of the time, with 1000 of five blobs and 500 steps a fifth more.
STEP_BY_STEP = 350_000


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
    by_features = n_features <= min(n_samples, n_steps * n_targets)
    gram, b = X.T @ X if by_features else None, targets.T @ X
    if gram is not None and n_steps * n_features <= STEP_BY_STEP:
        room = np.empty((n_steps, n_features))
        ends = [feature_end(gram, one, room) for one in b]
    else:
        ends = _side_by_side(X, gram, b, n_steps)
    return np.column_stack([end for end, _ in ends]), max(n_chosen for _, n_chosen in ends)


def _side_by_side(X: Array, gram: Array | None, b: Array, n_steps: int) -> list[tuple[Array, int]]:
    """Return the ends of paths in groups of as many as go on well together."""
    most = MOST_NUMBERS // (n_steps * (len(X) if gram is None else len(gram)))
    n_groups = -(-len(b) // max(1, min(MOST_PATHS, most)))
    ends: list[tuple[Array, int]] = []
    for some in np.array_split(b, n_groups):
        vectors = (
            SampleVectors(X, len(some), n_steps)
            if gram is None
            else FeatureVectors(gram, len(some), n_steps)
        )
        ends += Paths(vectors, some, n_steps).ends()
    return ends
