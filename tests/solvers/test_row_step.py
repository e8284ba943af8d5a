"""A step of all rows: it descends, stays where nothing is better, and finds the zeros."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparsecone.data import as_samples
from sparsecone.model.losses import Squared
from sparsecone.model.problem import Point, Problem
from sparsecone.solve.driver import solve
from sparsecone.solvers import make_plan
from sparsecone.solvers.row_step import row_step
from sparsecone.solvers.span import best_in_span

SEEDS = st.integers(0, 10_000)
EPS = 1e-14


def random_problem(seed: int) -> Problem:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, 3)) @ rng.normal(size=(3, 8)) + 0.3 * rng.normal(size=(30, 8))
    X[:, 6:] = 0.2 * rng.normal(size=(30, 2))
    samples = as_samples(X)
    return Problem(samples, Squared(), rng.uniform(0.01, 0.1) * samples.trace, 0.02 * samples.trace)


def optimum(problem: Problem) -> Point:
    factor = solve(problem, make_plan(problem, "admm"), tol=1e-9).factor
    return problem.evaluate(factor, eps=EPS)


@given(seed=SEEDS)
def test_a_short_step_descends(seed: int) -> None:
    problem = random_problem(seed)
    L = 0.5 * np.random.default_rng(seed).normal(size=(8, 3))
    point = best_in_span(problem.evaluate(L, eps=1e-8))
    after = row_step(point, 64.0)
    assert after.smooth_value <= point.smooth_value + point.noise


@pytest.mark.parametrize("seed", range(5))
def test_the_optimum_stays_and_its_zeros_too(seed: int) -> None:
    point = optimum(random_problem(seed))
    zero = point.squared_scores == 0.0
    after = row_step(point, 2.0)
    np.testing.assert_allclose(after.L @ after.L.T, point.L @ point.L.T, atol=2e-3)
    assert np.all(after.squared_scores[zero] < 1e4 * EPS)
    assert after.value <= point.value * (1.0 + 1e-4)
    # The short rows make the smoothed gradient vanish: their multipliers are those of the optimum.
    scale = np.abs(point.problem.evaluate(0.5 * point.L, eps=EPS).gradient).max()
    assert np.abs(after.gradient[zero]).max(initial=0.0) < 2e-2 * scale


def test_some_optimum_has_zeros() -> None:
    counts = [np.count_nonzero(optimum(random_problem(s)).squared_scores == 0.0) for s in range(5)]
    assert max(counts) >= 1
    assert min(counts) < 8


@pytest.mark.parametrize("factor", [1e-5, 1e5])
def test_the_unit_of_the_data_changes_nothing(factor: float) -> None:
    problem = random_problem(3)
    X = factor * problem.samples.centred_rows()
    scaled = Problem(as_samples(X), Squared(), factor**2 * problem.lam, factor**2 * problem.eta)
    L = 0.5 * np.random.default_rng(3).normal(size=(8, 3))
    expected = row_step(problem.evaluate(L, eps=1e-8), 2.0).L
    found = row_step(scaled.evaluate(L, eps=1e-8), 2.0).L
    np.testing.assert_allclose(found @ found.T, expected @ expected.T, rtol=1e-5, atol=1e-8)
