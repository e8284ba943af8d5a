"""The exact optimum in low-rank form: quasi-Newton descent on L, W = L L', with growing rank.

A few steps turn the span of the factor, or one step of all its rows where a bound is cheap
(`sparsecone.solvers.row_step`); for the squared loss the best W within the span is then found
without another product with the data (`sparsecone.solvers.span`). The column norms, and the
residual norms of the robust losses, are smoothed by what the tolerance allows. At the smoothed
optimum the multipliers of the smoothed norms are dual feasible, so the same point yields the bound:
see `sparsecone.certificate`. Where the certificate finds a direction that would still decrease the
objective, the factor grows by it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import ClassVar

import numpy as np

from ..certificate import Certificate, certify, relative_gap, strategy_for
from ..certificate.mixture import Proof
from ..linalg.basis import whitening
from ..model.closed_form import closed_form
from ..model.problem import Point, Problem
from .descent import Descent, Expected
from .iterate import Iterate
from .row_step import VANISHING

# Smoothing of the first stages, relative to the mean squared score, and the relative decrease of
# the objective below which each of them ends.
STAGES = ((1e-2, 1e-4), (1e-6, 1e-5))
# The shares of the tolerance that the last smoothing may cost, and the eigenvalues above eta.
SMOOTHING_SHARE = 0.1
ALLOWED_SHARE = 0.5
# Steps that turn the span before the best W within it is sought.
TURNS = 3
# Steps of all rows in a row that do not halve the expected gap before there are no more of them.
PATIENCE = 2
# Steps after which a bound is computed in any case.
LONGEST_UNCHECKED = 40
# The decrease of the objective, in multiples of the tolerance, from which a cheap bound is
# computed.
SETTLED = 0.1
# The expected gap, in multiples of the tolerance, from which a cheap bound is computed.
LIKELY = 4.0
# The gap, in multiples of the tolerance, from which features are taken out of the factor.
PRUNED_FROM = 2.0
# The share of the tolerance that this may cost.
PRUNING_SHARE = 1e-3
# How often the step by which the factor grows is shortened, and by which factor.
LONGEST_SEARCH = 4
SHORTER = 0.1
# The factor by which the smoothing of residuals shrinks at once, at most.
MOST_TIGHTENED = 1e-2


@dataclass(frozen=True)
class Factored:
    """Low-rank quasi-Newton solver.

    Parameters
    ----------
    memory : int
        Pairs kept by the quasi-Newton method; fewer where they are very large.
    stages : tuple of (float, float)
        Smoothing of the first stages of the robust losses and the decrease at which each ends; none
        where the start is close to the optimum.
    """

    memory: int = 10
    stages: tuple[tuple[float, float], ...] = STAGES
    name: ClassVar[str] = "factored"
    exact: ClassVar[bool] = True
    max_iter: ClassVar[int] = 3000

    def iterate(
        self, problem: Problem, *, tol: float, start: Point | None = None
    ) -> Iterator[Iterate]:
        """Yield one iterate a quasi-Newton step, with a bound when it may be good enough."""
        point = closed_form(problem) if start is None else start
        closed = problem.lam == 0.0 or point.L.shape[1] == 0
        if closed:
            strategy = strategy_for(problem, tol=tol)
            yield certified(point, certify(point, strategy, slacks=(tol,), tol=tol), tol)
        else:
            yield Iterate(point)
        if point.L.shape[1] == 0 or problem.lam == problem.eta == 0.0:
            return
        mean = float(point.squared_scores.mean())
        staged = problem.lam > 0.0 and problem.loss.needs_rows
        for smoothing, decrease in self.stages if staged else ():
            descent = Descent(problem, point, smoothing * mean, self.memory)
            for _ in descent.until(decrease):
                yield Iterate(descent.point)
            point = descent.point
        yield from Closing(point, tol, self.memory).iterates()


class Phase(Enum):
    """What turns the span of the factor."""

    ROW_STEPS = "all rows at once"
    QUASI_NEWTON = "quasi-Newton steps"
    DONE = "nothing is left to try"


class Closing:
    """Descent at the last smoothing, until the driver has seen the bound it wants.

    Every round finds the best W within the span, computes a bound where it is due, and turns the
    span: by steps of all rows as long as these help, then by quasi-Newton steps. A bound is due
    when it should be good enough, when no step decreases the objective, or after a while.

    Parameters
    ----------
    point : Point
        Where to start.
    tol : float
        The relative gap that is wanted.
    memory : int
        Pairs of the quasi-Newton method.
    """

    def __init__(self, point: Point, tol: float, memory: int) -> None:
        self.tol, self.memory = tol, memory
        self.strategy = strategy_for(point.problem, tol=tol)
        self.descent = Descent(point.problem, point, last_smoothing(point, tol), memory)
        self.allowed = ALLOWED_SHARE * tol
        self.unchecked, self.moved = 0, True
        self.before, self.settled = np.inf, False
        self.idle, self.best_gap = 0, np.inf
        by_rows = point.problem.lam > 0.0 and self.strategy.is_cheap
        self.phase = Phase.ROW_STEPS if by_rows else Phase.QUASI_NEWTON
        if by_rows and not point.squared_scores.all():
            # The rows of zero features come from the multipliers: a start may not have them.
            self.descent.step_rows()

    def iterates(self) -> Iterator[Iterate]:
        """Yield a point a step, with a bound where one was due."""
        while not self.is_done:
            self.descent.refine()
            self._compare()
            expected = self.descent.expected()
            is_due = self._is_due(expected)
            likely = self.settled or expected.gap <= LIKELY * self.tol
            if is_due or (self.strategy.is_cheap and likely):
                yield self._bounded(expected, is_due=is_due)
            if not self.is_done:
                yield from self._turn(expected)

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to try."""
        return self.phase is Phase.DONE

    def _is_due(self, expected: Expected) -> bool:
        good = expected.gap <= self.allowed
        return not self.moved or self.unchecked >= LONGEST_UNCHECKED or good

    def _compare(self) -> None:
        """Note whether the objective still falls by more than a share of the tolerance."""
        value = self.descent.point.value
        self.settled = self.before - value <= SETTLED * self.tol * value
        self.before = value

    def _bounded(self, expected: Expected, *, is_due: bool) -> Iterate:
        """Return the point with its bound, and prepare for the case that it is not enough."""
        self.unchecked = 0
        point = self.descent.point
        slacks = min(2.0 * expected.gap, self.allowed), (1.0 - SMOOTHING_SHARE) * self.tol
        certificate = certify(point, self.strategy, slacks=slacks, tol=self.tol)
        grown = None
        if certificate.excess.largest > 2.0 * expected.excess:
            grown = grow(point, certificate)
        # The smoothing is lowered where it costs more than what is left of its own gap.
        left = relative_gap(point.smooth_value, certificate.bound) * point.value
        cost = point.data.smooth_value - point.data.value
        tight = tightened(point, self.tol) if left <= 4.0 * cost else point
        if grown is not None or tight is not point:
            self._restart(tight if grown is None else grown)
        elif is_due and self.moved:
            self.allowed *= 0.3 if expected.gap <= self.allowed else 1.0
        elif is_due and self.descent.fresh and self.strategy.is_cheap:
            self.strategy = strategy_for(point.problem)
        elif is_due and self.descent.fresh:
            self.phase = Phase.DONE
        elif is_due:
            self._restart(point)
        return certified(point, certificate, self.tol)

    def _restart(self, point: Point) -> None:
        self.descent = Descent(point.problem, point, self.descent.eps, self.memory)

    def _turn(self, expected: Expected) -> Iterator[Iterate]:
        """Turn the span of the factor."""
        helped = expected.gap < 0.5 * self.best_gap or not self.settled
        self.idle = 0 if helped else self.idle + 1
        self.best_gap = min(self.best_gap, expected.gap)
        if self.phase is Phase.ROW_STEPS:
            if self.idle < PATIENCE and self.descent.step_rows():
                self.moved = True
                self.unchecked += 1
                yield Iterate(self.descent.point)
                return
            self.phase = Phase.QUASI_NEWTON
        self.moved = False
        for _ in range(TURNS):
            self.moved |= self.descent.step()
            self.unchecked += 1
            yield Iterate(self.descent.point)


