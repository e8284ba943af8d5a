"""Sparse samples with means far from zero: nothing cancels, and little is stored."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp

from sparsecone import SPCAPSD
from sparsecone.data import as_rows, rows
from sparsecone.data.sparse import column_means, without_means


def exact_trace(X: np.ndarray) -> float:
    """Return the sum of squares about the means, in rational arithmetic."""
    total = Fraction(0)
    for column in X.T:
        values = [Fraction(float(value)) for value in column]
        mean = sum(values) / len(values)
        total += sum((value - mean) ** 2 for value in values)
    return float(total)


@pytest.mark.parametrize("mean", [0.0, 1.0, 1e4, 1e6, 1e7])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_trace_is_exact_whatever_the_mean(mean: float, dtype: type) -> None:
    X = (np.random.default_rng(0).normal(size=(40, 5)) + mean).astype(dtype)
    samples = as_rows(sp.csr_array(X))
    expected = exact_trace(X)
    assert abs(samples.trace - expected) <= samples.gram_error
    assert samples.trace == pytest.approx(expected, rel=1e-12)
    np.testing.assert_allclose(samples.squared_norms.sum(), expected, rtol=1e-9)
    product = samples.weighted_product(np.eye(5), None)
    assert np.trace(product) == pytest.approx(expected, rel=1e-9)


def test_a_few_zeros_in_a_column_far_from_zero() -> None:
    X = np.random.default_rng(0).normal((1e6, 0.0, 50.0), size=(100, 3))
    X[:, 1] *= np.random.default_rng(1).uniform(size=100) < 0.1
    X[7, 0] = X[8, 2] = 0.0
    stored = sp.csr_matrix(X)
    samples = as_rows(stored)
    assert samples.trace == pytest.approx(exact_trace(X), rel=1e-12)
    assert samples.matrix.nnz <= stored.nnz + 2
    np.testing.assert_allclose(samples.centred_rows(), X - X.mean(axis=0), atol=1e-9)


def test_only_columns_that_are_mostly_there_are_filled() -> None:
    X = sp.csr_matrix(np.array([[5.0, 0.0], [5.0, 0.0], [5.0, 7.0], [6.0, 0.0]]))
    mean = column_means(X)
    stored, offset = without_means(X, mean, np.array([True, True]))
    assert stored.nnz == 5
    np.testing.assert_allclose(offset, [0.0, mean[1]])
    assert without_means(X, mean, np.array([False, False]))[0] is X


def test_duplicate_entries_are_summed() -> None:
    entries = np.array([1.0, 1.0, 2.0, 2.0, 3.0, 3.0]), np.array([0, 0, 1, 1, 0, 1])
    X = sp.csr_matrix((*entries, np.array([0, 2, 4, 6])), shape=(3, 2))
    assert not X.has_canonical_format
    dense = SPCAPSD(eta=0.01, lam=0.1).fit(X.toarray())
    np.testing.assert_allclose(SPCAPSD(eta=0.01, lam=0.1).fit(X).scores_, dense.scores_)
    assert as_rows(X).trace == pytest.approx(exact_trace(X.toarray()))


@pytest.mark.parametrize("density", [0.03, 0.3])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_some_columns_of_the_scatter_matrix(
    density: float, dtype: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(0)
    X = np.where(rng.random((200, 30)) < density, rng.normal(3.0, size=(200, 30)), 0.0)
    X = X.astype(dtype)
    monkeypatch.setattr(rows, "BLOCK", 7)
    centred = X.astype(np.float64) - X.mean(axis=0, dtype=np.float64)
    some = np.array([4, 0, 21])
    found = as_rows(sp.csr_array(X)).gram_columns(some)
    np.testing.assert_allclose(found, centred.T @ centred[:, some], rtol=1e-9, atol=1e-9)
