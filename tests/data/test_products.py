"""Products with sparse matrices, in the memory that is there."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp

from sparsecone.data import products
from sparsecone.data.products import mirrored, sparse_gram
from sparsecone.data.running import RunningMoments


def some_rows() -> sp.csr_matrix:
    """Return rows with many entries, with few and with none."""
    rng = np.random.default_rng(0)
    shares = np.repeat([0.9, 0.03, 0.0], [20, 30, 5])[:, None]
    return sp.csr_matrix(np.where(rng.random((55, 40)) < shares, rng.normal(size=(55, 40)), 0.0))


@pytest.mark.parametrize("weighted", [False, True])
def test_inner_products_are_those_of_the_dense_rows(
    weighted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(products, "TILE", 400)
    X = some_rows()
    weights = np.linspace(0.0, 2.0, X.shape[0]) if weighted else None
    dense = X.toarray()
    expected = dense.T @ (dense if weights is None else weights[:, None] * dense)
    found = sparse_gram(X, weights)
    np.testing.assert_allclose(found, expected, atol=1e-13)
    np.testing.assert_array_equal(found, found.T)


def test_inner_products_are_added_in_place() -> None:
    X = some_rows()
    total = np.asfortranarray(np.arange(1600.0).reshape(40, 40))
    expected = total + (X.T @ X).toarray()
    assert sparse_gram(X, out=total) is total
    np.testing.assert_allclose(np.tril(total), np.tril(expected))


@pytest.mark.parametrize("size", [0, 1, 255, 256, 600])
def test_the_lower_triangle_is_mirrored(size: int) -> None:
    matrix = np.random.default_rng(0).normal(size=(size, size))
    lower = np.tril(matrix)
    np.testing.assert_array_equal(mirrored(matrix), lower + np.tril(matrix, -1).T)


def test_moments_of_sparse_rows_take_no_further_matrix() -> None:
    d = 1500
    X = sp.random_array((3000, d), density=0.1, random_state=0, format="csr", dtype=np.float32)
    tracemalloc.start()
    running = RunningMoments(d)
    running.add(X)
    running.moments(last=True)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # The sums themselves, a tile of rows and what a few lines of the product take.
    assert peak <= 8 * d * d + 10 * X.nnz * 12 + 5 * 8 * products.TILE // 4
