"""Multipliers that are shorter where M exceeds eta, against dense matrices and the optimum."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sparsecone.certificate import Excess, SpanPart, bound_with, certify, strategy_for
from sparsecone.certificate.certify import Repair, damped
from sparsecone.certificate.damping import Damping
from sparsecone.certificate.matrix import low_rank_part, matrix_rounding
from sparsecone.data import as_samples
from sparsecone.linalg.rounding import sum_error
from sparsecone.linalg.types import Array
from sparsecone.model.losses import Robust
from sparsecone.model.problem import Point, Problem
from sparsecone.solve.driver import solve_with_proof
from sparsecone.solvers import make_plan


def problem_of(seed: int, loss: Robust, *, lam: float = 0.003, eta: float = 0.03) -> Problem:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(50, 4)) @ (rng.normal(size=(4, 12)) * [[9.0], [3.0], [1.0], [0.5]])
    free = Problem(as_samples(X + 0.2 * rng.normal(size=X.shape)), loss, 0.0, 0.0)
    return free.with_weights(lam=lam * free.zero.value, eta=eta * free.zero.value)


def near_optimum(problem: Problem, distance: float) -> tuple[Point, float]:
    """Return a point that is a part short of the optimum, and a bound of the optimum."""
    solution, end = solve_with_proof(
        problem, make_plan(problem, "factored"), tol=1e-6, max_time=None
    )
    return problem.evaluate((1.0 - distance) * end.point.L, eps=1e-12), solution.bound


def shortened(point: Point) -> tuple[Repair, Repair]:
    """Return bound and excess with the multipliers as they are, and shorter ones."""
    excess = strategy_for(point.problem, tol=1e-4).excess(point)
    plain = Repair(excess, bound_with(point, excess))
    return plain, damped(point, plain)


def dense(point: Point, damping: Damping) -> tuple[Array, Array]:
    """Return A' and M - eta I from their definitions."""
    problem, W = point.problem, point.L @ point.L.T
    X, Q = problem.samples.centred_rows(), damping.part.basis
    A = ((X - X @ W) * point.data.weights[:, None]).T
    A = A - Q @ damping.core @ (Q.T @ A)
    M = A @ X - problem.lam * W / point.smooth_scores
    return A, 0.5 * (M + M.T) - problem.eta * np.eye(len(W))


