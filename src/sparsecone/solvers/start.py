"""Where the exact solvers start: the closed form of lam = 0."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..problem import Point, Problem

Array = NDArray[Any]

# Rounds of re-weighting before the robust loss starts.
ROUNDS = 3


def closed_form(problem: Problem) -> Point:
    """Return the optimum of the problem without the l2,1 term.

    For the squared loss it is exact: `W = V diag(1 - eta / (2 sigma))_+ V'` from the eigenpairs of
    S. For the robust loss the same formula holds for given sample weights, with the weighted Gram
    matrix in the place of 2 S; a few rounds of re-weighting approach it.
    """
    if problem.samples.trace == 0.0:
        return problem.zero
    if not problem.loss.needs_rows:
        spectrum = problem.samples.leading(0.5 * problem.eta)
        return problem.evaluate(_shrunk(spectrum.vectors, 2.0 * spectrum.values, problem.eta))
    point = problem.zero
    for _ in range(ROUNDS if problem.eta > 0.0 else 1):
        spectrum = problem.samples.leading(problem.eta, point.data.weights)
        L = _shrunk(spectrum.vectors, spectrum.values, problem.eta)
        point = problem.evaluate(L, point.v)
    return point


def _shrunk(vectors: Array, curvatures: Array, eta: float) -> Array:
    return np.asarray(vectors * np.sqrt(1.0 - eta / curvatures))
