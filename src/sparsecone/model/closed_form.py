"""Where the exact solvers start: the closed form of lam = 0, shrunk for lam."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from ..data import Rows, Terms, most_vectors
from ..linalg.rounding import TINY, norm
from ..linalg.single import single
from ..linalg.types import Array
from .data_term import Image
from .problem import Point, Problem
from .row_terms import RowLoss

# Rounds of re-weighting before the robust losses start.
ROUNDS = 3
# How far below eta eigenvectors are taken in for them: weights grow as residuals shrink.
REACH = 1.0 / 3.0
# Directions that the last weights leave just below eta stay, with this eigenvalue.
NEARLY = 0.8
SHORT = 1e-3


def closed_form(problem: Problem) -> Point:
    """Return the optimum of the problem as if all features had the same score.

    For the squared loss and lam = 0 that is the optimum itself, `W = V diag(1 - eta/kappa)_+ V'`
    from the eigenpairs of 2S. For the robust loss the same formula holds for given sample weights,
    with the weighted Gram matrix in the place of 2S; a few rounds of re-weighting approach it.
    """
    if problem.samples.trace == 0.0:
        return problem.zero
    if problem.loss.needs_rows:
        in_span = problem.eta > 0.0 and not problem.loss.recenter
        return _reweighted(problem, problem.loss) if in_span else _decomposed(problem)
    spectrum = problem.zero.curvature_spectrum(problem.eta)
    L = _factor(spectrum.vectors, _shrunk(problem, spectrum.values))
    # The image of eigenvectors is known where these are exact.
    error = spectrum.error * norm(L)
    image = Image(L * spectrum.values, error) if np.isfinite(error) else None
    return problem.evaluate(L, image=image)


def leading_factor(problem: Problem) -> Array:
    """Return the factor of the closed form for the weights of the samples at W = 0."""
    spectrum = problem.zero.curvature_spectrum(problem.eta)
    return _factor(spectrum.vectors, _shrunk(problem, spectrum.values))


def leading_ratio(problem: Problem) -> float | None:
    """Return the ratio of `lambda_max` at the closed form for the weights of W = 0, if it has any.

    No product with the samples is needed, as eigenvectors are their own images.
    """
    zero = problem.zero
    spectrum = zero.curvature_spectrum(problem.eta)
    V, weights = spectrum.vectors, _shrunk(problem, spectrum.values)
    if weights.size == 0:
        return None
    explained = float(weights @ (spectrum.values - problem.eta))
    if zero.v is not None and zero.data.h is not None:
        explained -= float(((zero.v @ V) * (zero.data.h @ V)) @ weights)
    return explained / float(np.sqrt(np.einsum("jk,jk,k->j", V, V, weights**2)).sum())


def _decomposed(problem: Problem) -> Point:
    """Start from rounds that decompose the weighted Gram matrix."""
    point = problem.zero
    for _ in range(ROUNDS):
        spectrum = point.curvature_spectrum(problem.eta)
        L = _factor(spectrum.vectors, _shrunk(problem, spectrum.values))
        point = problem.evaluate(L, point.v)
    return point


def _reweighted(problem: Problem, loss: RowLoss) -> Point:
    """Start from rounds within the span of the eigenvectors for the weights at W = 0."""
    samples, zero, eta = problem.samples, problem.zero, problem.eta
    most = max(zero.curvature_spectrum(eta).values.size, most_vectors(samples))
    spectrum = zero.curvature_spectrum(REACH * eta, most=most)
    V, curvatures = spectrum.vectors, spectrum.values
    turn, weights = np.eye(curvatures.size), _shrunk(problem, curvatures)
    known = Coordinates.of(samples, V) if isinstance(samples, Rows) else None
    for _ in range(ROUNDS):
        terms = partial(_gram_terms, loss=loss, V=V, known=known, missing=turn * (1.0 - weights))
        curvatures, turn = np.linalg.eigh(samples.collect(terms).sums[0])
        weights = _shrunk(problem, curvatures)
    kept = curvatures > NEARLY * eta
    return problem.evaluate(_factor(V @ turn[:, kept], np.maximum(weights[kept], SHORT)))


class Coordinates(NamedTuple):
    """X V in single precision beside its largest entry, and the squared lengths of the rest.

    A start is all that comes of it: single precision is enough.
    """

    values: Array
    largest: float
    outside: Array

    @classmethod
    def of(cls, rows: Rows, V: Array) -> Coordinates:
        """Return those of some rows."""
        P = rows.project(V)
        outside = np.maximum(rows.squared_norms - np.einsum("ik,ik->i", P, P), 0.0)
        return cls(*single(P), outside)


def _gram_terms(
    rows: Rows, *, loss: RowLoss, V: Array, known: Coordinates | None, missing: Array
) -> Terms:
    """Return V'X' diag(omega) X V of some rows, with the weights omega at W = V T V'.

    `missing` is I - T up to a rotation from the right, and `known` are the coordinates if they are.
    """
    P, largest, outside = known or Coordinates.of(rows, V)
    rest = P @ missing.astype(np.float32)
    squares = np.einsum("ik,ik->i", rest, rest).astype(np.float64)
    omega = loss.weights(outside + largest**2 * squares)
    most = max(float(omega.max(initial=0.0)), TINY)
    # A product of an array with its own transpose takes half of the time.
    P = P * np.sqrt(omega / most).astype(np.float32)[:, None]
    return Terms((largest * most * largest * (P.T @ P).astype(np.float64),))


def _factor(vectors: Array, weights: Array) -> Array:
    """Return L with W = V diag(weights) V'."""
    return np.asarray(vectors * np.sqrt(weights))


def _shrunk(problem: Problem, curvatures: Array) -> Array:
    """Return the eigenvalues w minimising `kappa (1 - w)^2 / 2 + eta w + lam |w_j|`.

    With equal scores g = sqrt(sum w^2 / d) the last term acts as `lam w^2 / (2 g)`, so that
    w = (kappa - eta) / (kappa + lam / g): a fixed point in g.
    """
    eta, lam, d = problem.eta, problem.lam, problem.samples.n_features
    above = np.maximum(curvatures - eta, 0.0)
    weights = above / np.maximum(curvatures, np.finfo(float).tiny)
    for _ in range(20 if lam > 0.0 else 0):
        score = np.sqrt(float(weights @ weights) / d)
        weights = above / (curvatures + lam / max(score, 1e-8))
    return np.asarray(weights)
