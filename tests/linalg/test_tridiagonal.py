"""A reduced matrix: all eigenvalues, and the vectors of any part of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.linalg

from sparsecone.linalg import tridiagonal
from sparsecone.linalg.rounding import UNIT_SINGLE, eigen_error
from sparsecone.linalg.tridiagonal import Tridiagonal


def symmetric(size: int) -> np.ndarray:
    rows = np.random.default_rng(size).normal(size=(size, size))
    return rows @ np.diag(np.geomspace(1.0, 1e-8, size)) @ rows.T


@pytest.mark.parametrize("size", [1, 2, 7, 300])
def test_any_part_is_within_the_stated_error(size: int) -> None:
    matrix = symmetric(size)
    reduced = Tridiagonal(matrix)
    np.testing.assert_allclose(reduced.values, np.linalg.eigvalsh(matrix)[::-1], atol=1e-12 * size)
    for first, last in ((0, size), (0, size // 3), (size // 3, size), (0, size // 20)):
        vectors = reduced.vectors(first, last)
        residual = matrix @ vectors - vectors * reduced.values[first:last]
        assert np.linalg.norm(residual) <= 0.1 * eigen_error(size, float(reduced.values[0]))
        np.testing.assert_allclose(vectors.T @ vectors, np.eye(last - first), atol=1e-11)


def test_the_lower_triangle_counts_and_the_matrix_is_left_alone() -> None:
    matrix = symmetric(6)
    lower = np.tril(matrix)
    np.testing.assert_allclose(Tridiagonal(lower).values, Tridiagonal(matrix).values)
    np.testing.assert_array_equal(lower, np.tril(symmetric(6)))


@pytest.mark.parametrize("says_so", [True, False])
def test_a_failed_part_of_the_spectrum_is_computed_whole(
    monkeypatch: pytest.MonkeyPatch, says_so: bool
) -> None:
    original = tridiagonal.scipy.linalg.eigh_tridiagonal

    def fail(*given: Any, **options: Any) -> Any:
        if options and says_so:
            raise np.linalg.LinAlgError("Internal Error.")
        if options:
            return np.zeros(2), np.full((3, 2), np.nan)
        return original(*given)

    monkeypatch.setattr(tridiagonal.scipy.linalg, "eigh_tridiagonal", fail)
    vectors = Tridiagonal(np.diag([1.0, 3.0, 2.0])).vectors(0, 2)
    np.testing.assert_allclose(np.abs(vectors), [[0, 0], [1, 0], [0, 1]], atol=1e-15)


@pytest.mark.parametrize("rank", [3, 40, 300])
@pytest.mark.parametrize("parts", [1, 2])
def test_few_vectors_of_low_rank_and_of_parts_that_do_not_touch(rank: int, parts: int) -> None:
    rng = np.random.default_rng(0)
    blocks = [rng.normal(size=(300 // parts, rank)) for _ in range(parts)]
    matrix = np.asarray(scipy.linalg.block_diag(*(block @ block.T for block in blocks)))
    reduced = Tridiagonal(matrix)
    vectors = reduced.vectors(0, 6)
    residual = matrix @ vectors - vectors * reduced.values[:6]
    assert np.linalg.norm(residual) <= 0.1 * eigen_error(300, float(reduced.values[0]))
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(6), atol=1e-11)


def test_known_eigenvalues_are_not_sought_again(monkeypatch: pytest.MonkeyPatch) -> None:
    reduced = Tridiagonal(symmetric(100))
    monkeypatch.setattr(tridiagonal.scipy.linalg, "eigh_tridiagonal", None)
    assert reduced.vectors(0, 5).shape == (100, 5)


@pytest.mark.parametrize("unit", [1.0, 2.0**200, 2.0**-200])
def test_single_precision_is_within_its_stated_error(unit: float) -> None:
    matrix = unit * symmetric(300)
    reduced = Tridiagonal(matrix, single=True)
    exact, norm = np.linalg.eigvalsh(matrix)[::-1], float(np.linalg.norm(matrix))
    off = np.linalg.norm(reduced.values - exact)
    assert 1e-9 * norm < off <= 0.1 * eigen_error(300, norm, UNIT_SINGLE)
    vectors = reduced.vectors(0, 10)
    assert vectors.dtype == np.float64
    residual = np.linalg.norm(matrix @ vectors - vectors * reduced.values[:10])
    assert residual <= 0.1 * eigen_error(300, float(exact[0]), UNIT_SINGLE)
    np.testing.assert_array_equal(matrix, unit * symmetric(300))


def test_inverse_iteration_that_ends_in_no_numbers_is_not_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reduced = Tridiagonal(symmetric(100))
    expected = reduced.vectors(0, 5)

    def fail(*_: Any) -> Any:
        return np.full((100, 5), np.nan), 0

    monkeypatch.setattr(tridiagonal.lapack, "dstein", fail)
    found = reduced.vectors(0, 5)
    np.testing.assert_allclose(np.abs(found.T @ expected), np.eye(5), atol=1e-10)
