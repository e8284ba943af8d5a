"""The largest eigenpairs of a low rank less a diagonal, against LAPACK's."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone.linalg import davidson
from sparsecone.linalg.davidson import largest_pairs


def made(seed: int, *, spread: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a matrix of rank 12, half of its eigenvalues negative, a diagonal, and their range."""
    rng = np.random.default_rng(seed)
    diagonal = 0.1 * spread ** rng.uniform(-1.0, 1.0, size=90)
    A, B = rng.normal(size=(90, 6)), rng.normal(size=(90, 6))
    return 0.5 * (A @ B.T + B @ A.T), diagonal, np.column_stack([A, B])


@pytest.mark.parametrize("spread", [1.0, 3.0, 1e3])
@pytest.mark.parametrize("seed", range(4))
def test_pairs_are_those_of_lapack(seed: int, spread: float) -> None:
    low, diagonal, start = made(seed, spread=spread)
    matrix = low - np.diag(diagonal)
    expected = np.linalg.eigvalsh(matrix)[::-1]
    count = int(np.count_nonzero(expected > 0.0))
    values, vectors = largest_pairs(lambda x: matrix @ x, diagonal, start, count)
    np.testing.assert_allclose(values, expected[:count], rtol=1e-12, atol=1e-12 * expected[0])
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(count), atol=1e-12)
    left_over = np.linalg.norm(matrix @ vectors - vectors * values, axis=0)
    assert (left_over <= 1e-10 * expected[0] + 1e-14 * diagonal.max()).all()


def test_a_start_with_columns_twice_and_zeros() -> None:
    low, diagonal, start = made(0, spread=3.0)
    matrix = low - np.diag(diagonal)
    start = np.column_stack([start, start[:, :3], np.zeros((90, 2))])
    values, vectors = largest_pairs(lambda x: matrix @ x, diagonal, start, 4)
    np.testing.assert_allclose(values, np.linalg.eigvalsh(matrix)[::-1][:4], rtol=1e-10)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(4), atol=1e-12)


def test_crowded_eigenvalues_below_those_that_are_sought() -> None:
    # One positive eigenvalue, and five so close below zero that they are hard to tell from it.
    low, diagonal, start = made(0, spread=3.0)
    matrix = low - np.diag(diagonal)
    values = np.linalg.eigvalsh(matrix)[::-1]
    directions = np.linalg.eigh(matrix)[1][:, ::-1][:, :6]
    low = low - (directions * (values[:6] - np.geomspace(0.02, 0.01, 6))) @ directions.T
    matrix = low - np.diag(diagonal)
    found, _ = largest_pairs(lambda x: matrix @ x, diagonal, start, 1)
    np.testing.assert_allclose(found, np.linalg.eigvalsh(matrix)[-1:], rtol=1e-9)


def test_what_rounding_hides_is_not_sought() -> None:
    # Products with a diagonal of 1e6 are off by more than the accuracy that is asked for.
    low, diagonal, start = made(1, spread=3.0)
    diagonal = 1e7 * diagonal
    matrix = low - np.diag(diagonal)
    matrix += np.outer(start[:, 0], start[:, 0]) * 1e6
    widths: list[int] = []

    def product(x: np.ndarray) -> np.ndarray:
        widths.append(x.shape[1])
        return matrix @ x

    values, _ = largest_pairs(product, diagonal, start, 1)
    np.testing.assert_allclose(values, np.linalg.eigvalsh(matrix)[-1:], rtol=1e-9)
    assert len(widths) < davidson.STEPS // 2
