"""Products with matrices, sparse ones in the memory that is there."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp

from sparsecone.data import products
from sparsecone.data.centring import as_rows
from sparsecone.data.products import (
    add_square,
    column_squares,
    mirrored,
    row_squares,
    sparse_gram,
)
from sparsecone.data.running import RunningMoments
from sparsecone.data.sparse import column_means


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


@pytest.mark.parametrize("size", [1, 7, 10**6])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sums_of_sparse_entries_piece_by_piece(
    size: int, dtype: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(products, "PIECE", size)
    monkeypatch.setattr(products, "PIECE_OF_COLUMNS", 0)
    rng = np.random.default_rng(0)
    X = rng.poisson(0.4, size=(23, 6)).astype(dtype)
    X[:, 2] += 3.0
    # Rows without entries, at an end and between others.
    X[[4, 5, 22]] = 0.0
    stored, offset, weights = sp.csr_array(X), rng.normal(size=6), rng.random(6)
    parts = [rows for rows, _, _ in products.pieces(stored)]
    assert [part.start for part in parts] == [0, *(part.stop for part in parts[:-1])]
    assert parts[-1].stop == 23
    assert size == 7 or len(parts) == {1: 23}.get(size, 1)
    X = X.astype(np.float64)
    squares = (X - offset) ** 2
    np.testing.assert_allclose(column_squares(stored, None), (X**2).sum(axis=0), rtol=1e-12)
    np.testing.assert_allclose(column_squares(stored, offset), squares.sum(axis=0), rtol=1e-12)
    np.testing.assert_allclose(row_squares(stored, offset), squares.sum(axis=1), rtol=1e-12)
    np.testing.assert_allclose(row_squares(stored, offset, weights), squares @ weights, rtol=1e-12)
    np.testing.assert_allclose(column_means(stored), X.mean(axis=0), rtol=1e-12)


@pytest.mark.parametrize("order", ["C", "F"])
def test_squares_are_added_to_a_triangle_in_place(order: str) -> None:
    rng = np.random.default_rng(0)
    matrix = np.asarray(rng.normal(size=(5, 9)), order=order)
    start = np.asfortranarray(rng.normal(size=(5, 5)))
    total = start.copy(order="F")
    add_square(total, matrix)
    lower = np.tril_indices(5)
    np.testing.assert_allclose(total[lower], (start + matrix @ matrix.T)[lower], rtol=1e-14)
    np.testing.assert_array_equal(total[~np.tri(5, dtype=bool)], start[~np.tri(5, dtype=bool)])


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("few", [1, 2**17])
def test_weighted_moments_do_not_depend_on_the_rows_at_once(
    dtype: type, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sparsecone.data.rows.WEIGHTED", few)
    monkeypatch.setattr("sparsecone.data.rows.FEWEST_ROWS", 3)
    rng = np.random.default_rng(0)
    X, weights = rng.normal(size=(40, 6)).astype(dtype), rng.random(40)
    rows = as_rows(X)
    centred = X.astype(float) - X.astype(float).mean(axis=0)
    expected = centred.T @ (weights[:, None] * centred)
    np.testing.assert_allclose(rows.weighted_gram(weights), expected, rtol=1e-6, atol=1e-6)
    inner = centred @ (np.arange(6.0)[:, None] * centred.T)
    np.testing.assert_allclose(rows.sample_gram(np.arange(6.0)), inner, rtol=1e-6, atol=1e-5)
