"""Solutions of the equation of Lyapunov hold it, stay in the cone, and know their small parts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sparsecone.linalg.lyapunov import Symmetric, shifts, solved, solved_in_span
from sparsecone.linalg.types import Array


def equation(size: int, rank: int, decades: float, seed: int = 0) -> tuple[Array, Array]:
    """Return a factor Y of S, and a diagonal D that spans so many decades."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(size, rank)), 10.0 ** rng.uniform(-decades, 0.0, size=size)


def matrix(W: Symmetric) -> Array:
    return W.core if W.basis is None else W.basis @ W.core @ W.basis.T


def left_over(Y: Array, D: Array, W: Array) -> float:
    """Return how far the equation is off, beside D."""
    S = Y @ Y.T
    A = S + np.diag(D)
    return float(np.linalg.norm(A @ W + W @ A - 2.0 * S) / np.linalg.norm(D))


@settings(max_examples=50, deadline=None)
@given(
    size=st.integers(1, 12),
    rank=st.integers(1, 15),
    decades=st.floats(0.0, 6.0),
    seed=st.integers(0, 1000),
)
def test_the_solution_is_symmetric_and_between_zero_and_one(
    size: int, rank: int, decades: float, seed: int
) -> None:
    Y, D = equation(size, rank, decades, seed)
    W = solved(Y @ Y.T, D)
    assert left_over(Y, D, W.core) < 1e-9
    np.testing.assert_array_equal(W.core, W.core.T)
    values = np.linalg.eigvalsh(W.core)
    assert values.min() >= -1e-9
    # Only over D = c I is W below the identity; its complement solves the equation with D.
    np.testing.assert_allclose(W.core + W.complement, np.eye(size), atol=1e-15)


def test_the_complement_keeps_its_digits_where_the_identity_is_all_but_reached() -> None:
    Y, D = equation(6, 20, 0.0)
    W = solved(1e14 * Y @ Y.T, D)
    S = 1e14 * Y @ Y.T
    exact = D[:, None] * np.eye(6)
    off = (S + exact) @ W.complement + W.complement @ (S + exact) - 2.0 * exact
    assert np.linalg.norm(off) < 1e-6
    assert 0.0 < np.linalg.norm(W.complement) < 1e-12


@pytest.mark.parametrize("decades", [0.0, 2.0, 6.0])
def test_in_a_subspace_the_equation_is_off_by_as_much_less_as_is_asked_for(decades: float) -> None:
    Y, D = equation(400, 4, decades)
    rough, fine = (solved_in_span(Y, D, error) for error in (1e-2, 1e-8))
    assert fine.basis is not None
    assert fine.basis.shape[1] < 200
    # The square of what is left is what is asked for.
    assert left_over(Y, D, matrix(fine)) < 1e-2 * left_over(Y, D, matrix(rough)) + 1e-12
    np.testing.assert_allclose(matrix(fine), solved(Y @ Y.T, D).core, atol=1e-5)


def test_more_shifts_for_wider_diagonals_and_smaller_errors() -> None:
    narrow, wide = np.array([0.5, 1.0]), np.array([1e-9, 1.0])
    assert len(shifts(narrow, 1e-3)) < len(shifts(wide, 1e-3)) < len(shifts(wide, 1e-6))
    assert np.all((shifts(wide, 1e-6) >= 1e-9) & (shifts(wide, 1e-6) <= 1.0))


def test_rows_leave_what_the_matrix_does_not_reproduce() -> None:
    Y, D = equation(40, 3, 1.0)
    W = solved_in_span(Y, D, 1e-8)
    np.testing.assert_allclose(W.leave(Y.T), Y.T - Y.T @ matrix(W), atol=1e-12)
    rows = np.linalg.norm(matrix(W), axis=1)
    np.testing.assert_allclose(np.sqrt(W.squared_rows), rows, atol=1e-12)


@pytest.mark.parametrize("in_span", [False, True])
def test_a_root_multiplies_to_the_matrix(in_span: bool) -> None:
    Y, D = equation(30, 2, 3.0)
    W = solved_in_span(Y, D, 1e-6) if in_span else solved(Y @ Y.T, D)
    L = W.root()
    np.testing.assert_allclose(L @ L.T, matrix(W), atol=1e-10)


def test_a_matrix_that_rounding_makes_indefinite_keeps_its_positive_part() -> None:
    turn = np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))[0]
    core = turn @ np.diag([1.0, 1e-5, -1e-6]) @ turn.T
    W = Symmetric(core, np.eye(3) - core)
    R, signs = W.signed_root
    np.testing.assert_allclose((R * signs) @ R.T, core, atol=1e-15)
    positive = turn @ np.diag([1.0, 1e-5, 0.0]) @ turn.T
    np.testing.assert_allclose(W.root() @ W.root().T, positive, atol=1e-14)
