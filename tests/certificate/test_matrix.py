"""M as a matrix of low rank beside the data, and every term of what rounding may do to it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sparsecone.certificate.matrix import (
    apply,
    gradient_error,
    low_rank_part,
    matrix_rounding,
    matrix_size,
)
from sparsecone.data.centring import as_rows
from sparsecone.linalg.rounding import sum_error
from sparsecone.linalg.types import Array
from sparsecone.model.losses import Robust, Squared
from sparsecone.model.problem import Point, Problem

LAM, ETA = 0.3, 0.7
ROWS = as_rows(np.random.default_rng(0).normal(size=(9, 5)) * 3.0)
# Orthogonal columns: the spectral norm is 3, that of Frobenius 5.
L = np.array([[3.0, 0.0], [0.0, 2.4], [0.0, 0.0], [0.0, -3.2], [0.0, 0.0]])
L[:, 1] *= 0.5
SPECTRAL, FROBENIUS = 3.0, np.sqrt(13.0)
V = np.array([0.0, 0.0, 2.0, 0.0, -1.0])
NOTHING = np.zeros((5, 2))


def point_of(*, offset: bool) -> Point:
    """Return a point whose stated errors are of the size of its own rounding, and all different."""
    problem = Problem(ROWS, Robust(recenter=offset), LAM, ETA)
    point = problem.evaluate(L, V if offset else None)
    return replace(point, data=replace(point.data, H_error=3e-15, matrix_rounding=7e-15))


def without_errors(point: Point, **given: float) -> Point:
    """Return the point with nothing but these errors."""
    errors = {"H_error": 0.0, "matrix_rounding": 0.0} | given
    return replace(point, data=replace(point.data, **errors))  # type: ignore[arg-type]


def spectral_norm(array: Array) -> float:
    """Return the bound of a largest singular value: squares are sums of d terms."""
    gram = array.T @ array
    largest = np.linalg.eigvalsh(gram)[-1] + 2.0 * sum_error(len(array)) * np.trace(gram)
    return float(np.sqrt(largest))


@pytest.mark.parametrize("offset", [False, True])
def test_the_parts_and_products_are_those_of_the_matrix(offset: bool) -> None:
    point = point_of(offset=offset)
    X, W = ROWS.centred_rows(), L @ L.T
    weights = point.data.weights
    A = (weights[:, None] * (X - X @ W - (V if offset else 0.0))).T
    M = A @ X - LAM * W / np.linalg.norm(W, axis=0).clip(1e-300)
    M = 0.5 * (M + M.T)
    left, right = low_rank_part(point)
    assert left.shape == right.shape == (5, 3 if offset else 2)
    formed = X.T @ (weights[:, None] * X) - 0.5 * (left @ right.T + right @ left.T)
    np.testing.assert_allclose(formed, M, atol=1e-12)
    np.testing.assert_allclose(apply(point, left, right, np.eye(5)), M, atol=1e-12)
    size = np.trace(X.T @ (weights[:, None] * X)) + np.linalg.norm(left) * np.linalg.norm(right)
    assert matrix_size(point, left, right) == pytest.approx(size, rel=1e-13, abs=0.0)


def test_the_largest_singular_value_is_rounded_upwards() -> None:
    point = Problem(ROWS, Squared(), LAM, ETA).evaluate(np.eye(5))
    found = matrix_rounding(without_errors(point, H_error=1.0), NOTHING, NOTHING)
    # Five eigenvalues of one, whose squares are sums of five terms.
    assert found - 1.0 == pytest.approx(5.0 * sum_error(5), rel=0.02, abs=0.0)


def test_an_empty_factor_has_no_size() -> None:
    point = without_errors(Problem(ROWS, Squared(), LAM, ETA).zero, H_error=1.0)
    empty = np.zeros((5, 0))
    assert matrix_rounding(point, empty, empty) == 0.0
    assert gradient_error(point, empty, empty) == 1.0


@pytest.mark.parametrize("offset", [False, True])
def test_rounding_of_the_matrix_has_all_its_terms(offset: bool) -> None:
    point = point_of(offset=offset)
    left, right = low_rank_part(point)
    r = 3 if offset else 2
    sums = sum_error(5 + 2 * r) * np.linalg.norm(left) * np.linalg.norm(right)
    expected = 7e-15 + spectral_norm(L) * 3e-15 + sums
    if offset:
        expected += 7e-15 + sum_error(9 + 5) * point.data.total_weight * (V @ V)
    assert matrix_rounding(point, left, right) == pytest.approx(expected, rel=1e-13, abs=0.0)


def test_an_error_of_the_offset_is_that_of_the_mean_and_its_own() -> None:
    point = without_errors(point_of(offset=True))
    expected = sum_error(9 + 5) * point.data.total_weight * (V @ V)
    assert matrix_rounding(point, NOTHING, NOTHING) == pytest.approx(expected, rel=1e-13, abs=0.0)
    found = matrix_rounding(without_errors(point, matrix_rounding=1.0), NOTHING, NOTHING)
    assert found == pytest.approx(2.0, rel=1e-12)


@pytest.mark.parametrize("offset", [False, True])
def test_rounding_of_the_gradient_has_all_its_terms(offset: bool) -> None:
    point = point_of(offset=offset)
    left, right = low_rank_part(point)
    r = 3 if offset else 2
    length, image = float(np.linalg.norm(left)), float(np.linalg.norm(right))
    largest = spectral_norm(left)
    # L'L and L'C are sums of d terms; they multiply what has r columns, in three products.
    expected = sum_error(5) * image * length * (length + largest)
    A = float(np.linalg.norm(L.T @ L))
    expected += sum_error(3 * r) * image * (A + 2.0 * length * largest + 4.0)
    expected += sum_error(0) * ETA * length
    expected += 3e-15 * (1.0 + largest**2)
    if offset:
        mean = 7e-15 + sum_error(9 + 5) * point.data.total_weight * (V @ V)
        expected += mean * FROBENIUS
    assert gradient_error(point, left, right) == pytest.approx(expected, rel=1e-13, abs=0.0)


def test_terms_of_the_gradient_one_by_one() -> None:
    point = without_errors(point_of(offset=False))
    one = np.zeros((5, 2))
    one[0, 0] = 1.0
    trace = gradient_error(point, one, NOTHING)
    assert trace == pytest.approx(sum_error(0) * ETA, rel=1e-13, abs=0.0)
    expected = 2.0 * sum_error(5) + sum_error(6) * (np.linalg.norm(L.T @ L) + 6.0)
    assert gradient_error(point, one, one) - trace == pytest.approx(expected, rel=1e-13, abs=0.0)
    assert spectral_norm(L) == pytest.approx(SPECTRAL, rel=1e-14)


@pytest.mark.parametrize("offset", [False, True])
def test_the_matrix_is_as_close_as_it_is_said_to_be(offset: bool) -> None:
    problem = Problem(ROWS, Robust(recenter=offset), LAM, ETA)
    point = problem.evaluate(L, V if offset else None)
    left, right = low_rank_part(point)
    given = [array.astype(np.longdouble) for array in (ROWS.centred_rows(), point.data.weights)]
    X, weights = given[0] - given[0].mean(axis=0), given[1]
    W = L.astype(np.longdouble) @ L.T
    A = (weights[:, None] * (X - X @ W - (V if offset else 0.0))).T
    M = A @ X - LAM * W / point.smooth_scores
    off = np.asarray(apply(point, left, right, np.eye(5)) - 0.5 * (M + M.T), dtype=float)
    assert np.linalg.norm(off, 2) <= matrix_rounding(point, left, right)
