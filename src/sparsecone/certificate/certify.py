"""The dual bound of a point.

At any point `a_i = omega_i (x_i - W x_i - v)` and `b_j = -lam w_j / G_j` satisfy everything but the
matrix inequality. How M is found to exceed eta: `sparsecone.certificate.inequality`; how the dual
point is repaired: `sparsecone.certificate.dual_point`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ..model.losses import Squared
from ..model.problem import Point
from ..model.row_terms import multiplier_terms
from .dual_point import Bound, Excess, Lengths, Multipliers
from .free_columns import FreeColumns
from .inequality import strategy_for
from .spectral import Strategy

# The part of the objective that the penalties are taken to be at least.
LEAST_SHARE = 1e-3
# Steps of the columns of B that W leaves free, the part of the gap that one must leave at most to
# be followed by another, and the gap, in multiples of the tolerance, from which on none is.
ROUNDS = 8
HELPS = 0.95
HOPELESS = 100.0


@dataclass(frozen=True)
class Certificate:
    """A lower bound on the optimum, with the directions that would improve the factor.

    Attributes
    ----------
    bound : float
        No PSD matrix has a smaller objective; all rounding is subtracted.
    scale : float
        Common factor of the multipliers that prove it.
    excess : Excess
        Violation of the matrix inequality: adding one of its eigenvectors to the factor decreases
        the objective.
    """

    bound: float
    scale: float
    excess: Excess

    @property
    def proven(self) -> bool:
        """Whether the bound is proven, and not only all but certain."""
        return self.excess.proven


def certify(
    point: Point,
    strategy: Strategy | None = None,
    *,
    slacks: Sequence[float] = (),
    tol: float = 0.0,
) -> Certificate:
    """Return the certificate of a point.

    Parameters
    ----------
    point : Point
        The factor, at which the multipliers are taken.
    strategy : Strategy or None
        How the matrix inequality is treated; None takes an exact way.
    slacks : sequence of float
        Relative gaps up to which the eigenvalues of M above eta need not be known: where a Cholesky
        factorisation proves that they cost about one of these, they are computed only if the
        bound is not enough.
    tol : float
        The relative gap that is enough.
    """
    strategy = strategy_for(point.problem) if strategy is None else strategy
    margins = [slack * _gap_unit(point) for slack in slacks]
    excess = strategy.excess(point, margins)
    bound = bound_with(point, excess)
    value = min(point.value, point.problem.zero.value)
    least = value * (1.0 - tol)
    if excess.is_rough and least > bound.value:
        excess = strategy.excess(point)
        bound = max(bound, bound_with(point, excess))
    if tol > 0.0 and strategy.is_cheap and least > bound.value:
        excess, bound = _with_free_columns(point, excess, bound, value, tol)
    return Certificate(bound.value, bound.scale, excess)


def _with_free_columns(
    point: Point, excess: Excess, bound: Bound, value: float, tol: float
) -> tuple[Excess, Bound]:
    """Return excess and bound after some steps of the columns that W leaves free."""
    columns = None if excess.part is None else FreeColumns.of(point, excess.part)
    for _ in range(ROUNDS if columns is not None else 0):
        assert columns is not None
        columns = columns.cancelled()
        found = replace(columns.part.excess(excess.room), proven=excess.proven)
        better = bound_with(point, found, columns)
        gap, before = value - better.value, value - bound.value
        if better > bound:
            excess, bound = found, better
        if gap <= tol * value or gap > HELPS * before or gap > HOPELESS * tol * value:
            break
        columns = columns.subtracted(found.values, found.vectors)
    return excess, bound


def bound_with(point: Point, excess: Excess, columns: FreeColumns | None = None) -> Bound:
    """Return the bound that the multipliers at a point give for an excess.

    Parameters
    ----------
    point : Point
        Where the multipliers are taken.
    excess : Excess
        What M has above eta for them.
    columns : FreeColumns or None
        Columns of B in the place of those at the point.
    """
    lam, scores = point.problem.lam, point.smooth_scores
    squares = point.squared_scores + point.squared_score_errors
    squared_columns = lam**2 * squares / scores**2
    diagonal = -lam * np.einsum("jk,jk->j", point.L, point.L) / scores
    projections = -lam * (point.L @ (point.L.T @ excess.vectors)) / scores[:, None]
    if columns is not None:
        squared_columns = columns.squares(squared_columns)
        diagonal -= np.einsum("jk,jk->j", columns.rows, columns.part.basis)
        projections -= columns.rows @ (columns.part.basis.T @ excess.vectors)
    multipliers = Multipliers(
        inner=point.data.inner,
        quadratic=point.data.quadratic,
        inner_rounding=point.data.inner_rounding,
        quadratic_rounding=point.data.rounding,
        lengths=multiplier_lengths(point),
        squared_columns=squared_columns,
        diagonal=diagonal,
        projections=projections,
    )
    return multipliers.bound(point.problem, excess, point.value + point.rounding)


def multiplier_lengths(point: Point) -> Lengths | None:
    """Return the lengths of the multipliers at a point, where the loss bounds them."""
    samples, data = point.problem.samples, point.data
    loss = point.problem.loss
    if isinstance(loss, Squared):
        return None
    if point.v is None and loss.delta == 0.0:
        return Lengths(samples, None, data.longest)
    mean = None
    if point.v is not None and data.h is not None:
        total = data.h - point.L @ data.projected_weights - data.total_weight * point.v
        mean = total / samples.n_samples
    terms = partial(multiplier_terms, L=point.L, v=point.v, mean=mean)
    found = samples.collect(terms, data.weights)
    return Lengths(samples, found.rowwise[0], found.largest)


def _gap_unit(point: Point) -> float:
    """Return how far M may exceed eta for a relative gap of one, to first order."""
    penalty = point.value - point.data.value
    share = max(penalty / point.value, LEAST_SHARE) if point.value > 0.0 else 1.0
    return max(point.problem.eta, point.problem.lam) / share
