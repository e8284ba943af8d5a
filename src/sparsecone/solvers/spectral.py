"""A point and a bound of AW-SPCA-PSD where both sides are too large for an equation a step.

One decomposition of the samples' inner products is all that the bound takes
(`sparsecone.certificate.uniform`), and a second one, for better weights, makes it better. The
point is the best W with the eigenvectors of the weighted samples
(`sparsecone.solvers.spectral_start`), which has the rank of the samples. Neither is exact: what
comes next starts from there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..certificate.uniform import Inner, inner_products, uniform_bound
from ..data import Rows
from ..linalg.rounding import TINY
from ..linalg.types import Array
from ..model.problem import Point, Problem
from ..model.valued_point import valued_by_rows
from .iterate import Iterate
from .spectral_start import NEGLIGIBLE, Squares, best_shares, has_spectral_start

# The most samples that are decomposed.
MOST_SAMPLES = 4000
# Rounds that make the multipliers of all samples as long as each other, and scales of all weights.
ROUNDS = 20
SCALES = np.logspace(-3.0, 5.0, 33)
# How much better a larger scale must be.
BETTER = 1.01
# What a factor of that rank takes for each feature, in decompositions for each sample, and what a
# step with it takes, in such factors (log counts of 2638 x 13714).
FACTOR = 0.5
NEXT = 2.0


def is_spectral(problem: Problem) -> bool:
    """Return whether a problem has such a start, of a size that can be decomposed."""
    samples = problem.samples
    if problem.eta > 0.0 or problem.lam == 0.0 or not problem.loss.needs_rows:
        return False
    n, d = samples.n_samples, samples.n_features
    return n <= min(d, MOST_SAMPLES) and has_spectral_start(samples) and samples.trace > 0.0


@dataclass(frozen=True)
class Spectral:
    """The best W with the eigenvectors of the samples, and the bound of equal weights."""

    name: ClassVar[str] = "spectral"
    exact: ClassVar[bool] = True
    max_iter: ClassVar[int] = 2

    def iterate(
        self, problem: Problem, *, tol: float, start: Point | None = None
    ) -> Iterator[Iterate]:
        """Yield a bound, and then a point."""
        del start
        samples = problem.samples
        assert isinstance(samples, Rows)
        n, d = samples.n_samples, samples.n_features
        gram = samples.sample_gram()
        inner = inner_products(problem, problem.zero.data.weights, gram)
        inner = inner_products(problem, _uniform_weights(problem, inner), gram)
        proven = not samples.is_measured
        bound = uniform_bound(problem, inner).value
        yield Iterate(bound=bound, proven=proven, growth=max(1.0, FACTOR * d / n))
        yield Iterate(_point(problem, inner, tol), growth=NEXT)


def _uniform_weights(problem: Problem, inner: Inner) -> Array:
    """Return weights of the samples whose multipliers are as long as each other, for D = lam I.

    Where the samples have far more variance than lam these lengths hardly depend on the scale of
    the weights: it is sought after their ratios.
    """
    coordinates, lam, omega = _coordinates(inner), problem.lam, inner.omega
    for _ in range(ROUNDS):
        left = lam / (coordinates.columns(omega) + lam)
        found = 1.0 / np.sqrt(np.maximum(coordinates.rows(left**2), TINY))
        omega = found * np.exp(np.mean(np.log(omega)) - np.mean(np.log(found)))
    sums, best, scale = coordinates.columns(omega), 0.0, 1.0
    for tried in SCALES:
        left = lam / (tried * sums + lam)
        longest = float((tried * omega * np.sqrt(coordinates.rows(left**2))).max())
        bound = lam * float((1.0 - left).sum()) / max(1.0, longest)
        # Larger weights have larger errors.
        if bound > BETTER * best:
            best, scale = bound, float(tried)
    return scale * omega


def _coordinates(inner: Inner) -> Squares:
    """Return the squares of the samples' coordinates along the eigenvectors."""
    return Squares(inner.vectors * np.sqrt(inner.values) / np.sqrt(inner.omega)[:, None])


def _point(problem: Problem, inner: Inner, tol: float) -> Point:
    """Return the best W among those with the eigenvectors."""
    samples = problem.samples
    assert isinstance(samples, Rows)
    kept = inner.values > NEGLIGIBLE * inner.values.max()
    weighted = np.sqrt(inner.omega)[:, None] * inner.vectors[:, kept]
    V = samples.backproject(weighted)
    V -= np.multiply.outer(inner.mean, weighted.sum(axis=0))
    V /= np.sqrt(inner.values[kept])
    reduced = inner._replace(values=inner.values[kept], vectors=inner.vectors[:, kept])
    found = best_shares(problem, _coordinates(reduced), Squares(V), inner.omega, tol)
    V *= np.sqrt(found.shares)
    v = inner.mean - V @ (V.T @ inner.mean) if problem.loss.recenter else None
    return valued_by_rows(problem, V, v)
