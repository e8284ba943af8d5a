"""The stated errors bound those that are made."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sparsecone.linalg.basis import whitening
from sparsecone.linalg.rounding import PROBES, measured_error, norm, spectral_bound, sum_error


@settings(max_examples=20)
@given(seed=st.integers(0, 1000), length=st.integers(1, 200))
def test_inner_products_are_within_their_error(seed: int, length: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(2, length)) * 10.0 ** rng.integers(-8, 8, size=(2, length))
    exact = sum(Fraction(a) * Fraction(b) for a, b in zip(x, y, strict=True))
    off = abs(Fraction(float(x @ y)) - exact)
    assert off <= Fraction(sum_error(length) * float(np.abs(x) @ np.abs(y)))


@pytest.mark.parametrize("rank", [1, 3, 50])
def test_a_measured_error_is_no_less_than_the_error(rank: int) -> None:
    for seed in range(50):
        rng = np.random.default_rng([seed, rank])
        matrix = rng.normal(size=(50, rank)) @ rng.normal(size=(rank, 50))
        found = measured_error(matrix, lambda directions: np.zeros((50, directions.shape[1])))
        size = float(np.linalg.norm(matrix))
        assert size <= found <= 10.0 * PROBES * size


@settings(max_examples=50)
@given(
    seed=st.integers(0, 1000),
    rows=st.integers(0, 6),
    columns=st.integers(0, 6),
    exponent=st.integers(-8, 8),
)
def test_a_spectral_bound_is_between_two_norms(
    seed: int, rows: int, columns: int, exponent: int
) -> None:
    matrix = np.random.default_rng(seed).normal(size=(rows, columns)) * 10.0**exponent
    exact = float(np.linalg.svd(matrix, compute_uv=False).max(initial=0.0))
    room = 1.0 + 1e-12
    assert exact <= spectral_bound(matrix) * room <= norm(matrix) * room**2


def test_a_spectral_bound_is_exact_for_orthogonal_columns() -> None:
    columns, _ = np.linalg.qr(np.random.default_rng(1).normal(size=(7, 4)))
    lengths = np.array([1.0, 3.0, 2.0, 1e-3])
    assert spectral_bound(columns) == pytest.approx(1.0, rel=1e-14)
    assert spectral_bound(columns * lengths) == pytest.approx(3.0, rel=1e-14)
    assert spectral_bound(np.array([[3.0, 4.0]])) == pytest.approx(5.0, rel=1e-14)


def test_whitening_makes_orthonormal_and_drops_what_is_short() -> None:
    L = np.random.default_rng(0).normal(size=(30, 4)) * [1.0, 1e-2, 1e-4, 1e-7]
    white = whitening(L.T @ L)
    Q = L @ white.transform
    np.testing.assert_allclose(Q.T @ Q, np.eye(3), atol=1e-6)
    assert white.dropped.shape == (4, 1)
    assert np.linalg.norm(L @ white.dropped) < 1e-5
    assert whitening(L.T @ L, 1e-3, unit=1e9).transform.shape[1] == 0
