"""How much of the variance of unseen samples the selected features predict."""

from __future__ import annotations

import numpy as np
import scipy.linalg

from ..data import Rows
from ..linalg.threads import one_thread
from ..linalg.types import Array

# Ridge weights tried, relative to the mean squared singular value of the selected features.
RIDGES = np.geomspace(1e-10, 1e2, 13)


@one_thread()
def explained_variance(samples: Rows, selected: Array) -> float:
    """Return the share of the variance of all features that the selected ones predict.

    Every sample is predicted by a ridge regression of all features on the selected ones over the
    other samples (leave-one-out, in closed form); the ridge is the best of a wide grid. The share
    is at most 1, which is best; 0 is as good as the mean.
    """
    n = samples.n_samples
    if samples.trace == 0.0:
        return 1.0
    columns = samples.columns(selected)
    U, singular, _ = scipy.linalg.svd(columns, full_matrices=False, lapack_driver="gesvd")
    # What rounding leaves of constant or repeated features is no direction.
    varies = singular > max(columns.shape) * np.finfo(np.float64).eps * singular.max()
    U, squares = U[:, varies], singular[varies] ** 2
    if squares.size == 0:
        return 0.0
    T = samples.backproject(U)
    along, inner = samples.project(T), T.T @ T
    total = float(samples.squared_norms.sum()) * (n / (n - 1)) ** 2
    errors = []
    for ridge in RIDGES * squares.mean():
        fitted = U * (squares / (squares + ridge))
        residuals = (
            samples.squared_norms
            - 2.0 * np.einsum("ik,ik->i", fitted, along)
            + np.einsum("ik,ik->i", fitted @ inner, fitted)
        )
        left_out = 1.0 - 1.0 / n - np.einsum("ik,ik->i", fitted, U)
        errors.append(float(np.sum(np.maximum(residuals, 0.0) / np.maximum(left_out, 1e-12) ** 2)))
    return 1.0 - min(errors) / total
