"""The rounds of the factored solver: the best W in the span, a bound where due, a turn of the span.

A loss that weighs the samples is majorised within a round: the search in the span holds the
weights, a step of all rows finds new ones. Before a bound they are settled, and where the samples
are in memory the loss itself is minimised in the span. Where a pass over the samples is dear, it
brings X' diag(omega) X, and several rounds hold the weights.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

import numpy as np

from ..certificate import Certificate, certify, relative_gap, strategy_for
from ..certificate.mixture import Proof
from ..model.problem import Point
from .adjust import SMOOTHING_SHARE, grow, last_smoothing, pruned, tightened
from .descent import STIFFNESS, Descent, Expected
from .iterate import Iterate
from .pace import Pace
from .span import STEPS

# The share of the tolerance that eigenvalues above eta may cost; the same where a bound that is not
# enough costs less than the round that it may save; and where so many eigenvectors for each column
# of the factor crowd around eta that a bound costs several rounds.
ALLOWED_SHARE = 0.5
CHEAP_SHARE = 0.9
CROWDED_SHARE, CROWDED = 0.3, 2.0
# Steps that turn the span before the best W within it is sought.
TURNS = 3
# The search in the span of a start that is not near: the step of all rows that follows is as good
# after a short one (benchmarks/regimes.py: as many rounds or fewer on all data).
FIRST_STEPS = 1
# Growths of the factor after which such steps are taken up again, at most.
MOST_ROUNDS = 10
# Steps after which a bound is computed in any case; the first one tells a loss that weighs the
# samples which directions are missing, as weights grow.
LONGEST_UNCHECKED = 40
FIRST_CHECK = 4
# The expected gap, in multiples of the tolerance, from which weights are settled exactly, and from
# which a cheap bound is computed.
NEAR = 30.0
LIKELY = 4.0
# The gap, in multiples of the tolerance, from which features are taken out of the factor.
PRUNED_FROM = 2.0
# Bounds in a row for a loss that weighs the samples that bring value and bound no closer before
# there are no more: where residuals vanish others do better. Where weights are held in memory the
# dense method is near.
MOST_STUCK, MOST_STUCK_HELD = 40, 15


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
    is_near : bool
        Whether the start is an optimum of similar weights.
    """

    def __init__(self, point: Point, tol: float, memory: int, *, is_near: bool = False) -> None:
        problem = point.problem
        self.tol, self.memory, self.rounds = tol, memory, 0
        self.first_steps = STEPS if is_near else FIRST_STEPS
        self.strategy = strategy_for(problem, tol=tol)
        self.descent = Descent(problem, point, last_smoothing(point, tol), memory, tol)
        if self.descent.holds:
            # Weights that are held for long are those of the best W in the span.
            self.descent.refine()
            self.descent.settle(exactly=False)
        is_free = self.strategy.is_cheap and not self.descent.weighs
        self.allowed = (CHEAP_SHARE if is_free else ALLOWED_SHARE) * tol
        if is_free and self.strategy.n_vectors > CROWDED * point.L.shape[1]:
            self.allowed = CROWDED_SHARE * tol
        self.tries = is_free and is_near
        self.is_first = self.descent.weighs
        self.is_fresh = not self.descent.weighs
        self.unchecked, self.moved, self.was_enough = 0, True, False
        self.pace = Pace(tol)
        self.by_rows = problem.lam > 0.0 and (self.strategy.is_cheap or self.descent.weighs)
        self.phase = Phase.ROW_STEPS if self.by_rows else Phase.QUASI_NEWTON
        if self.by_rows and not point.squared_scores.all():
            # The rows of zero features come from the multipliers: a start may not have them.
            self.descent.step_rows()
            # How stiff a step from there must be says nothing of those to come.
            self.descent.stiffness = STIFFNESS

    def iterates(self) -> Iterator[Iterate]:
        """Yield a point a step, with a bound where one was due."""
        while not self.is_done:
            if self._search():
                yield from self._turn(Expected(np.inf, np.inf), settled=False)
                continue
            expected = self._expected()
            hopeful = self._is_due(expected) or self._is_likely(expected)
            settled = hopeful or self._is_stale(expected)
            if settled:
                expected = self._settled(expected)
                is_due = self._is_due(expected)
                if is_due or self._is_likely(expected) or self._is_free(expected):
                    yield self._bounded(expected, is_due=is_due)
                else:
                    yield Iterate(self.descent.point)
            if not self.is_done:
                yield from self._turn(expected, settled=settled)

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to try."""
        return self.phase is Phase.DONE

    def _search(self) -> bool:
        """Go to the best point within the span; return whether a start was too far for that."""
        is_start = self.is_fresh and self.phase is Phase.ROW_STEPS
        before, self.is_fresh = self.descent.point.value, False
        self.descent.refine(self.first_steps if is_start else STEPS)
        value = self.descent.point.value
        self.pace.compare(value)
        is_far = is_start and self.pace.is_fall(before, value)
        if is_start and not is_far and self.first_steps < STEPS:
            self.descent.refine()
        return is_far

    def _expected(self) -> Expected:
        """Return what a bound is expected to find; the first cheap one near an optimum is tried."""
        if not self.tries:
            return self.descent.expected(self.allowed)
        self.tries = False
        return Expected(np.inf, self.allowed)

    def _is_due(self, expected: Expected) -> bool:
        longest = FIRST_CHECK if self.is_first else LONGEST_UNCHECKED
        enough = expected.gap <= self.allowed or self.pace.is_stalled(expected.gap)
        return not self.moved or self.unchecked >= longest or enough

    def _is_likely(self, expected: Expected) -> bool:
        if not self.strategy.is_cheap or not self.descent.weighs:
            return False
        return expected.gap <= LIKELY * self.tol or not self.pace.falls

    def _is_free(self, expected: Expected) -> bool:
        """Return whether a bound is near and X' diag(omega) X at hand: it costs next to nothing."""
        point = self.descent.point
        known = point.problem.samples.in_memory and point.data.gram is not None
        return known and self.strategy.is_cheap and expected.gap <= NEAR * self.tol

    def _is_stale(self, expected: Expected) -> bool:
        """Return whether the weights of the samples are held and keep the gap from closing."""
        return self.descent.point.data.gram is not None and self.pace.is_stale(expected.gap)

    def _settled(self, expected: Expected) -> Expected:
        """Find the weights of the samples, if they have any, and return what is expected then."""
        is_near = not self.moved or expected.gap <= NEAR * self.tol
        if not self.descent.settle(exactly=is_near, tol=self.tol):
            return expected
        expected = self.descent.expected()
        if self.descent.point.data.gram is not None:
            self.pace.restart()
        self.pace.settle(expected.gap)
        return expected

    def _bounded(self, expected: Expected, *, is_due: bool) -> Iterate:
        """Return the point with its bound."""
        point = self.descent.point
        slacks = min(2.0 * expected.gap, self.allowed), (1.0 - SMOOTHING_SHARE) * self.tol
        certificate = certify(point, self.strategy, slacks=slacks, tol=self.tol)
        gap = relative_gap(point.value, certificate.bound, point.rounding)
        # The first one that is enough most likely ends the solve.
        ends = gap <= self.tol and not self.was_enough
        self.was_enough = gap <= self.tol
        self.pace.waits &= expected.gap <= self.allowed
        if not ends:
            self._prepare(point, certificate, expected, gap, is_due=is_due)
        self.unchecked, self.is_first = 0, False
        return certified(point, certificate, self.tol)

    def _prepare(
        self,
        point: Point,
        certificate: Certificate,
        expected: Expected,
        gap: float,
        *,
        is_due: bool,
    ) -> None:
        """Prepare for the case that a bound is not enough."""
        above = float(certificate.excess.values.max(initial=0.0))
        tight = self._tightened(point, certificate)
        as_hoped = not self.descent.weighs and gap <= 2.0 * expected.gap
        # A bound that was tried early says little of what is missing.
        is_try = self.moved and ALLOWED_SHARE * self.tol < expected.gap <= self.allowed
        above_hope = above > 2.0 * expected.excess and not as_hoped and not is_try
        missing = self.is_first or above_hope
        grown = grow(tight, certificate) if missing else None
        if grown is not None or tight is not point:
            self.rounds += 1
            self._restart(tight if grown is None else grown)
            if self.by_rows and self.rounds <= MOST_ROUNDS:
                self.phase = Phase.ROW_STEPS
            self.pace.restart()
        elif is_try:
            self.allowed = ALLOWED_SHARE * self.tol
        elif is_due and self.moved:
            self.allowed *= 0.3 if expected.gap <= self.allowed else 1.0
        elif is_due and self.descent.fresh and self.strategy.is_cheap:
            self.strategy = strategy_for(point.problem)
        elif is_due and self.descent.fresh:
            self.phase = Phase.DONE
        elif is_due:
            self._restart(point)
        if self.descent.weighs and self._is_stuck(point.value, certificate.bound):
            self.phase = Phase.DONE

    def _is_stuck(self, value: float, bound: float) -> bool:
        """Return whether the best value and the best bound have come no closer for long."""
        is_held = self.descent.holds and self.descent.problem.samples.in_memory
        return self.pace.is_stuck(value, bound, MOST_STUCK_HELD if is_held else MOST_STUCK)

    def _tightened(self, point: Point, certificate: Certificate) -> Point:
        """Lower the smoothing of residuals that costs more than what is left of its own gap."""
        left = relative_gap(point.smooth_value, certificate.bound) * point.value
        cost = point.data.smooth_value - point.data.value
        return tightened(point, self.tol) if left <= 4.0 * cost else point

    def _restart(self, point: Point) -> None:
        # What a factor has grown by is not left out again, lest it come and go for ever.
        tol = self.tol if self.rounds == 0 else 0.0
        self.descent = Descent(point.problem, point, self.descent.eps, self.memory, tol)
        if self.descent.holds:
            self.descent.hold()

    def _turn(self, expected: Expected, *, settled: bool) -> Iterator[Iterate]:
        """Turn the span of the factor."""
        is_idle = self.pace.is_idle(expected.gap)
        if self.phase is Phase.ROW_STEPS:
            if settled:
                self.descent.refine()
            if not is_idle and self.descent.step_rows():
                self.moved = True
                self.unchecked += 1
                self.pace.held += 1
                point = self.descent.point
                yield Iterate(None if point.data.is_majorised else point)
                return
            self.phase = Phase.QUASI_NEWTON
        if self.descent.point.data.is_majorised:
            self.descent.settle(exactly=True, tol=self.tol)
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
