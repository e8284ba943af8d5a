"""The only loop that stops, times, records and calls back."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Protocol

import numpy as np

from .problem import Point, Problem
from .solution import Iterate, Progress, Record, Solution, Status, relative_gap

Callback = Callable[[Progress], Any]


class Solver(Protocol):
    """What a solver is: a name, a limit and a stream of iterates."""

    name: ClassVar[str]
    max_iter: ClassVar[int]

    def iterate(self, problem: Problem, *, tol: float, start: Point | None) -> Iterator[Iterate]:
        """Yield iterates until the solver has nothing better to offer."""
        ...


class Watch:
    """The best value and bound so far, the history and the clock."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.best = problem.zero
        self.bound = 0.0
        self.n_iter = 0
        self.started = time.perf_counter()
        self.history: list[Record] = []

    @property
    def elapsed(self) -> float:
        return time.perf_counter() - self.started

    @property
    def gap(self) -> float:
        return relative_gap(self.best.value, self.bound)

    def see(self, solver: str, iterate: Iterate) -> None:
        """Take in an iterate."""
        point = iterate.point
        self.n_iter += 1
        self.bound = max(self.bound, iterate.bound)
        if point is not None:
            if point.value <= self.best.value:
                self.best = point
            self.history.append(
                Record(solver, self.n_iter, self.elapsed, point.value, self.bound)
            )

def solve(
    problem: Problem,
    solver: Solver,
    *,
    tol: float = 1e-4,
    max_iter: int | None = None,
    max_time: float | None = None,
    callback: Callback | None = None,
) -> Solution:
    watch = Watch(problem)
    limit = solver.max_iter if max_iter is None else max_iter
    status = Status.STALLED
    for iterate in solver.iterate(problem, tol=tol, start=None):
        watch.see(solver.name, iterate)
        if watch.gap <= tol:
            status = Status.CONVERGED
            break
        if watch.n_iter >= limit:
            status = Status.MAX_ITER
            break
    b=watch.best
    return Solution(b.L,b.v,np.sqrt(b.squared_scores),b.value,watch.bound,status,solver.name,watch.n_iter,watch.elapsed,tuple(watch.history))
