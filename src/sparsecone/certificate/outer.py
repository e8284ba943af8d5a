"""M outside of the span of a factor, where neither side of X is small.

There M is Z = (I - QQ') X' diag(omega) X (I - QQ'), whose largest eigenvalue is that of

    N = diag(omega)^1/2 (X X' - X Q Q' X') diag(omega)^1/2,

too. Up to some thousands of features, or samples, a Cholesky factorisation of the smaller one
proves how large it is. Beyond that a randomised bound stands, with a stated probability.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg.blas import dsyr2k, dsyrk

from ..data import Rows
from ..linalg.eigen import STEPS, is_below, randomised_largest
from ..linalg.rounding import cholesky_error, sum_error
from ..linalg.types import Array
from ..model.problem import Point
from .dual_point import Excess
from .matrix import low_rank_part, matrix_rounding, matrix_size
from .span import SpanPart

# Up to this many features, or samples, a Cholesky factorisation proves the largest eigenvalue.
LARGEST_PROVEN = 4000
# Steps towards the largest eigenvalue where a factorisation proves it.
GUESSING = 60
# How far above the largest Ritz value the proof is tried, as a part of eta, besides halfway to eta.
MARGINS = (1e-5, 1e-4, 1e-3, 1e-2)


@dataclass(frozen=True)
class Outer:
    """The span of the factor by itself, and a bound on all that is outside of it."""

    is_cheap = False
    n_vectors = 0

    def excess(self, point: Point, margins: Sequence[float] = ()) -> Excess:
        """Return what exceeds eta in the span of the factor, and the largest outside of it."""
        del margins
        eta, span = point.problem.eta, SpanPart.of(point, offset=True)
        left, right = low_rank_part(point)
        rounding = matrix_rounding(point, left, right) + span.outside
        rounding += sum_error(len(left)) * matrix_size(point, left, right)

        def product(x: Array) -> Array:
            image = point.curvature_product(_without(span.basis, x[:, None]))
            return _without(span.basis, image)[:, 0]

        # Where the bound is proven by other means the value is a guess.
        most = GUESSING if _is_provable(point) else STEPS
        found = randomised_largest(product, len(left), eta, most)
        level, proven = self._proven(point, span, found.value, found.bound)
        level += rounding
        if not np.isfinite(level):
            return Excess(np.zeros(0), np.zeros((len(left), 0)), np.inf)
        room = max(eta - level, span.mixing)
        inside = span.excess(room)
        more = max(level + room - eta, 0.0)
        proven = proven and not point.problem.samples.is_measured
        if more == 0.0:
            return Excess(inside.values, inside.vectors, inside.rest, proven)
        # The direction that comes nearest to eta, or above it, is told for the factor to grow by.
        values = np.append(max(found.value - eta, 0.0), inside.values)
        vectors = np.column_stack([found.vector, inside.vectors])
        return Excess(values, vectors, more + inside.rest, proven)

    def _proven(
        self, point: Point, span: SpanPart, value: float, bound: float
    ) -> tuple[float, bool]:
        """Return a level that the eigenvalues do not exceed, and whether that is proven."""
        matrix = _smaller_side(point, span)
        if matrix is None:
            return bound, False
        eta, size = point.problem.eta, len(matrix)
        diagonal = float(np.abs(np.diag(matrix)).sum())
        levels = {value + margin * eta for margin in MARGINS} | {0.5 * (value + eta)}
        for level in sorted(level for level in levels if value < level < bound):
            if is_below(matrix, level):
                return level + cholesky_error(size, size * level + diagonal), True
        return bound, False


def _without(basis: Array, x: Array) -> Array:
    """Return what is left of x outside of a span."""
    return np.asarray(x - basis @ (basis.T @ x))


def _is_provable(point: Point) -> bool:
    """Return whether a side of X is small enough for a Cholesky factorisation."""
    samples = point.problem.samples
    n, d = samples.n_samples, samples.n_features
    return d <= min(n, LARGEST_PROVEN) or (n <= LARGEST_PROVEN and isinstance(samples, Rows))


def _smaller_side(point: Point, span: SpanPart) -> Array | None:
    """Return the matrix of either side whose largest eigenvalue is sought, if it is small.

    Its lower triangle counts.
    """
    samples, weights, basis = point.problem.samples, point.data.weights, span.basis
    n, d = samples.n_samples, samples.n_features
    if d <= min(n, LARGEST_PROVEN):
        matrix = point.curvature_matrix()
        image = matrix @ basis
        image -= 0.5 * basis @ (basis.T @ image)
        # The transpose of a symmetric matrix is itself, in the order that BLAS expects.
        lower = dsyr2k(-1.0, image, basis, beta=1.0, c=matrix.T, lower=1, overwrite_c=1)
        return np.asarray(lower)
    if n <= LARGEST_PROVEN and isinstance(samples, Rows):
        roots = np.sqrt(np.full(n, 2.0) if weights is None else weights)
        projected = roots[:, None] * samples.project(basis)
        inner = samples.sample_gram_matrix * roots
        inner *= roots[:, None]
        lower = dsyrk(-1.0, projected, beta=1.0, c=inner.T, lower=1, overwrite_c=1)
        return np.asarray(lower)
    return None
