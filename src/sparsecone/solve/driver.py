"""The only loop that stops, times, records and calls back."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ..model.problem import Point, Problem
from ..solvers import Plan
from .solution import Iterate, Progress, Proof, Record, Solution, Status, relative_gap

Callback = Callable[[Progress], Any]


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
        Largest number of seconds.
    callback : callable or None
        Called with a `Progress` after every iteration that has a point to show.
    verbose : int
        Print every `verbose`-th iteration; 0 prints nothing.
    """
    return Watch(problem, tol, max_iter, max_time, callback, verbose).run(plan)


def solve_with_proof(
    problem: Problem, plan: Plan, *, tol: float, max_time: float | None
) -> tuple[Solution, Point, Proof | None]:
    """Solve, and return the solution, its point, and what proves the bound if a solver has told."""
    watch = Watch(problem, tol, None, max_time, None, 0)
    return watch.run(plan), watch.best, watch.proof


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
        self.bound = 0.0
        self.proof: Proof | None = None
        self.n_iter = 0
        self.solvers: list[str] = []
        self.history: list[Record] = []

    def run(self, plan: Plan) -> Solution:
        """Let the solvers of a plan work, one after the other."""
        start = plan.start
        if start is not None:
            self.consider(start)
        for solver, limit in plan.stages:
            self.solvers.append(solver.name)
            stage_end = self.n_iter + limit
            for iterate in solver.iterate(self.problem, tol=self.tol, start=start):
                status = self.see(iterate, exact=solver.exact)
                if status is not None:
                    return self.solution(status)
                if self.n_iter >= stage_end:
                    break
            start = self.best
        return self.solution(Status.STALLED)

    def see(self, iterate: Iterate, *, exact: bool) -> Status | None:
        """Take in an iterate; return how the solve ends, if it does."""
        self.n_iter += 1
        if iterate.bound > self.bound:
            self.bound, self.proof = iterate.bound, iterate.proof
        if iterate.point is not None:
            if exact:
                self.consider(iterate.point)
            else:
                self.best = iterate.point
            self._report(iterate.point.value)
        if exact and relative_gap(self.best.value, self.bound) <= self.tol:
            return Status.CONVERGED
        if self.max_iter is not None and self.n_iter >= self.max_iter:
            return Status.MAX_ITER
        if self.max_time is not None and self._elapsed() >= self.max_time:
            return Status.MAX_TIME
        return None

    def consider(self, point: Point) -> None:
        """Keep the point if it is better than W = 0 and all before, beyond rounding."""
        if point.value < self.best.value and point.value < self.zero.value - point.noise:
            self.best = point

    def _report(self, value: float) -> None:
        record = Record(self.solvers[-1], self.n_iter, self._elapsed(), value, self.bound)
        self.history.append(record)
        if self.verbose and len(self.history) % self.verbose == 0:
            print(record)
        if self.callback is not None:
            scores = np.sqrt(self.best.squared_scores)
            self.callback(Progress(record, self.best.L, scores))

    def _elapsed(self) -> float:
        return time.perf_counter() - self.started

    def solution(self, status: Status) -> Solution:
        """Return the best of what was seen."""
        return Solution(
            factor=self.best.L,
            offset=self.best.v,
            scores=np.sqrt(self.best.squared_scores),
            value=self.best.value,
            bound=min(self.bound, self.best.value),
            status=status,
            solver=", ".join(self.solvers),
            n_iter=self.n_iter,
            elapsed=self._elapsed(),
            history=tuple(self.history),
        )
