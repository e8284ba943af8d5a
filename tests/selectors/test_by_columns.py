"""Sparse samples by columns are the same samples."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from sparsecone.data import Rows, as_rows, rows
from sparsecone.selectors.by_columns import ByColumns


@pytest.mark.parametrize("mean", [0.0, 0.3, 50.0])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("most", [0, 1000])
def test_columns_and_products(
    mean: float, dtype: type, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "MOST_HELD", most)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(9, 14)) * (rng.random((9, 14)) < 0.4)
    X[:, 3] += mean
    X = X.astype(dtype)
    centred = X.astype(np.float64) - X.mean(axis=0, dtype=np.float64)
    P = rng.normal(size=(9, 3))
    for given in (X, np.asfortranarray(X), sp.csr_matrix(X)):
        samples = ByColumns(as_rows(given))
        some = np.array([3, 0, 11])
        np.testing.assert_allclose(samples.columns(some), centred[:, some], atol=1e-12)
        for part in (slice(None), slice(3, 20), slice(5, 6)):
            expected = P.T @ centred[:, part]
            np.testing.assert_allclose(samples.combined(P.T, part), expected, atol=1e-12)
        np.testing.assert_allclose(as_rows(given).backproject(P), centred.T @ P, atol=1e-12)


def test_dense_samples_that_are_centred_on_the_way() -> None:
    rng = np.random.default_rng(1)
    X, P, some = rng.normal(size=(6, 5)) + 4.0, rng.normal(size=(2, 6)), np.array([4, 1])
    mean = X.mean(axis=0)
    samples = ByColumns(Rows(X, mean, mean))
    np.testing.assert_allclose(samples.columns(some), (X - mean)[:, some], atol=1e-12)
    np.testing.assert_allclose(samples.combined(P, slice(1, 4)), P @ (X - mean)[:, 1:4], atol=1e-12)
