"""The weight of the l2,1 term from which on W = 0 is optimal.

W = 0 is optimal exactly if no W >= 0 decreases the objective to first order, that is if

    lam >= max over W >= 0 of  (<K, W> - eta tr W) / sum_j |w_j|,

with K minus the gradient of the data term at W = 0 (K = 2S for the squared loss). The ratio is
quasi-concave in W and does not depend on its scale; its maximum is sought over factors. Whatever
factor is found, its ratio is a value of lam below which something is selected.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.optimize
from numpy.typing import NDArray

from .problem import Problem

Array = NDArray[Any]

# Directions the search starts from: W has a low rank there, unless nothing keeps its rank low.
DIRECTIONS = 8
DIRECTIONS_WITHOUT_TRACE = 32
# Smoothing of the column norms, relative to their mean square.
STAGES = (1e-2, 1e-5, 1e-9)
# Relative change at which a search ends: a rough one is within a few percent, from below.
EXACTLY = 2e-9
ROUGHLY = 1e-3


def largest_useful_lam(problem: Problem, change: float = EXACTLY) -> float:
    """Return the largest lam found for which something is selected; not positive if none is."""
    if problem.samples.trace == 0.0:
        return 0.0
    coordinates = _single_feature(problem)
    weights = problem.zero.data.weights
    most = DIRECTIONS if problem.eta > 0.0 else DIRECTIONS_WITHOUT_TRACE
    vectors = problem.samples.leading(0.0, weights, most=most).vectors
    starts = [vectors, np.column_stack([coordinates, 1e-3 * vectors])]
    return max(_ascend(problem, start, change) for start in starts)


def _single_feature(problem: Problem) -> Array:
    """Return the unit vector of the feature with the largest variance."""
    unit = np.zeros((problem.samples.n_features, 1))
    unit[np.argmax(problem.samples.variances)] = 1.0
    return unit


def _ascend(problem: Problem, start: Array, change: float) -> float:
    """Maximise the ratio from a start, with the smoothing lowered in stages."""
    L, best = start, ratio(problem, start, 0.0)[0]
    for smoothing in STAGES:
        eps = smoothing * float(np.mean(squared_scores(L)))
        found = scipy.optimize.minimize(
            lambda flat, eps=eps: _negated(problem, flat.reshape(start.shape), eps),
            L.ravel(),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": 200, "maxcor": 8, "ftol": change},
        )
        L = found.x.reshape(start.shape)
        best = max(best, ratio(problem, L, 0.0)[0])
    return best


def _negated(problem: Problem, L: Array, eps: float) -> tuple[float, Array]:
    value, gradient = ratio(problem, L, eps)
    return -value, -gradient.ravel()


def ratio(problem: Problem, L: Array, eps: float) -> tuple[float, Array]:
    """Return the ratio at W = L L' and its gradient in L."""
    A = L.T @ L
    excess = _descent_product(problem, L) - problem.eta * L
    scores = np.sqrt(squared_scores(L) + max(eps, np.finfo(float).tiny))
    total = float(scores.sum())
    value = float(np.vdot(L, excess)) / total
    scaled = L / scores[:, None]
    gradient = (2.0 * excess - value * (scaled @ A + L @ (L.T @ scaled))) / total
    return value, gradient


def squared_scores(L: Array) -> Array:
    """Return |w_j|^2 of W = L L'."""
    return np.maximum(np.einsum("jk,jk->j", L @ (L.T @ L), L), 0.0)


def _descent_product(problem: Problem, L: Array) -> Array:
    """Return K L."""
    data, v, samples = problem.zero.data, problem.zero.v, problem.samples
    if data.weights is None:
        return 2.0 * samples.gram_product(L)
    product = samples.weighted_product(L, data.weights)
    if v is not None and data.h is not None:
        product -= 0.5 * (np.outer(v, data.h @ L) + np.outer(data.h, v @ L))
    return product
