"""Bounds without a trace term: below the optimum for any multipliers, tight at a fixed point."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import numpy as np
import pytest

from sparsecone import AWSPCAPSD, CSPCAPSD
from sparsecone.certificate import skew
from sparsecone.certificate.skew import skew_bound
from sparsecone.data import as_samples
from sparsecone.linalg.lyapunov import Symmetric, solved, solved_in_span
from sparsecone.linalg.types import Array
from sparsecone.model.losses import Robust
from sparsecone.model.problem import Problem
from sparsecone.model.reconstruction import Reconstruction
from sparsecone.solve import solve
from sparsecone.solvers import make_plan

from oracle import optimum

SHAPES = ((12, 5), (6, 14))
# How far beyond what was reached a bound is above the optimum for sure.
BEYOND = 1e-6
LAMS = (0.05, 0.5, 2.0)


@cache
def case(shape: tuple[int, int], lam: float, recenter: bool) -> tuple[Problem, float]:
    """Return a problem, and the objective that another solver reaches, all but the optimum."""
    X = np.random.default_rng(0).normal(size=shape)
    X[0] += 3.0
    problem = Problem(as_samples(X), Robust(recenter=recenter), lam, 0.0)
    return problem, solve(problem, make_plan(problem, "admm"), tol=1e-6, max_iter=5000).value


def step(problem: Problem, weights: Array, D: Array, *, low_rank: bool) -> Reconstruction:
    """Return the solution for weights of samples and features."""
    X = problem.samples.centred_rows()  # type: ignore[attr-defined]
    mean = weights @ X / weights.sum() if problem.loss.recenter else np.zeros(X.shape[1])
    Y = (np.sqrt(weights)[:, None] * (X - mean)).T
    return Reconstruction(solved_in_span(Y, D, 1e-9) if low_rank else solved(Y @ Y.T, D), mean)


def bounds() -> Iterator[tuple[str, float, float]]:
    """Yield bounds at drawn multipliers, feasible or not, and the optimum."""
    rng = np.random.default_rng(1)
    for shape in SHAPES:
        for lam in LAMS:
            for recenter in (False, True):
                problem, least = case(shape, lam, recenter)
                for _ in range(12):
                    weights = 10.0 ** rng.uniform(-1.5, 0.7, size=shape[0])
                    D = lam * 10.0 ** rng.uniform(-0.7, 1.0, size=shape[1])
                    for low_rank in (False, True):
                        found = step(problem, weights, D, low_rank=low_rank)
                        # Any weights of the features and any mean are allowed.
                        other = lam * 10.0 ** rng.uniform(-0.7, 1.0, size=shape[1])
                        far = Reconstruction(found.W, found.mean + 2.0 * recenter)
                        for used, about in ((D, found), (other, found), (D, far)):
                            bound = skew_bound(problem, about, weights, used, low_rank=low_rank)
                            name = f"{shape} {lam} {recenter} {low_rank}"
                            yield name, bound.value, least


def test_no_multipliers_give_a_bound_above_the_optimum() -> None:
    assert [found for found in bounds() if found[1] > found[2] * (1.0 + BEYOND)] == []


@pytest.mark.parametrize("recenter", [False, True])
@pytest.mark.parametrize("low_rank", [False, True])
def test_steps_to_the_fixed_point_close_the_gap(recenter: bool, low_rank: bool) -> None:
    problem, least = case((6, 14), 0.5, recenter)
    weights, D = np.ones(6), np.ones(14)
    for _ in range(300):
        found = step(problem, weights, D, low_rank=low_rank)
        squares = found.squared_residuals(problem.samples)[0]  # type: ignore[arg-type]
        used = weights, D
        weights = 1.0 / np.sqrt(squares + 1e-12)
        D = 0.5 / np.sqrt(found.W.squared_rows + 1e-12)
    bound = skew_bound(problem, found, *used, low_rank=low_rank)
    assert least * (1.0 - 1e-4) < bound.value <= least * (1.0 + BEYOND)


@pytest.mark.parametrize("low_rank", [False, True])
def test_a_matrix_that_rounding_makes_indefinite_is_no_exception(low_rank: bool) -> None:
    problem, least = case((6, 14), 0.5, True)
    basis = np.linalg.qr(np.random.default_rng(2).normal(size=(14, 9)))[0]
    core = np.diag([0.9, 0.5, 0.1, 1e-3, 1e-5, 0.0, -1e-9, -1e-6, -1e-4])
    W = Symmetric(core, np.eye(9) - core, basis)
    found = Reconstruction(W, np.zeros(14))
    bound = skew_bound(problem, found, np.full(6, 0.3), np.ones(14), low_rank=low_rank)
    assert 0.0 < bound.value < least


@pytest.mark.parametrize("low_rank", [False, True])
def test_features_with_long_columns_do_not_cost_their_share_of_all(low_rank: bool) -> None:
    problem, least = case((6, 14), 0.5, True)
    weights, D = np.ones(6), np.ones(14)
    for _ in range(300):
        found = step(problem, weights, D, low_rank=low_rank)
        squares = found.squared_residuals(problem.samples)[0]  # type: ignore[arg-type]
        used = weights, D
        weights = 1.0 / np.sqrt(squares + 1e-12)
        D = 0.5 / np.sqrt(found.W.squared_rows + 1e-12)
    # One feature counts as if its score had been smaller.
    first = int(np.argmax(found.W.squared_rows))
    D = used[1].copy()
    D[first] *= 1.05
    found = step(problem, used[0], D, low_rank=low_rank)
    plain = skew_bound(problem, found, used[0], D, low_rank=low_rank, enough=0.0).value
    better = skew_bound(problem, found, used[0], D, low_rank=low_rank).value
    assert 0.0 < least - better < 0.5 * (least - plain)


def test_shares_are_kept_where_columns_fit() -> None:
    rng = np.random.default_rng(0)
    lengths, diagonal = rng.uniform(0.5, 1.2, size=50), rng.uniform(0.0, 1.0, size=50)
    shares = skew.shares_for(lengths, diagonal, float(10.0 * diagonal.sum()))
    assert np.all(shares[lengths <= 1.0] == 1.0)
    assert np.all((shares[lengths > 1.0] < 1.0) & (shares[lengths > 1.0] >= 0.5))
    # Where the features are all of the objective, a common scale costs no more.
    assert np.all(skew.shares_for(np.full(50, 1.1), diagonal, float(diagonal.sum())) == 1.0)


def test_lengths_are_those_of_the_multipliers_about_their_mean() -> None:
    problem, _ = case((12, 5), 0.5, True)
    rows = problem.samples.centred_rows()  # type: ignore[attr-defined]
    weights = 10.0 ** np.random.default_rng(0).uniform(-1.0, 1.0, size=12)
    found = step(problem, weights, np.ones(5), low_rank=False)
    residuals = (rows - found.mean) @ found.W.complement
    norms = np.linalg.norm(residuals, axis=1)
    A = residuals * np.minimum(weights, 1.0 / norms)[:, None]
    mean = A.mean(axis=0) + 0.1
    terms = skew.length_terms(problem.samples, weights, reconstruction=found, mean=mean, slack=0.5)  # type: ignore[arg-type]
    exact = (np.linalg.norm(A - mean, axis=1) + 0.5) ** 2
    np.testing.assert_allclose(terms.rowwise[0], exact, rtol=1e-12)
    assert np.all(terms.rowwise[0] >= exact * (1.0 - 1e-15))
    assert terms.largest == terms.rowwise[0].max()


def changed(name: str, change: Callable[..., Any]) -> Callable[[pytest.MonkeyPatch], None]:
    def mutate(patch: pytest.MonkeyPatch) -> None:
        original = getattr(skew, name)
        patch.setattr(skew, name, lambda *given, **named: change(original(*given, **named)))

    return mutate


# Each makes one mistake.
MUTANTS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "half as long columns of a matrix": changed(
        "_dense_columns", lambda found: found._replace(squares=0.25 * found.squares)
    ),
    "half as long columns of a product": changed(
        "_low_rank_columns", lambda found: found._replace(squares=0.25 * found.squares)
    ),
    "columns without the part of the samples": lambda patch: patch.setattr(
        skew, "_dense_columns", without_samples(skew._dense_columns)
    ),
    "features that give up their multipliers for nothing": lambda patch: patch.setattr(
        skew, "_multipliers_with", for_nothing(skew._multipliers_with)
    ),
    "twice the inner product": lambda patch: patch.setattr(
        skew, "Multipliers", lambda **named: original_multipliers(**named | twice(named))
    ),
}
original_multipliers = skew.Multipliers


def twice(named: dict[str, Any]) -> dict[str, Any]:
    return {"inner": 2.0 * named["inner"]}


def for_nothing(original: Callable[..., Any]) -> Callable[..., Any]:
    return lambda columns, shares, *given: original(columns, np.ones_like(shares), *given)


def without_samples(original: Callable[..., Any]) -> Callable[..., Any]:
    return lambda product, *given: original(0.0 * product, *given)


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    MUTANTS[name](monkeypatch)
    assert any(bound > least * (1.0 + BEYOND) for _, bound, least in bounds())


@pytest.mark.parametrize("model", [AWSPCAPSD, partial(CSPCAPSD, eta=0.0)])
def test_both_robust_models_without_a_trace_term_are_proven(model: Any) -> None:
    X = np.random.default_rng(3).normal(size=(40, 8))
    selector = model(lam=0.7, units="absolute", n_features_to_select=2).fit(X)
    least = optimum(X, 0.7, 0.0, delta=0.0, offset=model is AWSPCAPSD)
    assert selector.solution_.solver == "lyapunov"
    assert selector.solution_.bound <= least * (1.0 + 1e-7)
    assert selector.solution_.value <= least * (1.0 + 1e-4)
