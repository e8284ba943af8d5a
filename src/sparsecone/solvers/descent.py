"""Quasi-Newton descent on the factor L of W = L L', and what a certificate would say on the way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..certificate import SpanPart, bound_with, relative_gap
from ..certificate.certify import Repair, damped
from ..certificate.free_columns import FreeColumns
from ..data import Rows
from ..linalg.quasi_newton import LimitedMemory, shorter
from ..linalg.types import Array
from ..model.problem import Point, Problem
from .row_step import VANISHING, row_step
from .span import STEPS, best_factor_in_span, best_in_span

# How far below eta the eigenvalues of M outside the span are taken to be, as a part of eta.
SEPARATION = 0.3
# The least curvature of a column, relative to their mean: without a trace term it may vanish.
FLOOR = 1e-2
# Multiple of the curvature that the steps of all rows begin with, and how often it is doubled.
STIFFNESS = 1.0
LONGEST_SEARCH = 4
# The squared length, as a part of the largest, below which steps of all rows let a direction be
# where the loss weighs the samples, so that nothing else leaves out short ones: a step that is long
# beside one of them changes A, which is held (benchmarks/regimes.py: MNIST standardised takes
# CSPCA-PSD 7 steps in two thirds of the time of 11).
SHORT = 1e-4
# Samples for each feature, and entries, from which on weighted moments cost less than the passes
# that they save (benchmarks/regimes.py: USPS against digits).
TALL = 4
LARGE = 1e6
# Steps without progress after which a stage ends.
PATIENCE = 3
# Bytes that the pairs of the quasi-Newton method may take, as long as there are a few.
MEMORY_BYTES = 2**30
FEWEST_PAIRS = 4


@dataclass(frozen=True)
class Expected:
    """What a certificate is expected to find: how far M exceeds eta, and the relative gap."""

    excess: float
    gap: float


class Descent:
    """Quasi-Newton descent on the smoothed objective from a point.

    The factor is rotated so that L'H, the curvature of the data term, is diagonal: there the
    Hessian is close to the diagonal that starts the quasi-Newton matrix.
    """

    def __init__(
        self, problem: Problem, point: Point, eps: float, memory: int, tol: float = 0.0
    ) -> None:
        self.problem = problem
        self.eps = eps
        # Only the squared loss knows what directions that are left out would change.
        self.tol = 0.0 if problem.loss.needs_rows else tol
        self.most_pairs = memory
        self.stiffness = STIFFNESS
        # Without a trace term the span is everything; an offset does not stay in it.
        self.weighs = problem.loss.needs_rows and not problem.loss.recenter and problem.eta > 0.0
        self.vanishing = SHORT if self.weighs else VANISHING
        self.refines = self.weighs or not problem.loss.needs_rows
        # Where a pass is dear, X' diag(omega) X makes up for some.
        samples = problem.samples
        n, d = samples.n_samples, samples.n_features
        is_dear = not samples.in_memory or (n >= TALL * d and n * d >= LARGE)
        self.holds = self.weighs and samples.prefers_gram and is_dear
        self._restart(point.smoothed(eps))

    def _restart(self, point: Point) -> None:
        """Go to a point, without memory."""
        self.point = point
        self.memory: LimitedMemory | None = None
        self.fresh = True

    def _begin(self) -> LimitedMemory:
        """Turn the factor, and return the start of the quasi-Newton matrix."""
        self.point = rotated(self.point)
        affordable = max(FEWEST_PAIRS, MEMORY_BYTES // max(2 * self.point.gradient.nbytes, 1))
        return LimitedMemory(inverse_curvature(self.point), min(self.most_pairs, affordable))

    def refine(self, steps: int = STEPS) -> None:
        """Go to the best point within the span, for the weights of the samples as they are.

        That needs no product with the data.

        Parameters
        ----------
        steps : int
            The longest search: fewer go towards it.
        """
        if self.refines:
            # The pairs are given up before the search needs memory of its own.
            self.memory = None
            self._restart(best_in_span(self.point, self.tol, steps=steps))

    def settle(self, *, exactly: bool, tol: float = 0.0) -> bool:
        """Find the weights of the samples at the point; return False where there are none.

        Parameters
        ----------
        exactly : bool
            Whether to go to the best point within the span first, for the weights that the samples
            have there; that takes samples in memory.
        tol : float
            The relative gap that is wanted: how exactly that is.
        """
        problem, samples, L = self.problem, self.problem.samples, self.point.L
        if not self.weighs:
            return False
        if exactly and isinstance(samples, Rows):
            L = best_factor_in_span(self.point, tol)
        self._restart(problem.evaluate(L, eps=self.eps, gram=self.holds))
        return True

    def hold(self) -> None:
        """Find X' diag(omega) X for the weights of the samples as they are."""
        if self.point.data.gram is None:
            self.point = self.point.with_gram()

    def step_rows(self) -> bool:
        """Take a step of all rows at once; return False where that does not decrease the objective.

        The first stiffness that does is kept. A factor without columns stays as it is.
        """
        if self.point.L.shape[1] == 0:
            return False
        # Each try is a product with the data, unless weights are held.
        for _ in range(LONGEST_SEARCH if self.weighs else LONGEST_SEARCH // 2):
            found = row_step(self.point, self.stiffness, self.vanishing)
            if found.smooth_value < self.point.smooth_value:
                self._restart(found)
                return True
            self.stiffness *= 2.0
        return False

    def step(self) -> bool:
        """Take one step; return False where none decreases the objective."""
        if self.memory is None:
            self.memory = self._begin()
        old = self.point
        direction = self.memory.direction(old.gradient)
        slope = float(np.vdot(old.gradient, direction))
        if slope >= 0.0:
            return False
        length = 1.0
        while True:
            new = self._moved(length * direction)
            change = new.smooth_value - old.smooth_value
            gradient = new.gradient if change <= 1e-4 * length * slope + old.noise else None
            if gradient is not None and (
                change <= 1e-4 * length * slope
                or abs(float(np.vdot(gradient, direction))) <= abs(slope)
            ):
                break
            length *= shorter(slope * length, change)
            if length < 1e-8:
                return False
        self.memory.update(length * direction, gradient - old.gradient)
        self.point, self.fresh = new, False
        return True

    def _moved(self, step: Array) -> Point:
        L, v = self.point.L, self.point.v
        rank = L.shape[1]
        offset = None if v is None else v + step[:, rank]
        return self.problem.evaluate(L + step[:, :rank], offset, eps=self.eps)

    def until(self, decrease: float) -> Iterator[None]:
        """Step until the relative decrease stays below the given one."""
        idle = 0
        while idle < PATIENCE:
            before = self.point.smooth_value
            if not self.step():
                return
            yield
            idle = idle + 1 if before - self.point.smooth_value < decrease * before else 0

    def expected(self, enough: float = 0.0) -> Expected:
        """Return what the certificate will say if M is well below eta outside the span.

        Parameters
        ----------
        enough : float
            The relative gap from which on nothing better is sought.
        """
        problem, point = self.problem, self.point
        weight = max(problem.eta, problem.lam, np.finfo(float).tiny)
        part = SpanPart.of(point, exactness=np.inf)
        excess = part.excess(SEPARATION * weight)
        value = max(point.value, np.finfo(float).tiny)
        if not problem.loss.recenter:
            repair = damped(point, Repair(excess, bound_with(point, excess)), rounds=1)
            found = Expected(excess.largest, relative_gap(value, repair.bound.value))
            is_enough = problem.loss.needs_rows or found.gap <= enough
            return found if is_enough else self._with_free_columns(found, part)
        # The bound takes a pass over the rows where an offset is learned.
        penalty = point.value - point.data.value
        return Expected(excess.largest, excess.largest * penalty / weight / value)

    def _with_free_columns(self, found: Expected, part: SpanPart) -> Expected:
        """Return what is expected once the multipliers of features without a score are found."""
        point = self.point
        columns = FreeColumns.of(point, part)
        if columns is None:
            return found
        columns = columns.cancelled()
        excess = columns.part.excess(SEPARATION * max(self.problem.eta, self.problem.lam))
        gap = relative_gap(point.value, bound_with(point, excess, columns).value)
        return Expected(excess.largest, gap) if gap < found.gap else found


def rotated(point: Point) -> Point:
    """Return the same W with a factor for which L'H is diagonal, the largest entry first."""
    curvature = point.L.T @ point.data.H
    _, rotation = np.linalg.eigh(curvature + curvature.T)
    return point.turned(np.ascontiguousarray(rotation[:, ::-1]))


def inverse_curvature(point: Point) -> Array:
    """Return one over the diagonal of the Hessian, roughly, for a rotated factor."""
    data = np.einsum("jk,jk->k", point.L, point.data.H)
    curvature = data + FLOOR * data.mean() + point.problem.eta
    penalty = point.problem.lam * np.diag(point.A) / point.smooth_scores[:, None]
    inverse = 1.0 / (curvature + penalty + np.finfo(float).tiny)
    if point.v is None:
        return np.asarray(inverse)
    return np.column_stack([inverse, np.full(len(inverse), 1.0 / point.data.total_weight)])
