"""The lam from which on nothing is selected, against a search without a limit of the rank."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone.model.build import build_problem
from sparsecone.model.closed_form import leading_factor
from sparsecone.model.lambda_max import ascended, ratio
from sparsecone.solve import solve
from sparsecone.solvers import make_plan
from sparsecone.solvers.largest_lam import ROUGHLY, Search, largest_useful_lam


def samples(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 4)) @ (rng.normal(size=(4, 14)) * np.linspace(2.0, 0.2, 14))
    return X + 0.3 * rng.normal(size=X.shape)


@pytest.mark.parametrize("model", ["spca-psd", "cspca-psd"])
@pytest.mark.parametrize("eta", [0.01, 0.1])
@pytest.mark.parametrize("seed", range(3))
def test_it_is_the_largest_ratio(model: str, eta: float, seed: int) -> None:
    problem = build_problem(samples(seed), model=model, lam=0.0, eta=eta)
    # Every ratio is below the largest one: the search without a limit of the rank may end early.
    largest = ascended(problem, 1e-13)
    found = largest_useful_lam(problem)
    assert found >= largest * (1.0 - 2e-4)
    assert largest_useful_lam(problem, ROUGHLY) == pytest.approx(found, rel=5e-3)
    above = problem.with_weights(lam=1.02 * found, eta=problem.eta)
    assert solve(above, make_plan(above, "auto"), tol=1e-7).rank == 0


@pytest.mark.parametrize("shape", [(34, 139), (116, 115)])
def test_few_eigenvalues_above_eta_are_not_all_directions(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(shape[0])
    X = rng.normal(size=(shape[0], 4)) @ rng.normal(size=(4, shape[1])) * 2.0
    problem = build_problem(X + rng.normal(size=shape) * rng.uniform(0.3, 3.0, shape[1]), lam=0.0)
    assert leading_factor(problem).shape[1] == 4
    assert largest_useful_lam(problem) >= ascended(problem, 1e-13) * (1.0 - 1e-4)


def test_what_it_finds_is_a_ratio() -> None:
    problem = build_problem(samples(0), lam=0.0, eta=0.05)
    search = Search(problem, np.eye(14)[:, :5])
    lam = search.run(1e-4)
    found = ratio(problem, search.point.L)[0]
    assert found <= lam * (1.0 + 1e-12)
    assert found == pytest.approx(lam, rel=1e-3)
    gain = problem.with_weights(lam=0.99 * lam, eta=problem.eta)
    small = gain.evaluate(1e-3 * search.point.L)
    assert small.value < gain.zero.value


def test_nothing_beyond_what_the_data_explain() -> None:
    problem = build_problem(samples(1), lam=0.0, eta=3.0)
    assert largest_useful_lam(problem) == 0.0
