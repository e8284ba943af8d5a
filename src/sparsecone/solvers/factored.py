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
from dataclasses import dataclass
from typing import ClassVar

from ..certificate import certify, strategy_for
from ..model.closed_form import closed_form
from ..model.problem import Point, Problem
from .closing import Closing, certified
from .descent import Descent
from .iterate import Iterate

# Smoothing of the first stages, relative to the mean squared score, and the relative decrease of
# the objective below which each of them ends.
STAGES = ((1e-2, 1e-4), (1e-6, 1e-5))


@dataclass(frozen=True)
class Factored:
    """Low-rank quasi-Newton solver.

    Parameters
    ----------
    memory : int
        Pairs kept by the quasi-Newton method; fewer where they are very large.
    stages : tuple of (float, float)
        Smoothing of the first stages of the robust losses and the decrease at which each ends; none
        where the start is close to the optimum, which a longer first search then makes use of.
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
        staged = problem.lam > 0.0 and problem.loss.recenter
        for smoothing, decrease in self.stages if staged else ():
            descent = Descent(problem, point, smoothing * mean, self.memory)
            for _ in descent.until(decrease):
                yield Iterate(descent.point)
            point = descent.point
        yield from Closing(point, tol, self.memory, is_near=not self.stages).iterates()
