"""The best W with the eigenvectors of the samples: weights near the optimum, before any step."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning

from sparsecone import AWSPCAPSD, Status, from_blocks
from sparsecone.data import as_rows, as_samples
from sparsecone.linalg.types import Array
from sparsecone.model.build import as_data
from sparsecone.model.losses import Robust
from sparsecone.model.problem import Problem
from sparsecone.selectors import psd
from sparsecone.solve import solve
from sparsecone.solvers import lyapunov, majorised, make_plan
from sparsecone.solvers import spectral_start as start
from sparsecone.solvers.spectral_start import Squares, has_spectral_start, spectral_start


def problem_of(X: Array, lam: float, *, recenter: bool = True) -> Problem:
    return Problem(as_samples(X, weighed=True), Robust(recenter=recenter), lam, 0.0)


@pytest.mark.parametrize("recenter", [False, True])
@pytest.mark.parametrize("shape", [(40, 8), (8, 40), (9, 9)])
def test_its_objective_is_that_of_its_matrix(shape: tuple[int, int], recenter: bool) -> None:
    X = np.random.default_rng(0).normal(size=shape) * np.linspace(3.0, 1.0, shape[1])
    problem = problem_of(X, 0.5, recenter=recenter)
    found = spectral_start(problem, 1e-4)
    best = solve(problem, make_plan(problem, "lyapunov"), tol=1e-5).value
    assert best * (1.0 - 1e-4) < found.value < min(1.2 * best, problem.zero.value)
    assert np.all((found.shares >= 0.0) & (found.shares <= 1.0))
    # The weights belong to the scores and the value: |r_i| = 1 / omega_i but for smoothing.
    value = float((1.0 / found.samples).sum()) + 0.5 * float(found.scores.sum())
    assert value == pytest.approx(found.value, rel=1e-6)


def test_squares_are_summed_at_any_scale() -> None:
    matrix = np.random.default_rng(0).normal(size=(7, 4))
    for scale in (1e-120, 1.0, 1e120):
        squares = Squares(scale * matrix)
        weights = np.linspace(1.0, 2.0, 4)
        np.testing.assert_allclose(squares.rows(weights) / scale**2, matrix**2 @ weights, rtol=1e-5)
        weights = 1e30 * np.linspace(1.0, 2.0, 7)
        np.testing.assert_allclose(
            squares.columns(weights) / scale**2, weights @ matrix**2, rtol=1e-5
        )


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_matrix])
def test_coordinates_are_squared_tile_by_tile(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    samples, V = as_rows(kind(rng.normal(size=(30, 4)))), rng.normal(size=(4, 3))
    monkeypatch.setattr(start, "TILE", 4 * 7)
    exact = ((samples.centred_rows() - 1.0) @ V) ** 2
    found = Squares.projected(samples, V, np.ones(4))
    np.testing.assert_allclose(found.rows(np.ones(3)), exact.sum(axis=1), rtol=1e-5)
    np.testing.assert_allclose(found.columns(np.ones(30)), exact.sum(axis=0), rtol=1e-5)


def test_it_is_for_samples_in_memory() -> None:
    X = np.random.default_rng(0).normal(size=(20, 4))
    assert has_spectral_start(as_samples(X, weighed=True))
    assert has_spectral_start(as_samples(sp.csr_matrix(X), weighed=True))
    assert not has_spectral_start(as_data(from_blocks([X]), weighs=True))


def test_it_saves_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    X = load_digits().data[::3]
    started = AWSPCAPSD(n_features_to_select=4).fit(X).solution_
    monkeypatch.setattr(lyapunov, "has_spectral_start", lambda _: False)
    plain = AWSPCAPSD(n_features_to_select=4).fit(X).solution_
    assert started.status is plain.status is Status.CONVERGED
    assert started.n_iter < plain.n_iter
    assert started.value == pytest.approx(plain.value, rel=2e-4)


def test_large_data_have_a_bound_and_a_point_before_anything_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # As if these were too many samples for an equation.
    monkeypatch.setattr(majorised, "MOST_SAMPLES", 10)
    X = np.random.default_rng(0).normal(size=(30, 2600))
    plan = make_plan(problem_of(X, 1.0), "auto")
    assert [solver.name for solver, _ in plan.stages] == ["spectral", "factored"]
    with pytest.warns(ConvergenceWarning, match=r"ended \(max_iter\)"):
        solution = AWSPCAPSD(max_iter=2).fit(X).solution_
    assert solution.solver == "spectral"
    assert solution.rank == 29
    assert 0.0 < solution.gap < 0.95
    with pytest.warns(ConvergenceWarning, match="Nothing better than W = 0 was found"):
        solution = AWSPCAPSD(max_iter=1).fit(X).solution_
    assert solution.status is Status.MAX_ITER
    assert solution.rank == 0
    assert solution.bound > 0.0


def test_what_comes_before_the_solvers_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    X = np.random.default_rng(0).normal(size=(40, 6))
    limits: list[float] = []

    def noted(*given: Any, max_time: float, **named: Any) -> Any:
        limits.append(max_time)
        return solve(*given, max_time=max_time, **named)

    monkeypatch.setattr(psd, "solve", noted)
    monkeypatch.setattr(psd.Phases, "total", property(lambda _: 7.0))
    AWSPCAPSD(max_time=20.0).fit(X)
    assert limits == [13.0]


def turns(problem: Problem, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return how often eigenvectors are found."""
    calls, plain = [], start._squares

    def squares(*given: Any) -> Any:
        calls.append(given)
        return plain(*given)

    with monkeypatch.context() as patch:
        patch.setattr(start, "_squares", squares)
        spectral_start(problem, 1e-4)
    return len(calls)


@pytest.mark.parametrize("recenter", [False, True])
def test_eigenvectors_are_found_again_where_scores_are_alike(
    recenter: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    X = np.cumsum(np.random.default_rng(0).normal(size=(90, 40)), axis=1)
    problem = problem_of(X, 10.0, recenter=recenter)
    best = solve(problem, make_plan(problem, "lyapunov"), tol=1e-6).value
    assert 2 < turns(problem, monkeypatch) <= 4
    found = spectral_start(problem, 1e-4).value
    monkeypatch.setattr(start, "MOST_TURNS", 0)
    assert turns(problem, monkeypatch) == 1
    once = spectral_start(problem, 1e-4).value
    assert found - best < 0.5 * (once - best)


def test_eigenvectors_are_not_found_again_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    apart = rng.normal(size=(90, 10)) * np.geomspace(1.0, 1e-2, 10)
    assert turns(problem_of(apart, 1.0), monkeypatch) == 1
    wide = np.cumsum(rng.normal(size=(39, 40)), axis=1)
    assert turns(problem_of(wide, 10.0), monkeypatch) == 1
    # What helps by less than the tolerance is the last.
    monkeypatch.setattr(start, "TURNING", 1e3)
    alike = np.cumsum(rng.normal(size=(90, 40)), axis=1)
    assert turns(problem_of(alike, 10.0), monkeypatch) == 2
