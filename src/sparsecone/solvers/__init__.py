"""Solvers, one algorithm a file, and which of them to run when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from ..data import Rows
from ..model.closed_form import closed_form
from ..model.problem import Point, Problem
from .admm import ADMM
from .factored import Factored
from .iterate import Iterate
from .lyapunov import Lyapunov
from .majorised import is_solvable
from .published import Published
from .reweighted import Reweighted
from .spectral import Spectral, is_spectral

__all__ = [
    "ADMM",
    "Factored",
    "Iterate",
    "Lyapunov",
    "Plan",
    "Published",
    "Reweighted",
    "Solver",
    "Spectral",
    "continued_plan",
    "make_plan",
]

# A dense method is out of the question above this number of features.
LARGEST_DENSE = 2500
# Below this share of the features a rank is low, and the factored solver comes first; with an
# offset there are no cheap steps within a span, nor bounds.
LOW_RANK = 0.75
LOW_RANK_WITH_OFFSET = 0.25
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
    first stalls, if d is moderate. Robust problems whose residuals cannot be held are re-weighted
    instead of split; those without a trace term need no projection, and have a solver of their own,
    which comes first. Where these are too large for it a bound and a start from one decomposition
    of the samples come first.
    """
    named: dict[str, Solver] = {
        "factored": Factored(),
        "admm": ADMM(),
        "lyapunov": Lyapunov(),
        "reweighted": Reweighted(),
        "published": Published(random_state=random_state),
    }
    _check_possible(problem, solver)
    if solver == "published":
        return Plan(((named[solver], named[solver].max_iter),))
    wide = problem.samples.n_features > LARGEST_DENSE
    if solver == "lyapunov" or (solver == "auto" and is_solvable(problem)):
        first = named["lyapunov"]
        after = () if solver != "auto" else (named["factored" if wide else _dense_solver(problem)],)
        return Plan(tuple((each, each.max_iter) for each in (first, *after)), problem.zero)
    if solver == "auto" and wide and is_spectral(problem):
        both = Spectral(), named["factored"]
        return Plan(tuple((each, each.max_iter) for each in both), problem.zero)
    start = closed_form(problem)
    if solver != "auto":
        return Plan(((named[solver], named[solver].max_iter),), start)
    return Plan(_stages(problem, start.L.shape[1]), start)


def continued_plan(problem: Problem, starts: Sequence[Point]) -> Plan:
    """Return the plan that starts from one of some points of problems with similar weights.

    For the squared loss that is the last one: the span is what matters, W within it is soon found.
    For the robust ones it is the best. Where directions would be missing, or nothing is better than
    W = 0, the closed form is the start.
    """
    if starts and not problem.loss.needs_rows and starts[-1].problem.eta <= problem.eta:
        best = starts[-1].under(problem)
        if best.value < problem.zero.value:
            # The closed form would be no start: its rank is all that is asked of it.
            rank = problem.zero.curvature_spectrum(problem.eta).values.size
            return _continued(_stages(problem, rank), best)
    plan = make_plan(problem, "auto")
    assert plan.start is not None
    rank = plan.start.L.shape[1]
    points = [start.under(problem) for start in starts if _spans(start, problem, rank)]
    if problem.loss.needs_rows:
        points = sorted([*points, plan.start], key=lambda point: -point.value)
    best = points[-1] if points else plan.start
    if best is plan.start or best.value >= problem.zero.value:
        return plan
    return _continued(plan.stages, best)


def _stages(problem: Problem, rank: int) -> tuple[tuple[Solver, int], ...]:
    """Return the solvers for a problem with a trace term, from the rank of its closed form."""
    samples = problem.samples
    factored = Factored()
    if samples.n_features > LARGEST_DENSE:
        return ((factored, factored.max_iter),)
    dense: Solver = ADMM() if _dense_solver(problem) == "admm" else Reweighted()
    share = LOW_RANK_WITH_OFFSET if problem.loss.recenter else LOW_RANK
    # Where a product is a pass over files, the method with the fewest passes comes first.
    if rank <= share * samples.n_features and (samples.in_memory or not problem.loss.recenter):
        return (factored, FACTORED_STEPS), (dense, dense.max_iter)
    return (dense, dense.max_iter), (factored, factored.max_iter)


def _continued(stages: tuple[tuple[Solver, int], ...], best: Point) -> Plan:
    """Return the plan for a start that is near, which takes no first stages."""
    (first, limit), *rest = stages
    if not isinstance(first, Factored):
        return Plan(stages, best)
    return Plan(((Factored(stages=()), limit), *rest), best)


def _spans(start: Point, problem: Problem, rank: int) -> bool:
    """Return whether no direction of the closed form was never looked at for a point.

    A factor of a lower rank than that is enough where one with a smaller eta has left out the rest.
    """
    left_out = not problem.loss.needs_rows and start.problem.eta <= problem.eta
    return left_out or start.L.shape[1] >= rank


def _dense_solver(problem: Problem) -> str:
    """Return the dense method that can hold what it needs: residuals, or weighted moments."""
    samples = problem.samples
    sparse = isinstance(samples, Rows) and samples.is_sparse
    held = samples.in_memory and (
        not sparse or samples.n_samples * samples.n_features <= LARGEST_RESIDUALS
    )
    return "admm" if held or not problem.loss.needs_rows else "reweighted"


def _check_possible(problem: Problem, solver: str) -> None:
    """Refuse a solver that does not suit the data or the loss."""
    if solver in ("admm", "published") and not problem.samples.in_memory:
        raise ValueError(
            f"solver={solver!r} needs all rows in memory; 'factored' and 'reweighted' take them in "
            "blocks."
        )
    if solver == "lyapunov" and not is_solvable(problem):
        raise ValueError(
            "solver='lyapunov' is for AWSPCAPSD with lam > 0, up to some thousand features or with "
            "few samples."
        )
    if solver == "reweighted" and not problem.loss.needs_rows:
        raise ValueError("solver='reweighted' is for the robust models; SPCAPSD has no weights.")
