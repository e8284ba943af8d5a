"""Samples held as rows: a dense array, or a SciPy sparse matrix centred implicitly."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse as sp

from ..linalg.rounding import measured_error
from ..linalg.thin import thin_product
from ..linalg.threads import large
from ..linalg.types import Array
from .products import (
    BLOCK,
    FEWEST_ROWS,
    SQUARE,
    TILE,
    WEIGHTED,
    add_square,
    back_product,
    column_squares,
    doubled,
    mirrored,
    product,
    row_squares,
    sparse_gram,
)
from .row_errors import RowErrors
from .spectrum import Remembers
from .terms import Terms

# S = X'X is formed when it is the smaller representation, and never above this width.
LARGEST_GRAM = 8000
# Sparse samples of so many entries are held by columns, too: products with X' take half the time.
MOST_HELD = 10_000_000
# The part of the entries of some columns up to which products of them are sparse themselves.
FEW_ENTRIES = 0.05


class Rows(RowErrors, Remembers):
    """Centred data X (n x d) in memory; see `Data` for the questions that have an answer here.

    Parameters
    ----------
    matrix : ndarray or CSR matrix of shape (n_samples, n_features)
        A dense array in double precision is centred where a copy is small or its mean large.
        One in single precision is centred tile by tile, as products reach it.
    mean : ndarray of shape (n_features,)
        The feature means, of the samples as they were given.
    offset : ndarray of shape (n_features,) or None
        What is still to be subtracted from every row.
    scale : float
        What the samples were divided by.
    centre_error : float or None
        How far the mean of all samples is from what is subtracted, where these are some of them.
    """

    names: Array | None = None
    in_memory = True
    # Products reach the samples in many ways: what S is off by is in `gram_error`.
    matrix_error = 0.0

    def __init__(
        self,
        matrix: Any,
        mean: Array,
        offset: Array | None,
        *,
        scale: float = 1.0,
        centre_error: float | None = None,
    ) -> None:
        self.matrix, self.mean, self.scale = matrix, mean, scale
        self.n_samples, self.n_features = matrix.shape
        self.is_sparse = sp.issparse(matrix)
        self.is_single = matrix.dtype == np.float32
        # Tiles are centred as they are reached; of what is not cut into tiles products are.
        in_tiles = self.is_single and not self.is_sparse
        self.centre = offset if in_tiles else None
        self.offset = None if in_tiles else offset
        self._centre_error = centre_error

    def project(self, L: Array) -> Array:
        """Return X L."""
        projected = product(self.matrix, L, self.centre)
        if self.offset is not None:
            projected -= self.offset @ L
        return projected

    def backproject(self, P: Array) -> Array:
        """Return X'P."""
        if self.is_sparse and self.matrix.nnz <= MOST_HELD:
            back = product(self._transposed, P)
        else:
            back = back_product(self.matrix, P, self.centre)
        if self.offset is not None:
            back -= np.multiply.outer(self.offset, P.sum(axis=0))
        return back

    def gram_product(self, L: Array) -> Array:
        """Return S L with S = X'X."""
        if self.prefers_gram:
            return thin_product(self.gram_matrix, L)
        return self.weighted_product(L, None)

    def weighted_product(self, L: Array, weights: Array | None) -> Array:
        """Return X' diag(weights) X L."""
        P = self.project(L)
        return self.backproject(P if weights is None else P * weights[:, None])

    def collect(self, function: Callable[..., Terms], *rowwise: Any) -> Terms:
        """Return the terms of all rows."""
        return function(self, *rowwise)

    def columns(self, indices: Array | slice) -> Array:
        """Return some columns of X, dense."""
        chosen = self.matrix[:, indices]
        dense = chosen.toarray() if self.is_sparse else chosen
        if self._subtracted is None:
            return np.asarray(dense, dtype=np.float64)
        return np.subtract(dense, self._subtracted[indices], dtype=np.float64)

    def dense(self, indices: Array | slice) -> Array:
        """Return some centred samples as a dense array of doubles."""
        chosen = self.matrix[indices]
        dense = np.asarray(chosen.toarray() if self.is_sparse else chosen, dtype=np.float64)
        return dense if self._subtracted is None else dense - self._subtracted

    def gram_columns(self, indices: Array) -> Array:
        """Return some columns of S."""
        if "_gram" in vars(self):
            return self.gram_matrix[:, indices]
        if self.is_sparse and self.matrix.nnz <= MOST_HELD:
            chosen = self.matrix[:, indices]
            if chosen.nnz <= FEW_ENTRIES * chosen.shape[0] * chosen.shape[1]:
                return self._sparse_gram_columns(chosen.astype(np.float64), indices)
        return self.backproject(self.columns(indices))

    def _sparse_gram_columns(self, chosen: Any, indices: Array) -> Array:
        """Return some columns of S whose entries are few: they are not made dense before."""
        centre = np.zeros(self.n_features) if self.offset is None else self.offset
        left = np.asarray(chosen.sum(axis=0)).ravel() - self.n_samples * centre[indices]
        ones = np.ones(self.n_samples)
        columns = np.empty((self.n_features, indices.size))
        for start in range(0, self.n_features, BLOCK):
            part = slice(start, start + BLOCK)
            rows = self._transposed[part]
            columns[part] = (rows @ chosen).toarray()
            columns[part] -= np.multiply.outer(rows @ ones, centre[indices])
            columns[part] -= np.multiply.outer(centre[part], left)
        return columns

    def centred_rows(self) -> Array:
        """Return the centred samples as a dense array of doubles."""
        if self.is_sparse or self._subtracted is not None:
            return self.columns(np.arange(self.n_features))
        return np.asarray(self.matrix)

    @property
    def transposed(self) -> Any:
        """X' by its rows, before it is centred, of sparse samples."""
        return self._transposed if self.matrix.nnz <= MOST_HELD else self.matrix.T.tocsr()

    @cached_property
    def _transposed(self) -> Any:
        return self.matrix.T.tocsr()

    @property
    def _subtracted(self) -> Array | None:
        """What the stored entries have more than the centred ones."""
        return self.offset if self.centre is None else self.centre

    @property
    def prefers_gram(self) -> bool:
        """Whether products with S are cheaper through the d x d matrix itself."""
        stored = self.matrix.nnz / self.n_features if self.is_sparse else self.n_samples
        return self.n_features <= min(2.0 * stored, LARGEST_GRAM)

    @property
    def gram_matrix(self) -> Array:
        """S = X'X as a dense array."""
        return self._gram[0]

    @cached_property
    def _gram(self) -> tuple[Array, float]:
        """S, and the error of its sums in single precision."""
        if not self.is_measured:
            return self.weighted_gram(None), 0.0
        total = np.zeros((self.n_features, self.n_features))
        for first in range(0, self.n_samples, BLOCK):
            part = self._single_rows(slice(first, first + BLOCK))
            with large(0.5 * part.size * self.n_features):
                total += part.T @ part
        np.fill_diagonal(total, self.variances)
        return total, measured_error(total, lambda L: self.weighted_product(L, None))

    @cached_property
    def sample_gram_matrix(self) -> Array:
        """X X' as a dense array; in double precision, whatever the samples are stored in."""
        return self.sample_gram()

    def _single_rows(self, rows: slice) -> Array:
        part = self.matrix[rows]
        return part if self.centre is None else part - self.centre.astype(np.float32)

    def weighted_gram(self, weights: Array | None) -> Array:
        """Return X' diag(weights) X as a dense array, in double precision."""
        if self.is_sparse:
            total = sparse_gram(self.matrix, weights)
            return total if self.offset is None else self._recentred(total, weights)
        total = np.zeros((self.n_features, self.n_features), order="F")
        # Weighted rows stay in the cache.
        height = BLOCK if weights is None else max(FEWEST_ROWS, WEIGHTED // self.n_features)
        for first in range(0, self.n_samples, height):
            rows = slice(first, min(first + height, self.n_samples))
            block = doubled(self.matrix, rows, slice(None), self.centre)
            if weights is not None:
                block = block * np.sqrt(weights[rows])[:, None]
            add_square(total, block.T)
        total = mirrored(total).T
        return total if self.offset is None else self._recentred(total, weights)

    def _recentred(self, gram: Array, weights: Array | None) -> Array:
        offset = self.offset
        assert offset is not None
        ones = np.ones(self.n_samples) if weights is None else weights
        cross = np.outer(back_product(self.matrix, ones), offset)
        return np.asarray(gram - cross - cross.T + ones.sum() * np.outer(offset, offset))

    def sample_gram(self, weights: Array | None = None) -> Array:
        """Return X diag(weights) X', the n x n matrix of inner products, in double precision.

        None of the weights is negative.
        """
        if self.is_sparse:
            inner = sparse_gram(self.transposed, weights)
        else:
            inner = np.zeros((self.n_samples, self.n_samples), order="F")
            as_it_is = weights is None and self.centre is None and not self.is_single
            width = self.n_features if as_it_is else max(1, TILE // self.n_samples)
            for first in range(0, self.n_features, width):
                part = slice(first, first + width)
                tile = doubled(self.matrix, slice(0, self.n_samples), part, self.centre)
                add_square(inner, tile if weights is None else tile * np.sqrt(weights[part]))
            inner = mirrored(inner).T
        if self.offset is not None:
            ones = np.ones(self.n_features) if weights is None else weights
            cross = product(self.matrix, ones * self.offset)
            square = ones @ self.offset**2
            for first in range(0, self.n_samples, SQUARE):
                part = slice(first, first + SQUARE)
                inner[part] += square - np.add.outer(cross[part], cross)
        return inner

    def weighted_squared_norms(self, weights: Array) -> Array:
        """Return sum_j weights_j x_ij^2 over the centred samples."""
        return row_squares(self.matrix, self._subtracted, weights)

    @cached_property
    def squared_norms(self) -> Array:
        """Squared norms of the centred samples."""
        return row_squares(self.matrix, self._subtracted)

    @cached_property
    def variances(self) -> Array:
        """Diagonal of S."""
        return column_squares(self.matrix, self._subtracted)

    @cached_property
    def trace(self) -> float:
        """Trace of S, the total variation."""
        return float(self.variances.sum())

    @cached_property
    def row_space(self) -> tuple[Array, Array]:
        """Q and R with X' = QR, Q orthonormal."""
        basis, triangle = scipy.linalg.qr(self.centred_rows().T, mode="economic")
        return basis, triangle
