"""The exact optimum in low-rank form: quasi-Newton descent on L, W = L L', with growing rank.

A few steps turn the span of the factor, or one step of all its rows where a bound is cheap
(`sparsecone.solvers.row_step`); for the squared loss the best W within the span is then found
without another product with the data (`sparsecone.solvers.span`). The column norms are
smoothed by what the tolerance allows, for the robust losses in stages. At the smoothed optimum the
multipliers of the smoothed norms are dual feasible, so the same point yields the bound: see
`sparsecone.certificate`. Where the certificate finds a direction that would still decrease the
objective, the factor grows by it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..certificate.certify import Certificate, certify
from ..model.closed_form import closed_form
from ..model.problem import Point, Problem
from ..solve.solution import Iterate, Proof, relative_gap
from .descent import Descent
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
# The expected gap, in multiples of the tolerance, from which a cheap bound is computed.
LIKELY = 4.0
# The gap, in multiples of the tolerance, from which features are taken out of the factor.
PRUNED_FROM = 2.0
# The share of the tolerance that this may cost.
PRUNING_SHARE = 1e-3
# Columns by which the factor grows at once, at most.
LARGEST_GROWTH = 5


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
            yield proven(point, certify(point, slacks=(tol,), tol=tol), tol)
        else:
            yield Iterate(point)
        if point.L.shape[1] == 0:
            return
        mean = float(point.squared_scores.mean())
        staged = problem.lam > 0.0 and problem.loss.needs_rows
        for smoothing, decrease in self.stages if staged else ():
            descent = Descent(problem, point, smoothing * mean, self.memory)
            for _ in descent.until(decrease):
                yield Iterate(descent.point)
            point = descent.point
        yield from self._certified(problem, point, tol)

    def _certified(self, problem: Problem, point: Point, tol: float) -> Iterator[Iterate]:
        """Descend at the last smoothing until the driver has seen the bound it wants."""
        descent = Descent(problem, point, last_smoothing(problem, point, tol), self.memory)
        allowed, unchecked, moved = ALLOWED_SHARE * tol, 0, True
        by_rows = problem.lam > 0.0 and descent.is_cheap
        idle, best_gap = 0, np.inf
        if by_rows and not point.squared_scores.all():
            # The rows of zero features come from the multipliers: a start may not have them.
            descent.settle()
        while True:
            descent.refine()
            expected = descent.expected()
            is_due = not moved or unchecked >= LONGEST_UNCHECKED or expected.gap <= allowed
            if is_due or (descent.is_cheap and expected.gap <= LIKELY * tol):
                unchecked = 0
                slacks = min(2.0 * expected.gap, allowed), (1.0 - SMOOTHING_SHARE) * tol
                certificate = certify(descent.point, slacks=slacks, tol=tol)
                yield proven(descent.point, certificate, tol)
                grown = None
                if certificate.excess.largest > 2.0 * expected.excess:
                    grown = grow(descent.point, certificate)
                if grown is not None:
                    descent = Descent(problem, grown, descent.eps, self.memory)
                elif is_due and moved:
                    allowed *= 0.3 if expected.gap <= allowed else 1.0
                elif is_due and descent.fresh:
                    return
                elif is_due:
                    descent = Descent(problem, descent.point, descent.eps, self.memory)
            idle = 0 if expected.gap < 0.5 * best_gap else idle + 1
            best_gap = min(best_gap, expected.gap)
            by_rows = by_rows and idle < PATIENCE and descent.settle()
            if by_rows:
                moved = True
                unchecked += 1
                yield Iterate(descent.point)
                continue
            moved = False
            for _ in range(TURNS):
                moved |= descent.step()
                unchecked += 1
                yield Iterate(descent.point)


def proven(point: Point, certificate: Certificate, tol: float) -> Iterate:
    """Return the iterate of a point and its bound, without the features that only smoothing keeps.

    They are looked at where the bound may be good enough.
    """
    close = relative_gap(point.value, certificate.bound) <= PRUNED_FROM * tol
    proof = None if point.problem.loss.needs_rows else Proof(certificate.scale, point)
    return Iterate(pruned(point, tol) if close else point, certificate.bound, proof)


def last_smoothing(problem: Problem, point: Point, tol: float) -> float:
    """Return the eps at which the smoothing costs at most its share of the tolerance."""
    if problem.lam == 0.0:
        return 0.0
    value = min(point.value, problem.zero.value)
    return (SMOOTHING_SHARE * tol * value / (problem.lam * problem.samples.n_features)) ** 2


def pruned(point: Point, tol: float) -> Point:
    """Return the point without features that only the smoothing keeps, nor columns that vanish."""
    keep = point.squared_scores > 100.0 * point.eps
    lengths, directions = np.linalg.eigh(point.A)
    used = lengths > VANISHING * lengths.max(initial=0.0)
    if keep.all() and used.all():
        return point
    L = (point.L * keep[:, None]) @ directions[:, used]
    found = point.problem.evaluate(L, point.v, eps=point.eps)
    return found if found.value <= point.value * (1.0 + PRUNING_SHARE * tol) else point


def grow(point: Point, certificate: Certificate) -> Point | None:
    """Return the point with the certificate's directions added, if that decreases the objective."""
    excess, problem = certificate.excess, point.problem
    added = excess.vectors[:, :LARGEST_GROWTH]
    if added.shape[1] == 0:
        return None
    curvature = float(np.vdot(added, problem.samples.gram_product(added))) / added.shape[1]
    square = min(excess.largest / max(curvature, np.finfo(float).tiny), 1.0)
    for _ in range(30):
        L = np.column_stack([point.L, np.sqrt(square) * added])
        larger = problem.evaluate(L, point.v, eps=point.eps)
        if larger.smooth_value <= point.smooth_value + point.noise:
            return larger
        square *= 0.25
    return None
