"""Solvers, one algorithm a file, and which of them to run when."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import scipy.sparse as sp

from ..problem import Point, Problem
from ..solution import Iterate
from .admm import ADMM
from .factored import Factored
from .published import Published
from .start import closed_form

__all__ = ["ADMM", "Factored", "Plan", "Published", "Solver", "make_plan"]

# A dense method is out of the question above this number of features.
LARGEST_DENSE = 2500
# Below this share of the features a rank is low, and the factored solver comes first.
LOW_RANK = 0.25
# Steps after which the factored solver makes way for the dense one.
FACTORED_STEPS = 600
# Residuals of sparse data are dense: that many of them may be held.
LARGEST_RESIDUALS = 2e7


class Solver(Protocol):
    """What a solver is: a name, whether it can reach the optimum, a limit, and iterates."""

    name: ClassVar[str]
    exact: ClassVar[bool]
    max_iter: ClassVar[int]

    def iterate(
        self, problem: Problem, *, tol: float, start: Point | None = None
    ) -> Iterator[Iterate]:
        """Yield iterates until the solver has nothing better to offer."""
        ...


@dataclass(frozen=True)
class Plan:
    """Solvers with their iteration limits, in the order in which they take over."""

    stages: tuple[tuple[Solver, int], ...]
    start: Point | None = None


def make_plan(problem: Problem, solver: str, random_state: Any = None) -> Plan:
    """Return the plan for a solver's name.

    `auto` predicts the rank from the closed form of lam = 0: where it is low, or where d is too
    large for a dense method, the factored solver comes first. The other one takes over when the
    first stalls, if d is moderate.
    """
    named: dict[str, Solver] = {
        "factored": Factored(),
        "admm": ADMM(),
        "published": Published(random_state=random_state),
    }
    if solver == "published":
        return Plan(((named[solver], named[solver].max_iter),))
    start = closed_form(problem)
    if solver != "auto":
        return Plan(((named[solver], named[solver].max_iter),), start)
    factored, admm = named["factored"], named["admm"]
    if not _dense_is_possible(problem):
        return Plan(((factored, factored.max_iter),), start)
    if start.L.shape[1] <= LOW_RANK * problem.samples.n_features:
        return Plan(((factored, FACTORED_STEPS), (admm, admm.max_iter)), start)
    return Plan(((admm, admm.max_iter), (factored, factored.max_iter)), start)


def _dense_is_possible(problem: Problem) -> bool:
    samples = problem.samples
    if samples.n_features > LARGEST_DENSE:
        return False
    sparse = problem.loss.needs_rows and sp.issparse(samples.matrix)
    return not sparse or samples.n_samples * samples.n_features <= LARGEST_RESIDUALS
