"""Products with a stored matrix in double precision, tile by tile where it is stored in single.

A copy in double precision of the whole would take twice the memory; tiles of a few megabytes do
not, and are centred on the way, so that nothing cancels.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.linalg.blas import dsyrk

from ..linalg.thin import thin_product
from ..linalg.threads import large
from ..linalg.types import Array

# Up to this many columns matrix-vector products beat the matrix product.
FEW = 4
# Rows of a tile, and its entries; one that is converted on the way stays in the cache: products of
# 1000 x 150,000 in single precision with 20 vectors take two thirds of the time.
BLOCK = 4096
TILE = 2**22
CACHED = 2**20
# Entries of weighted rows, and the fewest of these, that are multiplied at once: their products
# take up to a tenth less time than with more (USPS and MNIST of benchmarks/regimes.py).
WEIGHTED, FEWEST_ROWS = 2**17, 128
# Entries of a sparse matrix that are summed at once: they stay in the cache, unless sums over many
# columns would take longer than these, a column beside so many.
PIECE = 2**17
PIECE_OF_COLUMNS = 4
# Rows and columns of a square that is transposed at once.
SQUARE = 128
# Inner products of sparse vectors cost so many times those of dense ones, a number each.
SPARSE_COST = 60.0


def product(matrix: Any, L: Array, centre: Array | None = None) -> Array:
    """Return (matrix - 1 centre') @ L in double precision; only tiles are centred."""
    if matrix.dtype == np.float64:
        return _plain(matrix, L)
    out = np.zeros((matrix.shape[0], *L.shape[1:]))
    with large(matrix.shape[0] * L.size):
        for rows, columns in tiles(matrix):
            out[rows] += doubled(matrix, rows, columns, centre) @ L[columns]
    return out


def back_product(matrix: Any, P: Array, centre: Array | None = None) -> Array:
    """Return (matrix - 1 centre').T @ P in double precision; only tiles are centred."""
    if matrix.dtype == np.float64:
        return _plain(matrix.T, P)
    out = np.zeros((matrix.shape[1], *P.shape[1:]))
    with large(matrix.shape[1] * P.size):
        for rows, columns in tiles(matrix):
            out[columns] += doubled(matrix, rows, columns, centre).T @ P[rows]
    return out


def tiles(matrix: Any) -> Iterator[tuple[slice, slice]]:
    """Yield the rows and columns of tiles; those of a sparse matrix have all columns."""
    n, d = matrix.shape
    if sp.issparse(matrix):
        height, width = max(1, int(n * min(1.0, TILE / max(matrix.nnz, 1)))), d
    else:
        height = min(n, BLOCK)
        width = max(1, CACHED // height)
    for first in range(0, n, height):
        for left in range(0, d, width):
            yield slice(first, min(first + height, n)), slice(left, min(left + width, d))


def doubled(matrix: Any, rows: slice, columns: slice, centre: Array | None = None) -> Any:
    """Return a tile in double precision, centred where it is dense and a centre is given."""
    if sp.issparse(matrix):
        ends = matrix.indptr[rows.start : rows.stop + 1]
        part = slice(ends[0], ends[-1])
        stored = matrix.data[part].astype(np.float64), matrix.indices[part], ends - ends[0]
        return sp.csr_matrix(stored, shape=(rows.stop - rows.start, matrix.shape[1]))
    tile = matrix[rows, columns]
    if centre is None:
        return tile.astype(np.float64, copy=False)
    # At once: an array between the two would take as long again.
    return np.subtract(tile, centre[columns], dtype=np.float64)


def sparse_gram(matrix: Any, weights: Array | None = None, out: Array | None = None) -> Array:
    """Return X' diag(weights) X of a sparse matrix as a dense array.

    Rows with many entries are made dense, a tile at a time; inner products of the others cost less
    as they are.

    Parameters
    ----------
    matrix : CSR matrix of shape (n_samples, n_features)
        X.
    weights : ndarray of shape (n_samples,) or None
        Weights of the rows, none of them negative.
    out : ndarray of shape (n_features, n_features), by columns, or None
        What it is added to, in place; of the sum the lower triangle counts.

    Returns
    -------
    ndarray of shape (n_features, n_features)
        The sum where there is one, else the whole product.
    """
    n, d = matrix.shape
    total = np.zeros((d, d), order="F") if out is None else out
    # Never are all rows dense at once.
    height = max(1, min(TILE // d, (n + 1) // 2))
    entries = np.diff(matrix.indptr)
    full = SPARSE_COST * entries.astype(np.float64) ** 2 >= float(d) ** 2
    for rows in _split(np.flatnonzero(full), height):
        tile = matrix[rows].toarray().astype(np.float64, copy=False)
        if weights is not None:
            tile *= np.sqrt(weights[rows])[:, None]
        add_square(total, tile.T)
    few = np.flatnonzero(~full & (entries > 0))
    right = matrix[few].astype(np.float64)
    left = right.T.tocsr()
    if weights is not None:
        right = sp.diags_array(weights[few]) @ right
    # A product has more than one array, and takes as much memory as a few tiles of its size.
    for columns in _split(np.arange(d), max(1, TILE // (4 * d))) if few.size else ():
        # Of what is symmetric the entries from the first of these columns on are enough.
        first = int(columns[0])
        total.T[columns, first:] += (left[columns] @ right[:, first:]).toarray()
    return mirrored(total).T if out is None else total


def add_square(total: Array, matrix: Array) -> None:
    """Add matrix times its transpose to the lower triangle of a sum by columns, in place.

    That is half of the work of a product, and there is no other array as large as the sum.
    """
    is_by_columns = matrix.flags.f_contiguous
    given = matrix if is_by_columns else np.ascontiguousarray(matrix).T
    with large(0.5 * matrix.size * len(matrix)):
        trans = 0 if is_by_columns else 1
        dsyrk(1.0, given, trans=trans, beta=1.0, c=total, lower=1, overwrite_c=1)


def mirrored(matrix: Array) -> Array:
    """Copy the lower triangle of a square matrix to the upper one, in place; return it."""
    size = len(matrix)
    above = np.tri(min(SQUARE, size), k=-1, dtype=bool).T
    for first in range(0, size, SQUARE):
        rows = slice(first, first + SQUARE)
        block = matrix[rows, rows]
        np.copyto(block, block.T.copy(), where=above[: len(block), : len(block)])
        matrix[rows, first + SQUARE :] = matrix[first + SQUARE :, rows].T
    return matrix


def _split(indices: Array, size: int) -> list[Array]:
    """Return consecutive parts of at most so many indices."""
    return [indices[first : first + size] for first in range(0, len(indices), size)]


def pieces(matrix: Any) -> Iterator[tuple[slice, Array, Array]]:
    """Yield the rows of pieces of a CSR matrix, the columns of their entries, and these as doubles.

    A piece has whole rows, and few entries unless a row has more.
    """
    (n, d), ends = matrix.shape, matrix.indptr
    size = max(PIECE, PIECE_OF_COLUMNS * d)
    height = max(1, int(n * min(1.0, size / max(matrix.nnz, 1))))
    for first in range(0, n, height):
        rows = slice(first, min(first + height, n))
        part = slice(ends[rows.start], ends[rows.stop])
        yield rows, matrix.indices[part], matrix.data[part].astype(np.float64, copy=False)


def column_squares(matrix: Any, offset: Array | None) -> Array:
    """Return the sums over the rows of the squares of the entries less the offset."""
    n, d = matrix.shape
    if not sp.issparse(matrix):
        out = np.zeros(d)
        for rows, columns in tiles(matrix):
            tile = doubled(matrix, rows, columns, offset)
            out[columns] += np.einsum("ij,ij->j", tile, tile)
        return out
    out = np.zeros(d)
    if offset is None:
        for _, at, stored in pieces(matrix):
            out += np.bincount(at, weights=stored**2, minlength=d)
        return out
    # Entries that are not stored are zeros: each is the offset away.
    absent = np.full(d, n)
    for _, at, stored in pieces(matrix):
        out += np.bincount(at, weights=(stored - offset[at]) ** 2, minlength=d)
        absent -= np.bincount(at, minlength=d)
    return out + absent * offset**2


def row_squares(matrix: Any, offset: Array | None, weights: Array | None = None) -> Array:
    """Return the sums along the rows of weights times squares of the entries less the offset."""
    n, d = matrix.shape
    ones = np.ones(d) if weights is None else weights
    if not sp.issparse(matrix):
        out = np.zeros(n)
        for rows, columns in tiles(matrix):
            tile = doubled(matrix, rows, columns, offset)
            out[rows] += np.einsum("ij,ij,j->i", tile, tile, ones[columns])
        return out
    offset = np.zeros(d) if offset is None else offset
    out = np.empty(n)
    for rows, at, stored in pieces(matrix):
        height = rows.stop - rows.start
        rows_of = np.repeat(np.arange(height), np.diff(matrix.indptr[rows.start : rows.stop + 1]))
        values = ones[at] * stored * (stored - 2.0 * offset[at])
        out[rows] = np.bincount(rows_of, weights=values, minlength=height)
    return np.maximum(out + ones @ offset**2, 0.0)


def _plain(matrix: Any, L: Array) -> Array:
    """Return the product; a few columns are fastest one by one."""
    if L.ndim == 2 and 1 < L.shape[1] <= FEW and not sp.issparse(matrix):
        return np.column_stack([matrix @ column for column in L.T])
    with large(matrix.shape[0] * L.size):
        return np.asarray(matrix @ L) if sp.issparse(matrix) else thin_product(matrix, L)