def certified(point: Point, certificate: Certificate, tol: float) -> Iterate:
    """Return the iterate of a point and its bound, without the features that only smoothing keeps.

    They are looked at where the bound may be good enough.
    """
    close = relative_gap(point.value, certificate.bound) <= PRUNED_FROM * tol
    proof = None if point.problem.loss.needs_rows else Proof(certificate.scale, point)
    shown = pruned(point, tol) if close else point
    return Iterate(shown, certificate.bound, proof, certificate.proven)


def last_smoothing(point: Point, tol: float) -> float:
    """Return the eps at which the smoothing costs at most its share of the tolerance."""
    problem = point.problem
    if problem.lam == 0.0:
        return 0.0
    value = max(min(point.value, problem.zero.value), 0.0)
    root = SMOOTHING_SHARE * tol * value / (problem.lam * problem.samples.n_features)
    # Scores are about one at most: a larger smoothing is as good as none.
    return min(root, 1e50) ** 2


def tightened(point: Point, tol: float) -> Point:
    """Return the point with residuals smoothed by no more than a share of the tolerance.

    What the smoothing costs is at most linear in its root.
    """
    problem, cost = point.problem, point.data.smooth_value - point.data.value
    allowed = SMOOTHING_SHARE * tol * point.value
    if not problem.loss.needs_rows or cost <= allowed:
        return point
    factor = max((0.5 * allowed / cost) ** 2, MOST_TIGHTENED)
    smoothing = factor * problem.loss.smoothing
    tight = replace(problem, loss=problem.loss.softened(smoothing))
    return tight.evaluate(point.L, point.v, eps=point.eps)


def pruned(point: Point, tol: float) -> Point:
    """Return the point without features that only the smoothing keeps, nor columns that vanish."""
    keep = point.squared_scores > 100.0 * point.eps
    white = whitening(point.A, VANISHING)
    if keep.all() and white.dropped.shape[1] == 0:
        return point
    kept = white.transform * np.sqrt(white.lengths)
    found = point.problem.evaluate((point.L * keep[:, None]) @ kept, point.v, eps=point.eps)
    return found if found.value <= point.value * (1.0 + PRUNING_SHARE * tol) else point


def grow(point: Point, certificate: Certificate) -> Point | None:
    """Return the point with the certificate's directions added, if that decreases the objective.

    Along u u' it falls by the excess, and its curvature is about 2 u'Su + lam u' diag(1/G) u.
    """
    excess, problem = certificate.excess, point.problem
    added = excess.vectors
    if added.shape[1] == 0:
        return None
    image = point.curvature_product(added)
    curvatures = np.einsum("jk,jk->k", added, image)
    curvatures += problem.lam * np.einsum("jk,j,jk->k", added, 1.0 / point.smooth_scores, added)
    squares = excess.values / np.maximum(curvatures, np.finfo(float).tiny)
    for _ in range(LONGEST_SEARCH):
        L = np.column_stack([point.L, np.sqrt(np.minimum(squares, 1.0)) * added])
        larger = problem.evaluate(L, point.v, eps=point.eps)
        if larger.smooth_value <= point.smooth_value + point.noise:
            return larger
        squares *= SHORTER
    return None
