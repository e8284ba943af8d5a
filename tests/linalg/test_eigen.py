"""Bounds on the largest eigenvalue: they hold, also where two eigenvalues are close."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.linalg

from sparsecone.linalg import eigen
from sparsecone.linalg.eigen import (
    is_below,
    krylov_pairs,
    pairs_above,
    randomised_largest,
)
from sparsecone.linalg.rounding import cholesky_error, eigen_error


def close_pair(seed: int, size: int = 400) -> np.ndarray:
    """Return the eigenvalues 1.002 and 1 in a bulk below 0.9, as a diagonal matrix would have."""
    bulk = np.random.default_rng(seed).uniform(0.0, 0.9, size=size - 2)
    return np.concatenate([[1.002, 1.0], bulk])


@pytest.mark.parametrize("level", [0.5, 1.001, 1.5, 10.0])
def test_no_bound_is_below_the_largest_of_a_close_pair(
    level: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(60):
        values = close_pair(seed)
        start = np.random.default_rng(seed)
        monkeypatch.setattr(eigen.np.random, "default_rng", lambda _, start=start: start)
        found = randomised_largest(lambda x, values=values: values * x, values.size, level)
        assert found.bound >= 1.002
        assert found.value <= 1.002 * (1.0 + 1e-12)
        monkeypatch.undo()


def test_a_small_matrix_is_exhausted() -> None:
    found = randomised_largest(lambda x: np.array([3.0, 2.0, 1.0]) * x, 3, 10.0)
    assert found.bound == pytest.approx(3.0, rel=1e-9)
    assert found.bound >= 3.0


def test_pairs_above_a_level() -> None:
    basis = scipy.linalg.qr(np.random.default_rng(0).normal(size=(6, 6)))[0]
    matrix = (basis * [5.0, 4.0, 3.0, 2.0, 1.0, 0.0]) @ basis.T
    np.testing.assert_allclose(pairs_above(matrix, 2.5)[0], [5.0, 4.0, 3.0])
    np.testing.assert_allclose(krylov_pairs(lambda L: matrix @ L, 6, 2)[0], [5.0, 4.0])
    assert pairs_above(np.zeros((0, 0)), 0.0)[0].size == 0


@pytest.mark.parametrize("says_so", [True, False])
def test_a_failed_part_of_the_spectrum_is_computed_whole(
    monkeypatch: pytest.MonkeyPatch, says_so: bool
) -> None:
    diagonal = np.arange(100.0)

    def fail(matrix: Any, **_: Any) -> Any:
        if says_so:
            raise np.linalg.LinAlgError("Internal Error.")
        return np.zeros(2), np.full((len(matrix), 2), np.nan)

    monkeypatch.setattr(scipy.linalg, "eigh", fail)
    values, vectors = pairs_above(np.diag(diagonal), 97.5)
    np.testing.assert_allclose(values, [99.0, 98.0])
    np.testing.assert_allclose(np.abs(vectors[98:]), [[0.0, 1.0], [1.0, 0.0]])


@pytest.mark.parametrize("size", [5, 60, 300])
def test_computed_pairs_are_within_the_stated_error(size: int) -> None:
    matrix = np.random.default_rng(size).normal(size=(size, size))
    matrix = matrix @ np.diag(np.geomspace(1.0, 1e-8, size)) @ matrix.T
    values, vectors = pairs_above(matrix, 0.0)
    residual = np.linalg.norm(matrix @ vectors - vectors * values, 2)
    assert residual <= 0.1 * eigen_error(size, values[0])


@pytest.mark.parametrize("size", [5, 60, 300])
def test_what_passes_cholesky_is_below_the_level(size: int) -> None:
    rng = np.random.default_rng(size)
    basis = scipy.linalg.qr(rng.normal(size=(size, size)))[0]
    for above in (1e-18, 1e-15, 1e-12, 1e-9):
        values = np.append(rng.uniform(0.0, 1.0, size=size - 1), 1.0 + above)
        matrix = (basis * values) @ basis.T
        stated = cholesky_error(size, size * 1.0 + float(np.abs(np.diag(matrix)).sum()))
        if is_below(matrix, 1.0):
            assert above <= stated + 1e-15


@pytest.mark.parametrize("size", [1, 2, 63, 64, 65, 200])
def test_cholesky_decides_again_and_again_from_the_lower_triangle(size: int) -> None:
    matrix = np.random.default_rng(size).normal(size=(size, size))
    largest = scipy.linalg.eigvalsh(matrix)[-1]
    lower = np.asfortranarray(np.tril(matrix))
    margin = 1e-9 * abs(largest)
    decisions = [is_below(lower, largest + sign * margin) for sign in (1, -1, 1, -1)]
    assert decisions == [True, False, True, False]
    np.testing.assert_array_equal(np.tril(lower), np.tril(matrix))
