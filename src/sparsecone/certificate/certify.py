"""The dual bound of a point.

At any point `a_i = omega_i (x_i - W x_i - v)` and `b_j = -lam w_j / G_j` satisfy everything but the
matrix inequality. How M is found to exceed eta: `sparsecone.certificate.inequality`; how the dual
point is repaired: `sparsecone.certificate.dual_point`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from ..model.problem import Point
from ..model.row_terms import multiplier_terms
from .damping import Damping
from .dual_point import Bound, Excess, Lengths, Multipliers
from .free_columns import FreeColumns
from .inequality import strategy_for
from .spectral import Strategy
from .widening import Widening

# The part of the objective that the penalties are taken to be at least.
LEAST_SHARE = 1e-3
# Steps of the columns of B that W leaves free, and the gap, in multiples of the tolerance, from
# which on none is followed by another. The first one is: it only prepares the second, which may
# prove much where it is worse than no step (benchmarks/path.py: warppie10p, 16 % less time for 81
# lams). Later ones are as long as those that are left would reach the tolerance at their pace.
ROUNDS = 8
HOPELESS = 100.0
# Times that the multipliers of the samples are shortened.
DAMPINGS = 2


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
    found = _certificate(point, strategy, slacks, tol)
    enough = min(point.value, point.problem.zero.value) * (1.0 - tol)
    is_short = tol > 0.0 and enough > found.bound
    if is_short and isinstance(strategy, Widening) and strategy.widen():
        wider = _certificate(point, strategy, slacks, tol)
        return wider if wider.bound > found.bound else found
    return found


def _certificate(
    point: Point, strategy: Strategy, slacks: Sequence[float], tol: float
) -> Certificate:
    """Return what a strategy proves at a point."""
    margins = [slack * _gap_unit(point) for slack in slacks]
    excess = strategy.excess(point, margins)
    bound = bound_with(point, excess)
    value = min(point.value, point.problem.zero.value)
    least = value * (1.0 - tol)
    if excess.is_rough and least > bound.value:
        excess = strategy.excess(point)
        bound = max(bound, bound_with(point, excess))
    repair = Repair(excess, bound)
    if tol > 0.0 and least > bound.value:
        repair = damped(point, repair, least)
    if tol > 0.0 and strategy.is_cheap and least > repair.bound.value:
        repair = _with_free_columns(point, repair, value, tol)
    # What shorter multipliers take away may be what the factor lacks.
    found = repair.excess if repair.damping is None else excess
    return Certificate(repair.bound.value, repair.bound.scale, found)


class Repair(NamedTuple):
    """What M has above eta, the bound, and the multipliers of the samples that both belong to."""

    excess: Excess
    bound: Bound
    damping: Damping | None = None


def damped(
    point: Point, repair: Repair, enough: float = np.inf, *, rounds: int = DAMPINGS
) -> Repair:
    """Return a better bound from multipliers of the samples that are shorter where M exceeds eta.

    Parameters
    ----------
    point : Point
        Where the multipliers are taken.
    repair : Repair
        Excess and bound with the multipliers as they are.
    enough : float
        The bound that is enough.
    rounds : int
        Times that they are shortened.
    """
    part, room, proven = repair.excess.part, repair.excess.room, repair.excess.proven
    weighs = point.problem.loss.needs_rows
    if part is None or not weighs or point.v is not None or point.problem.eta <= 0.0:
        return repair
    damping: Damping | None = Damping.of(point, part)
    for _ in range(rounds):
        damping = damping.cancelled(repair.excess) if damping is not None else None
        if damping is None or repair.bound.value >= enough:
            break
        excess = replace(damping.part.excess(room), proven=proven)
        bound = bound_with(point, excess, damping=damping)
        if bound <= repair.bound:
            break
        repair = Repair(excess, bound, damping)
    return repair


def _with_free_columns(point: Point, repair: Repair, value: float, tol: float) -> Repair:
    """Return excess and bound after some steps of the columns that W leaves free."""
    excess, bound, damping = repair
    columns = None if excess.part is None else FreeColumns.of(point, excess.part)
    if columns is None:
        return repair
    room, proven = excess.room, excess.proven
    columns, before = columns.cancelled(), np.inf
    for step in range(ROUNDS):
        found = replace(columns.part.excess(room), proven=proven)
        better = bound_with(point, found, columns, damping)
        gap = value - better.value
        if better > bound:
            excess, bound = found, better
        if gap <= tol * value or gap > HOPELESS * tol * value:
            break
        if gap * (gap / before) ** (ROUNDS - 1 - step) > tol * value:
            break
        before = gap
        columns = columns.subtracted(found, inside_first=step == 0)
        columns = columns.subtracted(columns.part.excess(room), inside_first=False)
    return Repair(excess, bound, damping)


def bound_with(
    point: Point,
    excess: Excess,
    columns: FreeColumns | None = None,
    damping: Damping | None = None,
) -> Bound:
    """Return the bound that the multipliers at a point give for an excess.

    Parameters
    ----------
    point : Point
        Where the multipliers are taken.
    excess : Excess
        What M has above eta for them.
    columns : FreeColumns or None
        Columns of B in the place of those at the point.
    damping : Damping or None
        Multipliers of the samples in the place of those at the point.
    """
    lam, scores = point.problem.lam, point.smooth_scores
    squares = point.squared_scores + point.squared_score_errors
    squared_columns = lam**2 * squares / scores**2
    diagonal = -lam * np.einsum("jk,jk->j", point.L, point.L) / scores
    projections = -lam * (point.L @ (point.L.T @ excess.vectors)) / scores[:, None]
    if columns is not None:
        squared_columns = columns.squares(squared_columns)
        diagonal -= columns.diagonal
        projections -= columns.products(excess.vectors)
    inner, inner_rounding = point.data.inner, point.data.inner_rounding
    if damping is not None:
        inner, inner_rounding = inner - damping.lost, inner_rounding + damping.lost_error
    multipliers = Multipliers(
        inner=inner,
        quadratic=point.data.quadratic,
        inner_rounding=inner_rounding,
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
    if not loss.needs_rows:
        return None
    if point.v is None and loss.delta == 0.0:
        return Lengths(samples, None, data.longest)
    mean = None
    if point.v is not None:
        assert data.h is not None
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
