"""Columns of B that W leaves free: what the steps do, against dense matrices and the optimum."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sparsecone.certificate import SpanPart, bound_with, certify, strategy_for
from sparsecone.certificate.free_columns import FreeColumns
from sparsecone.data import as_samples
from sparsecone.model.losses import Loss, Robust, Squared
from sparsecone.model.problem import Point, Problem
from sparsecone.solve.driver import solve_with_proof
from sparsecone.solvers import make_plan


def problem_of(seed: int, loss: Loss) -> Problem:
    """Return a problem whose optimum has some columns of zeros."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 3)) @ (rng.normal(size=(3, 12)) * np.linspace(2.0, 0.05, 12))
    free = Problem(as_samples(X + 0.2 * rng.normal(size=X.shape)), loss, 0.0, 0.0)
    return free.with_weights(lam=0.06 * free.zero.value, eta=0.06 * free.zero.value)


def solved(problem: Problem) -> Point:
    """Return the optimum with exact zeros, nearly."""
    plan = make_plan(problem, "factored")
    return solve_with_proof(problem, plan, tol=1e-6, max_time=None)[1].point


def columns_at(point: Point) -> tuple[FreeColumns, float]:
    strategy = strategy_for(point.problem, tol=1e-4)
    excess = strategy.excess(point)
    assert excess.part is not None
    columns = FreeColumns.of(point, excess.part)
    assert columns is not None
    return columns, excess.room


def in_all_directions(columns: FreeColumns) -> FreeColumns:
    """Return the same in coordinates of all directions of the basis."""
    turn, whole = columns.turn, np.eye(columns.part.basis.shape[1])
    given, span = columns.given @ turn.T, turn @ columns.span
    return replace(columns, turn=whole, given=given, span=span, rows=columns.rows @ turn.T)


def dense(columns: FreeColumns) -> tuple[np.ndarray, np.ndarray]:
    """Return B and M - eta I as matrices, from their definitions."""
    point = columns.point
    problem, L = point.problem, point.L
    W = L @ L.T
    B = -problem.lam * W / point.smooth_scores - columns.part.basis @ columns.turn @ columns.rows.T
    A = point.curvature_matrix() @ (np.eye(len(W)) - W)
    return B, 0.5 * (A + A.T + B + B.T) - problem.eta * np.eye(len(W))


@pytest.mark.parametrize("inside_first", [False, True])
@pytest.mark.parametrize("loss", [Squared(), Robust(0.1)], ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_steps_are_those_of_dense_matrices(loss: Loss, seed: int, inside_first: bool) -> None:
    point = solved(problem_of(seed, loss))
    assert (point.squared_scores == 0.0).any()
    columns, room = columns_at(point)
    columns = columns.cancelled()
    _, M = dense(columns)
    free, W = columns.free, point.L @ point.L.T
    assert np.abs((M @ W)[free]).max() <= 1e-6 * point.problem.eta
    excess = columns.part.excess(room)
    after = columns.subtracted(excess, inside_first=inside_first)
    B, M = dense(after)
    Q = after.part.basis
    scale = np.abs(M).max()
    np.testing.assert_allclose(Q.T @ M @ Q, after.part.inside, atol=1e-9 * scale)
    outside = M @ Q - Q @ after.part.inside
    np.testing.assert_allclose(outside, after.part.leaving, atol=1e-9 * scale)
    lengths = np.linalg.norm(B, axis=0)
    assert np.all(lengths <= point.problem.lam * (1.0 + 1e-9))
    at_the_point = point.problem.lam**2 * point.squared_scores / point.smooth_scores**2
    bounds = np.sqrt(after.squares(at_the_point))
    assert np.all(lengths <= bounds)
    np.testing.assert_allclose(lengths, bounds, atol=1e-6 * point.problem.lam)


@pytest.mark.parametrize("seed", range(3))
def test_long_columns_are_shortened_outside_of_the_range_first(seed: int) -> None:
    columns = in_all_directions(columns_at(solved(problem_of(seed, Squared())))[0])
    lam, span = columns.point.problem.lam, columns.span
    rng = np.random.default_rng(seed)
    wanted = lam * rng.normal(size=columns.given.shape) / np.sqrt(columns.given.shape[1])
    inside = np.linalg.norm(wanted @ span, axis=1)
    too_long = np.linalg.norm(wanted, axis=1) > lam
    assert (too_long & (inside < lam)).any()
    found = columns._with(wanted - columns.given, inside_first=True)
    after = columns.given + found.rows
    kept = np.minimum(1.0, lam / inside)[:, None] * (wanted @ span)
    np.testing.assert_allclose(after @ span, kept, atol=1e-9 * lam)
    lengths = np.linalg.norm(after, axis=1)
    np.testing.assert_allclose(lengths[too_long], lam)
    np.testing.assert_allclose(after[~too_long], wanted[~too_long], atol=1e-9 * lam)


@pytest.mark.parametrize("seed", range(3))
def test_a_point_with_zeros_proves_itself(seed: int) -> None:
    point = solved(problem_of(seed, Squared()))
    strategy = strategy_for(point.problem, tol=1e-4)
    without = bound_with(point, strategy.excess(point)).value
    found = certify(point, strategy, tol=1e-4).bound
    assert without < point.value * (1.0 - 1e-3)
    assert point.value * (1.0 - 1e-4) <= found <= point.value + point.rounding


def test_without_zeros_nothing_is_free() -> None:
    problem = problem_of(0, Squared())
    even = problem.evaluate(np.ones((12, 1)))
    assert FreeColumns.of(even, SpanPart.of(even)) is None
