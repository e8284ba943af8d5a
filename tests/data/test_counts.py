"""Residuals of counts: every answer is that of the dense residuals, and nothing is dense."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from sparsecone import CSPCAPSD, SPCAPSD, from_counts
from sparsecone.data import Counts


def drawn(shape: tuple[int, int], seed: int = 0) -> Any:
    """Return counts with full and rare columns, and a row and a column without any."""
    rng = np.random.default_rng(seed)
    means = rng.lognormal(-1.0, 2.0, size=shape[1]) * rng.lognormal(0.0, 0.5, size=(shape[0], 1))
    means[: shape[0] // 2, : shape[1] // 4] *= 6.0
    counts = rng.poisson(means)
    counts[3], counts[:, 4] = 0, 0
    # Beyond the limit.
    counts[5, 6] = 4000
    return counts


def dense_residuals(counts: Any) -> Any:
    totals = counts.sum(axis=1, keepdims=True)
    expected = totals * counts.sum(axis=0) / totals.sum()
    residuals = np.divide(
        counts - expected, np.sqrt(expected), out=np.zeros(counts.shape), where=expected > 0
    )
    cut = np.minimum(residuals, np.sqrt(len(counts)))
    return cut - cut.mean(axis=0)


def data_of(source: Any) -> Any:
    return Counts(source).samples(weighed=False, dtypes=(np.float64,))


@pytest.mark.parametrize("shape", [(60, 25), (30, 80)])
@pytest.mark.parametrize("streamed", [False, True])
def test_answers_are_those_of_the_residuals(shape: tuple[int, int], streamed: bool) -> None:
    counts = drawn(shape)
    Z = dense_residuals(counts)
    S, rng = Z.T @ Z, np.random.default_rng(1)
    L, weights = rng.normal(size=(shape[1], 3)), rng.random(shape[0])
    blocks = [counts[:17], sp.csr_matrix(counts[17:])]
    data = data_of((lambda: iter(blocks)) if streamed else sp.csr_matrix(counts.astype(float)))
    close = {"rtol": 1e-10, "atol": 1e-9}
    np.testing.assert_allclose(data.gram_product(L), S @ L, **close)
    np.testing.assert_allclose(data.gram_matrix, S, **close)
    np.testing.assert_allclose(data.gram_columns(np.array([2, 6])), S[:, [2, 6]], **close)
    np.testing.assert_allclose(data.variances, np.diag(S), **close)
    np.testing.assert_allclose(data.trace, np.trace(S), **close)
    np.testing.assert_allclose(
        data.weighted_product(L, weights), Z.T @ (weights[:, None] * (Z @ L)), **close
    )
    np.testing.assert_allclose(data.weighted_gram(weights), (Z.T * weights) @ Z, **close)
    difference = np.linalg.norm(data.gram_product(np.eye(shape[1])) - S, 2)
    assert difference <= data.gram_error <= 1e-9 * data.trace


def test_rows_in_memory_answer_for_samples_too() -> None:
    counts = drawn((30, 80))
    Z = dense_residuals(counts)
    data = data_of(counts)
    weights = np.random.default_rng(1).random(80)
    close = {"rtol": 1e-10, "atol": 1e-9}
    np.testing.assert_allclose(data.sample_gram_matrix, Z @ Z.T, **close)
    np.testing.assert_allclose(data.sample_gram(weights), (Z * weights) @ Z.T, **close)
    np.testing.assert_allclose(data.weighted_squared_norms(weights), Z**2 @ weights, **close)
    np.testing.assert_allclose(data.squared_norms, (Z**2).sum(axis=1), **close)
    np.testing.assert_allclose(data.centred_rows(), Z, **close)
    np.testing.assert_allclose(data.dense(slice(3, 9)), Z[3:9], **close)
    assert (data.sizes >= data.squared_norms).all()


@pytest.mark.parametrize("selector", [SPCAPSD, CSPCAPSD])
def test_fits_are_those_of_the_residuals_and_certified(selector: Any) -> None:
    counts = drawn((80, 40))
    fit = selector(n_features_to_select=8, tol=1e-5).fit(from_counts(sp.csr_matrix(counts)))
    dense = selector(n_features_to_select=8, tol=1e-5).fit(dense_residuals(counts))
    assert fit.solution_.status == "converged"
    assert fit.solution_.value == pytest.approx(dense.solution_.value, rel=2e-5)
    assert fit.solution_.bound <= dense.solution_.value
    np.testing.assert_array_equal(np.sort(fit.selected_), np.sort(dense.selected_))


def test_single_precision_is_kept_and_nothing_is_dense() -> None:
    n, d = 3000, 20_000
    rng = np.random.default_rng(0)
    counts = sp.random_array((n, d), density=2e-3, format="csr", random_state=rng, dtype=np.float32)
    counts.data = np.ceil(3.0 * counts.data)
    tracemalloc.start()
    data = data_of(sp.csr_matrix(counts))
    data.gram_product(np.ones((d, 2)))
    assert data.variances.shape == (d,)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert data.matrix.dtype == np.float32
    assert peak < 0.05 * 8 * n * d


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([[1.0, -1.0], [2.0, 0.0]], "negative values are no counts"),
        ([[1.0, np.nan], [2.0, 0.0]], "NaN"),
        (np.zeros((4, 3)), "All counts are zero"),
        ([[1.0, 2.0]], "1 sample"),
    ],
)
def test_what_is_no_count_is_refused(counts: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SPCAPSD().fit(from_counts(counts))
