"""The weight of the l2,1 term from which on W = 0 is optimal.

W = 0 is optimal exactly if no W >= 0 decreases the objective to first order, that is if

    lam >= max over W >= 0 of  (<K, W> - eta tr W) / sum_j |w_j|,

with K minus the gradient of the data term at W = 0 (K = 2S for the squared loss). The ratio is
quasi-concave in W and does not depend on its scale; its maximum is sought over factors. Whatever
factor is found, its ratio is a value of lam below which something is selected. How it is found:
`sparsecone.solvers.largest_lam`.
"""

from __future__ import annotations

import numpy as np

from ..linalg.quasi_newton import minimise
from ..linalg.types import Array
from .problem import Problem, squared_scores

# Directions the search starts from, where nothing keeps the rank low.
DIRECTIONS = 32
# Smoothing of the column norms, relative to their mean square.
STAGES = (1e-2, 1e-5, 1e-9)


def ascended(problem: Problem, change: float) -> float:
    """Return the largest ratio that a quasi-Newton method finds, of steps down to a change."""
    vectors = problem.zero.curvature_spectrum(0.0, most=DIRECTIONS).vectors
    starts = [vectors, np.column_stack([single_feature(problem), 1e-3 * vectors])]
    return max(_ascend(problem, start, change) for start in starts)


def single_feature(problem: Problem) -> Array:
    """Return the unit vector of the feature with the largest variance."""
    unit = np.zeros((problem.samples.n_features, 1))
    unit[np.argmax(problem.samples.variances)] = 1.0
    return unit


def _ascend(problem: Problem, start: Array, change: float) -> float:
    """Maximise the ratio from a start, with the smoothing lowered in stages."""
    L, best = start, ratio(problem, start)[0]
    for smoothing in STAGES:
        eps = smoothing * float(np.mean(squared_scores(L, L.T @ L)))

        def negated(flat: Array, eps: float = eps) -> tuple[float, Array]:
            value, gradient = ratio(problem, flat.reshape(start.shape), eps)
            return -value, -gradient.ravel()

        L = minimise(negated, L.ravel(), decrease=change, steps=200, pairs=8).reshape(start.shape)
        best = max(best, ratio(problem, L)[0])
    return best


def ratio(
    problem: Problem, L: Array, eps: float = 0.0, *, image: Array | None = None
) -> tuple[float, Array]:
    """Return the ratio at W = L L' and its gradient in L.

    Parameters
    ----------
    problem : Problem
        Samples, loss and eta.
    L : ndarray of shape (n_features, rank)
        The factor.
    eps : float
        Smoothing of the column norms.
    image : ndarray of shape (n_features, rank) or None
        K L, where it is known.
    """
    A = L.T @ L
    excess = (_descent_product(problem, L) if image is None else image) - problem.eta * L
    scores = np.sqrt(squared_scores(L, A) + max(eps, np.finfo(float).tiny))
    total = float(scores.sum())
    value = float(np.vdot(L, excess)) / total
    scaled = L / scores[:, None]
    gradient = (2.0 * excess - value * (scaled @ A + L @ (L.T @ scaled))) / total
    return value, gradient


def _descent_product(problem: Problem, L: Array) -> Array:
    """Return K L."""
    zero = problem.zero
    product = zero.curvature_product(L)
    h, v = zero.data.h, zero.v
    if v is not None and h is not None:
        product -= 0.5 * (np.outer(v, h @ L) + np.outer(h, v @ L))
    return product
