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

from ..data import Rows
from ..linalg.eigen import is_below, randomised_largest
from ..linalg.rounding import cholesky_error, sum_error
from ..linalg.types import Array
from ..model.problem import Point
from .dual_point import Excess
from .span import SpanPart, low_rank_part, matrix_rounding, matrix_size

# Up to this many features, or samples, a Cholesky factorisation proves the largest eigenvalue.
LARGEST_PROVEN = 4000
# Where between the largest Ritz value and eta the proof is tried first.
LEVELS = (0.5, 0.9)


@dataclass(frozen=True)
class Outer:
    """The span of the factor by itself, and a bound on all that is outside of it."""

    is_cheap = False

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

        found = randomised_largest(product, len(left), eta)
        level, proven = found.bound, False
        if found.value < eta:
            level, proven = self._proven(point, span, found.value, found.bound)
        level += rounding
        if not np.isfinite(level):
            return Excess(np.zeros(0), np.zeros((len(left), 0)), np.inf)
        room = max(eta - level, span.mixing)
        inside = span.excess(room)
        rest = max(level + room - eta, 0.0) + inside.rest
        proven = proven and not point.problem.samples.is_measured
        if found.value <= eta:
            return Excess(inside.values, inside.vectors, rest, proven)
        # The direction that exceeds eta most is told, for the factor to grow by.
        values = np.append(found.value - eta, inside.values)
        return Excess(values, np.column_stack([found.vector, inside.vectors]), rest, proven)

    def _proven(
        self, point: Point, span: SpanPart, value: float, bound: float
    ) -> tuple[float, bool]:
        """Return a level that the eigenvalues do not exceed, and whether that is proven."""
        matrix, off = _smaller_side(point, span)
        if matrix is None:
            return bound, False
        eta, size = point.problem.eta, len(matrix)
        diagonal = float(np.abs(np.diag(matrix)).sum())
        for share in LEVELS:
            level = value + share * (eta - value)
            if is_below(matrix, level):
                return level + off + cholesky_error(size, size * level + diagonal), True
        return bound, False


def _without(basis: Array, x: Array) -> Array:
    """Return what is left of x outside of a span."""
    return np.asarray(x - basis @ (basis.T @ x))


def _smaller_side(point: Point, span: SpanPart) -> tuple[Array | None, float]:
    """Return the matrix of either side whose largest eigenvalue is sought, if it is small.

    Also how far it may be off on account of sums in single precision.
    """
    samples, weights, basis = point.problem.samples, point.data.weights, span.basis
    n, d = samples.n_samples, samples.n_features
    if d <= min(n, LARGEST_PROVEN):
        matrix = point.curvature_matrix()
        image = matrix @ basis
        inside = basis.T @ image
        mixed = image @ basis.T
        return np.asarray(matrix - mixed - mixed.T + basis @ inside @ basis.T), 0.0
    if n <= LARGEST_PROVEN and isinstance(samples, Rows):
        roots = np.sqrt(np.full(n, 2.0) if weights is None else weights)
        projected = roots[:, None] * samples.project(basis)
        inner, measured = samples.sample_gram_matrix
        inner = roots[:, None] * inner * roots
        return np.asarray(inner - projected @ projected.T), measured * float(roots.max()) ** 2
    return None, 0.0
