"""The best W with the eigenvectors of the data, whose steps cost no more than passes over numbers.

With V the eigenvectors of the weighted samples and W = V diag(f) V', Z = XV and D as before,

    |x_i - W x_i|^2 = sum_k z_ik^2 (1 - f_k)^2,        |w_j|^2 = sum_k v_jk^2 f_k^2,

so that majorise-minimise among these W is f_k = s_k / (s_k + d_k) with s_k = sum_i omega_i z_ik^2
and d_k = sum_j D_j v_jk^2: products of the squares of Z and V with vectors. On most data the
weights that this ends at are those of the optimum but for a per mille, or less, where steps with
all W take half a dozen to arrive. It is a start and no more, so single precision is enough.

Where D is all but a multiple of I the eigenvectors of the optimum are those of the samples with its
weights: there the same is done with the eigenvectors for the weights found, as long as that helps.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..data import Data, Rows
from ..data.products import TILE
from ..linalg.rounding import TINY, norm
from ..linalg.threads import large
from ..linalg.types import Array
from ..model.problem import Problem
from .majorised import smoothing_for

# Entries of Z, or of V, up to which there is such a start.
MOST_ENTRIES = 4e7
# It ends where a step decreases the objective by less than this share of the tolerance.
DECREASE = 0.01
MOST_STEPS = 100
# Eigenvalues below this part of the largest are those of directions that the data do not have.
NEGLIGIBLE = 1e-10
# The score that all features have at first.
FIRST_SCORE = 0.5
# How far the logarithms of the scores may be apart, in their standard deviation, that eigenvectors
# are found again, how often, and by what multiple of the tolerance the objective must fall for the
# next (benchmarks/regimes.py: Isolet standardised takes 4 steps in place of 8, PIE, whose scores
# are 0.26 apart, more with it than without).
ALIKE = 0.07
MOST_TURNS = 3
TURNING = 1.0


class Weights(NamedTuple):
    """Weights of the samples, scores of the features, and the objective that they belong to.

    The shares are the eigenvalues of W, where these were found.
    """

    samples: Array
    scores: Array
    value: float
    shares: Array


class Squares:
    """The squares of a matrix in single precision, as a part of the largest."""

    def __init__(self, matrix: Array) -> None:
        self.scale = max(float(np.abs(matrix).max(initial=0.0)), TINY)
        self.values = np.square((matrix / self.scale).astype(np.float32))

    @classmethod
    def projected(cls, samples: Rows, V: Array, centre: Array) -> Squares:
        """Return those of X V for samples about a centre, some of them at a time."""
        if samples.is_sparse:
            return cls(samples.project(V) - centre @ V)
        found, n = cls(np.zeros((0, V.shape[1]))), samples.n_samples
        found.scale = max(float(np.sqrt(samples.sizes.max())) + norm(centre), TINY)
        found.values = np.empty((n, V.shape[1]), np.float32)
        height, turned = max(1, TILE // samples.n_features), V.astype(np.float32)
        for first in range(0, n, height):
            part = slice(first, min(first + height, n))
            tile = ((samples.dense(part) - centre) / found.scale).astype(np.float32)
            np.square(tile @ turned, out=found.values[part])
        return found

    def rows(self, weights: Array) -> Array:
        """Return the sums along the rows."""
        return self._scaled(self.values, weights)

    def columns(self, weights: Array) -> Array:
        """Return the sums over the columns."""
        return self._scaled(self.values.T, weights)

    def _scaled(self, values: Array, weights: Array) -> Array:
        largest = max(float(weights.max(initial=0.0)), 1e-300)
        # BLAS may look at what lies beside short rows, and raise a flag that means nothing.
        with np.errstate(invalid="ignore"):
            found = values @ (weights / largest).astype(np.float32)
        return (largest * self.scale) * self.scale * found.astype(np.float64)


def has_spectral_start(samples: Data) -> bool:
    """Return whether the samples are at hand, and few enough."""
    n, d = samples.n_samples, samples.n_features
    return isinstance(samples, Rows) and max(n, d) * min(n, d) <= MOST_ENTRIES


def spectral_start(problem: Problem, tol: float) -> Weights:
    """Return the weights of the best W that has the eigenvectors of the weighted samples."""
    samples, zero = problem.samples, problem.zero
    assert isinstance(samples, Rows)
    d = samples.n_features
    centre = np.zeros(d) if zero.v is None else zero.v
    omega = zero.data.weights
    found = best_shares(problem, *_squares(samples, omega, centre), omega, tol)
    for _ in range(MOST_TURNS if samples.n_samples >= d else 0):
        if not float(np.std(np.log(np.maximum(found.scores, TINY)))) <= ALIKE:
            break
        omega = found.samples
        if problem.loss.recenter:
            centre = samples.backproject(omega[:, None])[:, 0] / float(omega.sum())
        parts = _squares(samples, omega, centre, problem.lam / found.scores)
        before, after = found, best_shares(problem, *parts, omega, tol)
        found = min(before, after, key=lambda weights: weights.value)
        if not after.value < before.value * (1.0 - TURNING * tol):
            break
    return found


def best_shares(
    problem: Problem, coordinates: Squares, features: Squares, omega: Array, tol: float
) -> Weights:
    """Return the best W with given eigenvectors.

    Parameters
    ----------
    problem : Problem
        Without a trace term.
    coordinates, features : Squares
        Those of Z and of V.
    omega : ndarray of shape (n_samples,)
        Weights of the samples to begin with.
    tol : float
        The relative gap that is wanted.
    """
    lam, scores = problem.lam, np.full(problem.samples.n_features, FIRST_SCORE)
    value = least = problem.zero.value
    for _ in range(MOST_STEPS):
        s, own = coordinates.columns(omega), features.columns(lam / scores)
        left = own / np.maximum(s + own, 1e-300)
        loss, eps = smoothing_for(problem, tol * value)
        squares = coordinates.rows(left**2)
        omega = loss.weights(squares)
        scores = np.sqrt(features.rows((1.0 - left) ** 2) + eps)
        value = loss.smooth_value(squares) + lam * float(scores.sum())
        if not value < least * (1.0 - DECREASE * tol):
            break
        least = value
    return Weights(omega, scores, value, 1.0 - left)


def _squares(
    samples: Rows, omega: Array, centre: Array, D: Array | float = 0.0
) -> tuple[Squares, Squares]:
    """Return those of Z and of V, for samples about a centre that is their weighted mean.

    D counts where there are no fewer samples than features.
    """
    n, d = samples.n_samples, samples.n_features
    if n >= d:
        gram = samples.weighted_gram(omega)
        gram -= float(omega.sum()) * np.outer(centre, centre)
        gram[np.diag_indices_from(gram)] += D
        with large(float(d) ** 3):
            V = np.linalg.eigh(gram)[1]
        return Squares.projected(samples, V, centre), Squares(V)
    along, root = samples.project(centre[:, None])[:, 0], np.sqrt(omega)
    inner = samples.sample_gram() - np.add.outer(along, along) + centre @ centre
    with large(float(n) ** 3):
        values, U = np.linalg.eigh(root[:, None] * inner * root)
    kept = values > NEGLIGIBLE * values[-1]
    lengths, U = np.sqrt(values[kept]), U[:, kept]
    weighted = root[:, None] * U
    V = samples.backproject(weighted) - np.multiply.outer(centre, weighted.sum(axis=0))
    return Squares(U * lengths / root[:, None]), Squares(V / lengths)
