"""How much of all features the selected ones explain, and how many are enough."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from ..data import Data, Rows

Array = NDArray[Any]

# Ridge weights tried, relative to the mean squared singular value of the selected features.
RIDGES = np.geomspace(1e-10, 1e2, 13)
# The share of the variance of the kept components that enough features explain.
ENOUGH = 0.9
# Features among which the number is chosen.
MOST_FEATURES = 500


def explained_variance(samples: Rows, selected: Array) -> float:
    """Return the share of the variance of all features that the selected ones predict.

    Every sample is predicted by a ridge regression of all features on the selected ones over the
    other samples (leave-one-out, in closed form); the ridge is the best of a wide grid.

    Parameters
    ----------
    samples : Rows
        The centred data.
    selected : ndarray of shape (n_selected,)
        Indices of the selected features.

    Returns
    -------
    float
        At most 1, which is best; 0 is as good as the mean.
    """
    n = samples.n_samples
    if samples.trace == 0.0:
        return 1.0
    columns = samples.columns(selected)
    U, singular, _ = scipy.linalg.svd(columns, full_matrices=False, lapack_driver="gesvd")
    U, squares = U[:, singular > 0.0], singular[singular > 0.0] ** 2
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


@dataclass(frozen=True)
class ExplainedCurve:
    """How the variance that the first features explain grows with their number.

    Attributes
    ----------
    n_features : ndarray of shape (n_points,)
        Numbers of features, from 1.
    explained : ndarray of shape (n_points,)
        Share of the total variance that so many first features explain, adjusted for the number
        of samples: 1 - (1 - share) (n - 1) / (n - 1 - number).
    target : float
        What is enough: 90 % of the share that the components kept by W explain.
    chosen : int
        The least number that reaches the target, or the best one where none does.
    """

    n_features: Array
    explained: Array
    target: float
    chosen: int


def explained_curve(samples: Data, order: Array, eta: float) -> ExplainedCurve:
    """Return how much the first features of an order explain, and how many are enough.

    One Cholesky factorisation of the scatter matrix of the features gives all numbers at once.
    """
    most = min(order.size, MOST_FEATURES, max(samples.n_samples - 2, 1))
    order = order[:most]
    T = samples.gram_columns(order)
    block = T[order].copy()
    # Copies of a feature explain nothing more: the little added keeps the factor regular.
    block[np.diag_indices(most)] *= 1.0 + 1e-8
    block[np.diag_indices(most)] += 1e-12 * samples.trace + np.finfo(float).tiny
    root = scipy.linalg.cholesky(block, lower=True)
    gains = np.sum(scipy.linalg.solve_triangular(root, T.T, lower=True) ** 2, axis=1)
    share = np.minimum(np.cumsum(gains) / max(samples.trace, np.finfo(float).tiny), 1.0)
    numbers = np.arange(1, most + 1)
    left = np.maximum(samples.n_samples - 1 - numbers, 1)
    adjusted = 1.0 - (1.0 - share) * (samples.n_samples - 1) / left
    kept = float(samples.leading(0.5 * eta).values.sum()) / max(samples.trace, 1e-300)
    target = ENOUGH * kept
    reached = np.flatnonzero(adjusted >= target)
    chosen = int(numbers[reached[0]] if reached.size else numbers[np.argmax(adjusted)])
    return ExplainedCurve(numbers, adjusted, target, chosen)
