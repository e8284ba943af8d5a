"""Bounds for equal weights of the features: those of dense matrices, and below the optimum."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from sparsecone.certificate.uniform import Inner, inner_products, uniform_bound
from sparsecone.data.centring import as_rows
from sparsecone.linalg.types import Array
from sparsecone.model.losses import Robust
from sparsecone.model.problem import Problem
from sparsecone.solve import solve
from sparsecone.solvers import make_plan
from sparsecone.solvers.spectral import Spectral

RNG = np.random.default_rng(0)
X = RNG.normal(size=(8, 20)) * np.linspace(3.0, 0.5, 20)
X[0] += 2.0
ROWS = as_rows(X)


def problem_of(lam: float, *, recenter: bool = True) -> Problem:
    return Problem(ROWS, Robust(recenter=recenter), lam, 0.0)


def dense_point(problem: Problem, omega: Array) -> tuple[Array, Array, Array]:
    """Return A, W and the centred samples for D = lam I."""
    centred = ROWS.centred_rows()
    mean = omega @ centred / omega.sum() if problem.loss.recenter else np.zeros(20)
    Y = np.sqrt(omega)[:, None] * (centred - mean)
    W = np.linalg.solve(Y.T @ Y + problem.lam * np.eye(20), Y.T @ Y)
    return omega[:, None] * ((centred - mean) @ (np.eye(20) - W)), W, centred


@pytest.mark.parametrize("recenter", [False, True])
def test_the_dual_point_is_that_of_dense_matrices(recenter: bool) -> None:
    problem, omega = problem_of(0.7, recenter=recenter), RNG.uniform(0.05, 0.4, size=8)
    inner = inner_products(problem, omega, ROWS.sample_gram())
    A, W, centred = dense_point(problem, omega)
    np.testing.assert_allclose(-0.5 * (A.T @ centred + centred.T @ A), -0.7 * W, atol=1e-12)
    longest = float(np.linalg.norm(A, axis=1).max())
    found = uniform_bound(problem, inner)
    assert found.scale == pytest.approx(min(1.0, 1.0 / longest), rel=1e-9)
    assert found.value == pytest.approx(found.scale * float(np.vdot(A, centred)), rel=1e-9)


def bounds() -> Iterator[tuple[float, float]]:
    """Yield bounds at drawn weights, and the optimum."""
    rng = np.random.default_rng(1)
    for lam in (0.05, 0.5, 2.0, 20.0):
        problem = problem_of(lam)
        least = solve(problem, make_plan(problem, "lyapunov"), tol=1e-6).value
        for _ in range(10):
            omega = 10.0 ** rng.uniform(-2.0, 1.0) * rng.uniform(0.5, 1.5, size=8)
            inner = inner_products(problem, omega, ROWS.sample_gram())
            yield uniform_bound(problem, inner).value, least


def test_no_weights_give_a_bound_above_the_optimum() -> None:
    found = list(bounds())
    assert all(bound <= least for bound, least in found)
    assert max(bound / least for bound, least in found) > 0.3


def test_an_error_of_the_inner_products_makes_the_bound_smaller() -> None:
    problem, omega = problem_of(0.7), np.full(8, 0.3)
    inner = inner_products(problem, omega, ROWS.sample_gram())
    values = [
        uniform_bound(problem, inner._replace(error=error)).value for error in (0.0, 1e-3, 1e-2)
    ]
    assert values[0] > values[1] > values[2]
    # The inner product alone loses n times the error.
    assert values[0] - values[1] >= 8 * 1e-3 * 0.99
    assert uniform_bound(problem, inner._replace(error=0.5)).value == -np.inf


def test_a_mutant_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    original = inner_products

    def shorter(problem: Problem, omega: Array, gram: Array) -> Inner:
        return original(problem, omega, gram)._replace(omega=0.25 * omega)

    # Multipliers of half the length that they have.
    monkeypatch.setitem(globals(), "inner_products", shorter)
    assert any(bound > least for bound, least in bounds())


@pytest.mark.parametrize("recenter", [False, True])
def test_the_solver_shows_a_bound_and_then_a_point(recenter: bool) -> None:
    problem = problem_of(0.3, recenter=recenter)
    first, last = Spectral().iterate(problem, tol=1e-4)
    assert first.point is None
    assert last.point is not None
    least = solve(problem, make_plan(problem, "lyapunov"), tol=1e-6).value
    assert 0.2 * least < first.bound <= least
    assert least * (1.0 - 1e-9) <= last.point.value <= 1.1 * least
    direct = problem.evaluate(last.point.L, last.point.v)
    assert abs(direct.value - last.point.value) <= direct.rounding + last.point.rounding
