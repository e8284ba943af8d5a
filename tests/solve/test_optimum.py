"""The certified optimum against a general convex solver, on tiny problems."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sparsecone.data import as_samples
from sparsecone.model.losses import Loss, Robust, Squared
from sparsecone.model.problem import Problem
from sparsecone.solve.driver import solve
from sparsecone.solve.solution import Status
from sparsecone.solvers import make_plan

from oracle import optimum

LOSSES = {
    "squared": Squared(),
    "robust": Robust(delta=1e-3),
    "recentred": Robust(delta=1e-3, recenter=True),
}
SHAPES = [(30, 6), (12, 15), (40, 10)]


def data_with_outliers(n: int, d: int, seed: int) -> NDArray[Any]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)) @ rng.normal(size=(3, d)) + 0.3 * rng.normal(size=(n, d))
    X[:2] += 10.0 * rng.normal(size=(2, d))
    return X


def weights_of(X: NDArray[Any], loss: Loss, lam: float, eta: float) -> tuple[float, float]:
    """Return weights relative to the loss at W = 0."""
    scale = Problem(as_samples(X), loss, 0.0, 0.0).zero.value
    return lam * scale, eta * scale


@pytest.mark.parametrize("solver", ["auto", "factored", "admm"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("relative", [(1e-3, 1e-2), (1e-2, 1e-2), (3e-2, 1e-3), (0.0, 5e-2)])
@pytest.mark.parametrize("name", LOSSES)
def test_value_and_bound_enclose_the_optimum(
    name: str, relative: tuple[float, float], shape: tuple[int, int], solver: str
) -> None:
    loss, X = LOSSES[name], data_with_outliers(*shape, seed=sum(shape))
    lam, eta = weights_of(X, loss, *relative)
    eta = 0.0 if loss.recenter and lam > 0.0 else eta
    problem = Problem(as_samples(X), loss, lam, eta)
    solution = solve(problem, make_plan(problem, solver))
    delta = None if isinstance(loss, Squared) else loss.delta
    expected = optimum(X, lam, eta, delta=delta, offset=loss.recenter)
    if not (loss.recenter and solver == "factored"):
        # Without a trace term W has nearly full rank, where a factor may take too many steps.
        assert solution.status is Status.CONVERGED
    assert solution.value == pytest.approx(expected, rel=1e-4)
    assert solution.bound <= expected * (1.0 + 1e-7)
    assert solution.value >= expected * (1.0 - 1e-7)