@pytest.mark.parametrize("loss", [Robust(), Robust(0.1)], ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_shorter_multipliers_are_those_of_dense_matrices(loss: Robust, seed: int) -> None:
    point, _ = near_optimum(problem_of(seed, loss), 1e-4)
    damping = shortened(point)[1].damping
    assert damping is not None
    A, M = dense(point, damping)
    Q, scale = damping.part.basis, float(np.abs(M).max())
    np.testing.assert_allclose(Q.T @ M @ Q, damping.part.inside, atol=1e-9 * scale)
    leaving = M @ Q - Q @ damping.part.inside
    np.testing.assert_allclose(leaving, damping.part.leaving, atol=1e-9 * scale)
    X = point.problem.samples.centred_rows()
    inner = point.data.inner - damping.lost
    assert abs(np.vdot(A, X.T) - inner) <= damping.lost_error + 1e-9 * inner
    before = point.data.weights * np.linalg.norm(X - X @ point.L @ point.L.T, axis=1)
    assert np.all(np.linalg.norm(A, axis=0) <= before * (1.0 + 1e-12))


@pytest.mark.parametrize("distance", [1e-5, 1e-4, 1e-3])
@pytest.mark.parametrize("seed", range(3))
def test_a_direction_costs_its_excess_and_not_its_share_of_all(seed: int, distance: float) -> None:
    point, optimum = near_optimum(problem_of(seed, Robust()), distance)
    plain, found = shortened(point)
    assert found.bound.value <= optimum * (1.0 + 2e-6)
    lost = [point.value - repair.bound.value for repair in (plain, found)]
    assert lost[1] < 0.2 * lost[0]
    strategy = strategy_for(point.problem, tol=1e-9)
    assert certify(point, strategy, tol=1e-9).bound >= found.bound.value


def test_nothing_is_shortened_where_nothing_exceeds_eta() -> None:
    problem = problem_of(0, Robust(), lam=0.2, eta=2.0)
    plain, found = shortened(problem.zero)
    assert plain.excess.values.size == 0
    assert found is plain


def test_multipliers_are_never_turned_round() -> None:
    point, _ = near_optimum(problem_of(0, Robust()), 1e-3)
    excess = shortened(point)[0].excess
    assert excess.part is not None
    damping = Damping.of(point, excess.part)
    shorter = damping.cancelled(excess)
    assert shorter is not None
    lengths = np.linalg.eigvalsh(shorter.core)
    assert lengths[0] > 0.0
    assert lengths[-1] <= 1.0
    assert damping.cancelled(replace(excess, values=100.0 * excess.values)) is None


def test_an_image_that_is_off_lowers_the_bound() -> None:
    point, _ = near_optimum(problem_of(0, Robust()), 1e-4)
    plain, _ = shortened(point)
    assert plain.excess.part is not None
    exact = Damping.of(point, plain.excess.part)
    off = replace(exact, image_error=exact.image_error + 1e-2 * point.problem.eta)
    bounds = []
    for damping in (exact, off):
        shorter = damping.cancelled(plain.excess)
        assert shorter is not None
        excess = shorter.part.excess(plain.excess.room)
        bounds.append(bound_with(point, excess, damping=shorter).value)
    assert bounds[1] < bounds[0]


def small(*, image_error: float = 0.0, skew: float = 0.0) -> Damping:
    """Return multipliers as they are, with Q of two axes and Q'Z = diag(3, 1), and all exact."""
    basis, leaving = np.eye(4)[:, :2], np.zeros((4, 2))
    part = SpanPart(basis, np.diag([0.5, 0.1]), np.zeros((2, 2)), 0.0, 0.0, leaving, skew)
    image = np.array([[3.0, 0.0], [0.0, 1.0], [2.0, 0.0], [0.0, -2.0]])
    return Damping(part, image, image_error, 0.5, np.zeros((2, 2)), part)


def above(values: Array, vectors: Array) -> Excess:
    return Excess(values, vectors, 0.0)


def test_what_is_taken_away_is_divided_by_the_mean_of_two_eigenvalues() -> None:
    turned = np.array([[0.6, 0.0], [0.8, 0.0], [0.0, 0.0], [0.0, 0.0]])[:, :1]
    found = small().cancelled(above(np.array([0.25]), turned))
    assert found is not None
    e = 0.25 * np.array([[0.36, 0.48], [0.48, 0.64]])
    # Where rounding may have made it negative it is lifted by as much.
    lifted = 4.0 * 2.0 * sum_error(4) * 0.25 / 0.5
    exact = e / np.array([[3.0, 2.0], [2.0, 1.0]])
    np.testing.assert_allclose(found.core, exact + lifted * np.eye(2), rtol=1e-15)
    assert found.core[0, 0] - exact[0, 0] == pytest.approx(lifted, rel=0.01, abs=0.0)
    assert found.lost == pytest.approx(3.0 * exact[0, 0] + exact[1, 1], rel=1e-12)
    # M less sym(Q p Z') has nothing of e.
    D = found.image @ found.core
    np.testing.assert_allclose(found.part.inside, np.diag([0.5, 0.1]) - e, rtol=1e-12)
    np.testing.assert_allclose(found.part.leaving[2:], -0.5 * D[2:], rtol=1e-12)


def test_steps_add_up() -> None:
    excess = above(np.array([0.25]), np.eye(4)[:, :1])
    once = small().cancelled(excess)
    assert once is not None
    twice = once.cancelled(excess)
    assert twice is not None
    np.testing.assert_allclose(twice.core, 2.0 * once.core, rtol=1e-13)


def test_small_eigenvalues_are_taken_for_half_of_eta() -> None:
    given = replace(small(), image=np.diag([3.0, 0.1, 0.0, 0.0])[:, :2])
    found = given.cancelled(above(np.array([0.25]), np.eye(4)[:, 1:2]))
    assert found is not None
    assert found.core[1, 1] == pytest.approx(0.25 / 0.5, rel=1e-12)


def test_no_multiplier_is_taken_away_twice_nor_where_nothing_exceeds_eta() -> None:
    first = np.eye(4)[:, :1]
    assert small().cancelled(above(np.array([2.9]), first)) is not None
    assert small().cancelled(above(np.array([3.1]), first)) is None
    assert small().cancelled(above(np.zeros(0), np.zeros((4, 0)))) is None
    with np.errstate(over="ignore", invalid="ignore"):
        assert small().cancelled(above(np.array([1e308]), 1e10 * first)) is None


@pytest.mark.parametrize("error", [0.0, 1e-3])
def test_every_error_of_shorter_multipliers_counts(error: float) -> None:
    excess = above(np.array([0.25]), np.eye(4)[:, :1])
    found = small(image_error=error).cancelled(excess)
    assert found is not None
    size, core = np.sqrt(9.0 + 1.0 + 4.0 + 4.0), float(np.linalg.norm(found.core))
    summed = 4.0 * sum_error(4 + 2) * np.sqrt(2.0) * float(np.linalg.norm(found.image @ found.core))
    off = 2.0 * (error + sum_error(2) * size) * core
    assert found.part.error == pytest.approx(summed + off, rel=1e-12, abs=0.0)
    lost = 2.0 * np.sqrt(2.0) * (error + sum_error(4 + 4) * size) * core
    assert found.lost_error == pytest.approx(lost, rel=1e-12, abs=0.0)


@pytest.mark.parametrize("error", [0.0, 1e-3])
def test_the_image_has_every_error_of_the_part_and_of_the_matrix(error: float) -> None:
    problem = problem_of(0, Robust())
    point = problem.evaluate(0.2 * np.random.default_rng(0).normal(size=(12, 3)))
    part = replace(SpanPart.of(point), error=error)
    found = Damping.of(point, part)
    X, W = problem.samples.centred_rows(), point.L @ point.L.T
    A = ((X - X @ W) * point.data.weights[:, None]).T
    np.testing.assert_allclose(found.image, X.T @ (A.T @ part.basis), atol=1e-10)
    np.testing.assert_array_equal(found.core, np.zeros((3, 3)))
    assert found.least == 0.5 * problem.eta
    rounding = matrix_rounding(point, *low_rank_part(point))
    size = np.linalg.norm(part.inside) + np.linalg.norm(part.leaving) + problem.eta
    expected = 2.0 * error + np.sqrt(3.0) * (4.0 * rounding + sum_error(12) * size)
    assert found.image_error == pytest.approx(expected, rel=1e-12, abs=0.0)
