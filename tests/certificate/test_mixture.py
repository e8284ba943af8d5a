"""Mixtures of two solutions: their objective, their bound, and what proves it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sparsecone.certificate.mixture import End, Segment, distance
from sparsecone.data import as_samples
from sparsecone.model.losses import Loss, Robust, Squared
from sparsecone.model.problem import Problem
from sparsecone.solve.driver import solve, solve_with_proof
from sparsecone.solvers import make_plan

SEEDS = st.integers(0, 10_000)
SHARES = st.floats(0.05, 0.95)
LOSSES: list[Loss] = [Squared(), Robust(0.1), Robust(0.1, recenter=True)]
# A share of the loss at W = 0, for lam and eta of either end.
ENDS = ((0.002, 0.03), (0.02, 0.05))


def problem_of(seed: int, loss: Loss, weights: tuple[float, float]) -> Problem:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(25, 3)) @ rng.normal(size=(3, 7)) + 0.3 * rng.normal(size=(25, 7))
    free = Problem(as_samples(X), loss, 0.0, 0.0)
    lam, eta = weights
    return replace(free, lam=lam * free.zero.value, eta=eta * free.zero.value)


def solved(problem: Problem, tol: float, solver: str = "factored") -> End:
    plan = make_plan(problem, solver)
    return solve_with_proof(problem, plan, tol=tol, max_time=None)[1]


def on_the_way(segment: Segment, share: float) -> Problem:
    first, last = segment.first.point.problem, segment.last.point.problem
    return replace(
        first,
        lam=(1.0 - share) * first.lam + share * last.lam,
        eta=(1.0 - share) * first.eta + share * last.eta,
    )


def segment_of(seed: int, loss: Loss, tol: float = 1e-3) -> Segment:
    first, last = (solved(problem_of(seed, loss, weights), tol) for weights in ENDS)
    return Segment(first, last)


@pytest.mark.parametrize("loss", LOSSES, ids=str)
@pytest.mark.parametrize("tol", [1e-5, 1e-2])
@settings(max_examples=10)
@given(seed=SEEDS, share=SHARES)
def test_value_and_bound_enclose_the_optimum(
    loss: Loss, tol: float, seed: int, share: float
) -> None:
    segment = segment_of(seed, loss, tol)
    problem = on_the_way(segment, share)
    assert segment.share(problem) == pytest.approx(share)
    mixed = segment.at(problem)
    exact = solve(problem, make_plan(problem, "admm"), tol=1e-7)
    assert mixed.bound <= exact.value * (1.0 + 1e-9)
    assert mixed.value >= exact.bound * (1.0 - 1e-9)
    assert mixed.bound <= mixed.value


@given(seed=SEEDS, mixture=SHARES)
def test_the_objective_of_a_mixture_is_that_of_its_matrix(seed: int, mixture: float) -> None:
    segment = segment_of(seed, Squared())
    problem = on_the_way(segment, 0.5)
    first, last = segment.first.point.L, segment.last.point.L
    L = np.column_stack([np.sqrt(1.0 - mixture) * first, np.sqrt(mixture) * last])
    point = problem.evaluate(L)
    assert segment._value(problem, mixture) == pytest.approx(point.value, rel=1e-10)
    np.testing.assert_allclose(segment.scores(mixture) ** 2, point.squared_scores, atol=1e-10)
    best = segment.at(problem)
    assert best.value <= point.value * (1.0 + 1e-6)
    assert best.rank <= np.linalg.matrix_rank(L)


@given(seed=SEEDS, a=st.floats(0.5, 1.0), b=st.floats(0.5, 1.0))
def test_the_distance_of_residuals(seed: int, a: float, b: float) -> None:
    segment = segment_of(seed, Squared())
    X = segment.first.point.problem.samples.centred_rows()
    points = segment.first.point, segment.last.point
    scaled = [c * (X - X @ p.L @ p.L.T) for c, p in zip((a, b), points, strict=True)]
    expected = float(((scaled[0] - scaled[1]) ** 2).sum())
    assert distance(*points, a, b) == pytest.approx(expected, rel=1e-8, abs=1e-9)


@given(seed=SEEDS)
def test_a_proof_is_a_dual_point_with_the_bound_of_the_solution(seed: int) -> None:
    here = solved(problem_of(seed, Squared(), ENDS[0]), 1e-3)
    assert here.proof is not None
    X, L = here.point.problem.samples.centred_rows(), here.proof.point.L
    A = 2.0 * here.proof.scale * (X - X @ L @ L.T)
    bound = float((A * X).sum() - 0.25 * (A**2).sum())
    assert here.bound == pytest.approx(bound, rel=1e-9)


def test_without_proofs_the_bounds_alone_count() -> None:
    with_proofs = segment_of(0, Squared())
    without = Segment(*(replace(end, proof=None) for end in (with_proofs.first, with_proofs.last)))
    problem = on_the_way(with_proofs, 0.5)
    bounds = [end.bound for end in (with_proofs.first, with_proofs.last)]
    assert without.at(problem).bound == pytest.approx(np.mean(bounds))
    assert with_proofs.at(problem).bound > without.at(problem).bound


def test_the_ends_are_themselves() -> None:
    segment = segment_of(1, Squared())
    for end in (segment.first, segment.last):
        mixed = segment.at(end.point.problem)
        assert mixed.bound == pytest.approx(end.bound)
        assert mixed.value == pytest.approx(end.point.value, rel=1e-4)


def test_a_start_has_the_rank_of_its_ends() -> None:
    segment = segment_of(2, Squared())
    problem = on_the_way(segment, 0.5)
    start = segment.start(problem)
    assert start.L.shape[1] == max(end.point.L.shape[1] for end in (segment.first, segment.last))
    again = problem.evaluate(start.L)
    np.testing.assert_allclose(start.data.H, again.data.H, atol=1e-9)
    # Better than what either end has to offer.
    ends = [problem.evaluate(end.point.L).value for end in (segment.first, segment.last)]
    assert start.value < min(ends)
