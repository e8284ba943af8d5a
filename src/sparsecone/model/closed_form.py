"""Where the exact solvers start: the closed form of lam = 0, shrunk for lam."""

from __future__ import annotations

import numpy as np

from ..linalg.types import Array
from .data_term import Image
from .problem import Point, Problem

# Rounds of re-weighting before the robust loss starts.
ROUNDS = 3


def closed_form(problem: Problem) -> Point:
    """Return the optimum of the problem as if all features had the same score.

    For the squared loss and lam = 0 that is the optimum itself, `W = V diag(1 - eta/kappa)_+ V'`
    from the eigenpairs of 2S. For the robust loss the same formula holds for given sample weights,
    with the weighted Gram matrix in the place of 2S; a few rounds of re-weighting approach it.
    """
    point = problem.zero
    if problem.samples.trace == 0.0:
        return point
    for _ in range(ROUNDS if problem.loss.needs_rows else 1):
        spectrum = point.curvature_spectrum(problem.eta)
        L = _shrunk(problem, spectrum.vectors, spectrum.values)
        # The image of eigenvectors is known, for weights that do not change.
        known = not problem.loss.needs_rows and np.isfinite(spectrum.error)
        error = spectrum.error * float(np.linalg.norm(L)) if known else 0.0
        image = Image(L * spectrum.values, error) if known else None
        point = problem.evaluate(L, point.v, image=image)
    return point


def _shrunk(problem: Problem, vectors: Array, curvatures: Array) -> Array:
    """Return the factor with eigenvalues w minimising `kappa (1 - w)^2 / 2 + eta w + lam |w_j|`.

    With equal scores g = sqrt(sum w^2 / d) the last term acts as `lam w^2 / (2 g)`, so that
    w = (kappa - eta) / (kappa + lam / g): a fixed point in g.
    """
    eta, lam, d = problem.eta, problem.lam, problem.samples.n_features
    weights = 1.0 - eta / curvatures
    for _ in range(20 if lam > 0.0 else 0):
        score = np.sqrt(float(weights @ weights) / d)
        weights = (curvatures - eta) / (curvatures + lam / max(score, 1e-8))
    return np.asarray(vectors * np.sqrt(weights))
