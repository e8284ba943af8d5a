"""The selection of a fitted model on other samples, from where its fit ended."""

from __future__ import annotations

from typing import Any

from sklearn.base import clone

from ..linalg.threads import one_thread
from ..linalg.types import Array
from ..model.problem import Problem
from ..solve import Solution, solve
from ..solvers import Plan, continued_plan, make_plan
from .order import feature_order
from .psd import PSDSelector
from .wishes import Wishes


@one_thread()
def selected_again(fitted: PSDSelector, X: Any) -> Array:
    """Return the features that the same model selects on other samples, best first.

    X are samples of the same features, such as some of those of the fit; the fitted model is not
    changed. Weights that are automatic are found anew. The solver starts from W of the fit, and
    only as many features are chosen one by one as are selected; the result is that of a fit to its
    tolerance.
    """
    again = clone(fitted)
    data = again._data(X)
    problem = again._problem(data)
    solution = solve(
        problem,
        _plan(again, problem, fitted.solution_),
        tol=again.tol,
        max_iter=again.max_iter,
        max_time=again.max_time,
    )
    if again.n_features_to_select == "auto":
        return again._choose(problem, solution).selected_
    wishes = Wishes.of(again, data.n_features)
    order = feature_order(
        data,
        selection=again.selection,
        factor=solution.factor,
        scores=solution.scores,
        wishes=wishes,
        count=again._n_selected(data.n_features),
    )
    return again._keep(solution.scores, order).selected_


def _plan(selector: PSDSelector, problem: Problem, near: Solution) -> Plan:
    """Return the plan that starts from a solution nearby, unless a solver was asked for."""
    if selector.solver != "auto":
        return make_plan(problem, selector.solver, selector.random_state)
    offset = None if near.offset is None else near.offset / problem.samples.scale
    return continued_plan(problem, [problem.evaluate(near.factor, offset)])
