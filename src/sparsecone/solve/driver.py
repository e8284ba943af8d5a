"""The only loop that stops, times, records and calls back."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ..certificate.mixture import End, Proof
from ..certificate.verdict import check, relative_gap
from ..linalg.threads import one_thread
from ..model.problem import Point, Problem
from ..solvers import Iterate, Plan
from ..solvers.adjust import pruned
from .solution import Progress, Record, Solution, Status

Callback = Callable[[Progress], Any]

# What it may take to show the last step of a solver that shows few, in steps.
SHOWING = 3.0


@one_thread()
def solve(
    problem: Problem,
    plan: Plan,
    *,
    tol: float = 1e-4,
    max_iter: int | None = None,
    max_time: float | None = None,
    callback: Callback | None = None,
    verbose: int = 0,
) -> Solution:
    """Run a plan until the certificate closes the gap, or everything is used up.

    Parameters
    ----------
    problem : Problem
        What to minimise.
    plan : Plan
        The solvers, in the order in which they take over when one stalls.
    tol : float
        Relative duality gap at which the solve has converged.
    max_iter : int or None
        Largest number of iterations in all; None leaves it to the solvers.
    max_time : float or None
        Largest number of seconds. No step is begun that would end later, if it takes as long as the
        shorter one of the last two, or so many times longer as its solver announces.
    callback : callable or None
        Called with a `Progress` after every iteration that has a point to show.
    verbose : int
        Print every `verbose`-th iteration; 0 prints nothing.
    """
    return Watch(problem, tol, max_iter, max_time, callback, verbose).run(plan)


def solve_with_proof(
    problem: Problem, plan: Plan, *, tol: float, max_time: float | None
) -> tuple[Solution, End]:
    """Solve, and return the solution with its point and what proves its bound."""
    watch = Watch(problem, tol, None, max_time, None, 0)
    solution = watch.run(plan)
    bound = watch.proven_bound if solution.proven else watch.bound
    return solution, End(watch.best, bound, watch.proof, solution.proven)


class Watch:
    """The best value and bound so far, the history, the clock and the limits."""

    def __init__(
        self,
        problem: Problem,
        tol: float,
        max_iter: int | None,
        max_time: float | None,
        callback: Callback | None,
        verbose: int,
    ) -> None:
        self.tol, self.max_iter, self.max_time = tol, max_iter, max_time
        self.callback, self.verbose = callback, verbose
        self.started = time.perf_counter()
        self.problem = problem
        self.best = self.zero = problem.zero
        # No objective is negative; bounds that are proven, and the best of all.
        self.proven_bound = self.bound = 0.0
        self.proof: Proof | None = None
        self.n_iter = 0
        # When the last step ended, what the last two took for their cost, and what the next costs.
        self.ended, self.rates, self.cost = 0.0, [np.inf], 1.0
        self.solvers: list[str] = []
        self.history: list[Record] = []

    def run(self, plan: Plan) -> Solution:
        """Let the solvers of a plan work, one after the other."""
        start = plan.start
        if start is not None:
            self.consider(start)
            self._check_tolerance()
        for solver, limit in plan.stages:
            self.solvers.append(solver.name)
            stage_end = self.n_iter + limit
            for iterate in solver.iterate(self.problem, tol=self.tol, start=start):
                status = self.see(iterate, exact=solver.exact)
                if status is not None and iterate.later is not None:
                    status = self._take_in(iterate.later(), exact=solver.exact) or status
                if status is not None:
                    return self.solution(status)
                if self.n_iter >= stage_end:
                    break
            start = self.best
        return self.solution(Status.STALLED)

    def _check_tolerance(self) -> None:
        """Refuse a gap that rounding alone exceeds."""
        value, rounding = self.best.value, self.best.rounding
        if value > 0.0 and 2.0 * rounding > self.tol * value:
            raise ValueError(
                f"tol={self.tol:g} is below what rounding allows for these data and weights, about "
                f"{2.0 * rounding / value:.1e}: raise tol, or the weights of the penalties."
            )

    def see(self, iterate: Iterate, *, exact: bool) -> Status | None:
        """Take in an iterate; return how the solve ends, if it does."""
        self.n_iter += 1
        elapsed = self._elapsed()
        # Where a solver only shows the point that it was given there was no step.
        if iterate.point is not self.best or iterate.growth != 1.0:
            self.rates = [*self.rates[-1:], (elapsed - self.ended) / self.cost]
        self.ended, self.cost = elapsed, self.cost * iterate.growth
        return self._take_in(iterate, exact=exact)

    def _take_in(self, iterate: Iterate, *, exact: bool) -> Status | None:
        if iterate.proven:
            self.proven_bound = max(self.proven_bound, iterate.bound)
        if iterate.bound > self.bound:
            self.bound, self.proof = iterate.bound, iterate.proof
        if iterate.point is not None:
            if exact:
                self.consider(iterate.point)
            else:
                self.best = iterate.point
            self._report(iterate.point)
        check(self.best.value, self.bound, self.best.rounding, self.solvers[-1])
        status = self._ended(exact=exact, steps=1.0 if iterate.later is None else 1.0 + SHOWING)
        if status in (Status.CONVERGED, Status.ESTIMATED) and iterate.bound == -np.inf:
            # The step before had the bound: of this point nobody has looked at small scores yet.
            found = pruned(self.best, self.tol)
            bound = self.proven_bound if status is Status.CONVERGED else self.bound
            if relative_gap(found.value, bound, found.rounding) <= self.tol:
                self.best = found
        return status

    def _ended(self, *, exact: bool, steps: float) -> Status | None:
        if exact and self._gap(self.proven_bound) <= self.tol:
            return Status.CONVERGED
        if exact and self._gap(self.bound) <= self.tol:
            return Status.ESTIMATED
        if self.max_iter is not None and self.n_iter >= self.max_iter:
            return Status.MAX_ITER
        # Before the first step nothing is known of what one takes.
        rate = min(self.rates)
        needed = steps * self.cost * rate if np.isfinite(rate) else 0.0
        if self.max_time is not None and self._elapsed() + needed >= self.max_time:
            return Status.MAX_TIME
        return None

    def _gap(self, bound: float) -> float:
        return relative_gap(self.best.value, bound, self.best.rounding)

    def consider(self, point: Point) -> None:
        """Keep the point if it is better than W = 0 and all before, beyond rounding."""
        if point.value < self.best.value and point.value < self.zero.value - point.rounding:
            self.best = point

    def _report(self, point: Point) -> None:
        value, bound, rounding = self._in_units(point.value, self.bound, point.rounding)
        solver, n_iter = self.solvers[-1], self.n_iter
        record = Record(solver, n_iter, self._elapsed(), value, bound, rounding)
        self.history.append(record)
        if self.verbose and len(self.history) % self.verbose == 0:
            print(record)
        if self.callback is not None:
            scores = np.sqrt(self.best.squared_scores)
            self.callback(Progress(record, self.best.L, scores))

    def _in_units(self, *values: float) -> tuple[float, ...]:
        """Return values of the objective in the units of the samples as they were given."""
        return tuple(self.problem.unit * value for value in values)

    def _elapsed(self) -> float:
        return time.perf_counter() - self.started

    def solution(self, status: Status) -> Solution:
        """Return the best of what was seen."""
        best = self.best
        proven = status is Status.CONVERGED or self.bound == self.proven_bound
        bound = self.proven_bound if proven else self.bound
        value, bound, rounding = self._in_units(best.value, bound, best.rounding)
        return Solution(
            factor=best.L,
            offset=None if best.v is None else self.problem.samples.scale * best.v,
            scores=np.sqrt(best.squared_scores),
            value=value,
            bound=bound,
            status=status,
            solver=", ".join(self.solvers),
            n_iter=self.n_iter,
            elapsed=self._elapsed(),
            history=tuple(self.history),
            rounding=rounding,
            proven=proven,
        )
