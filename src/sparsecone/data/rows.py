"""Samples held as rows: a dense array, or a SciPy sparse matrix centred implicitly."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from numpy.typing import NDArray

from .spectrum import Spectrum, leading_eigenpairs
from .terms import Terms

Array = NDArray[Any]

# S = X'X is formed when it is the smaller representation, and never above this width.
LARGEST_GRAM = 8000
# Up to this many columns matrix-vector products beat the matrix product.
FEW = 4
# Rows summed at once in single precision before the sum goes on in double.
BLOCK = 4096


class Rows:
    """Centred data X (n x d): all the mathematics asks of it are products.

    Parameters
    ----------
    matrix : ndarray or SciPy sparse matrix of shape (n_samples, n_features)
        A sparse matrix is never centred, a dense array is where a copy is small or its mean large.
    mean : ndarray of shape (n_features,)
        The feature means.
    offset : ndarray of shape (n_features,) or None
        What is still to be subtracted from every row.
    """

    names: Array | None = None
    _spectrum: Spectrum | None = None

    def __init__(self, matrix: Any, mean: Array, offset: Array | None) -> None:
        self.matrix = matrix
        self.mean = mean
        self.offset = offset
        self.n_samples, self.n_features = matrix.shape

    def project(self, L: Array) -> Array:
        """Return X L."""
        product = _product(self.matrix, self._cast(L))
        if self.offset is not None:
            product -= self.offset @ L
        return product

    def backproject(self, P: Array) -> Array:
        """Return X'P."""
        product = _product(self.matrix.T, self._cast(P))
        if self.offset is not None:
            product -= np.multiply.outer(self.offset, P.sum(axis=0))
        return product

    def gram_product(self, L: Array) -> Array:
        """Return S L with S = X'X."""
        if self.prefers_gram:
            return self.gram_matrix @ L
        return self.weighted_product(L, None)

    def weighted_product(self, L: Array, weights: Array | None) -> Array:
        """Return X' diag(weights) X L."""
        P = self.project(L)
        return self.backproject(P if weights is None else P * weights[:, None])

    def collect(self, function: Callable[..., Terms], *rowwise: Any) -> Terms:
        """Return the terms of all rows, in one pass over them.

        Parameters
        ----------
        function : callable
            Takes a block of rows and its entries of every `rowwise`, and returns their terms. It
            may run elsewhere, and on several blocks at once.
        *rowwise : array or what an earlier pass returned as such
            One value a row.
        """
        return function(self, *rowwise)

    @property
    def in_memory(self) -> bool:
        """Whether all rows are at hand, and not only one block at a time."""
        return True

    @property
    def has_rows(self) -> bool:
        """Whether there are samples, and not their moments alone."""
        return True

    @property
    def is_sparse(self) -> bool:
        """Whether the rows are a SciPy sparse matrix."""
        return sp.issparse(self.matrix)

    def columns(self, indices: Array) -> Array:
        """Return some columns of X, dense."""
        chosen = self.matrix[:, indices]
        dense = np.asarray(chosen.toarray() if sp.issparse(chosen) else chosen, dtype=np.float64)
        return dense if self.offset is None else dense - self.offset[indices]

    def gram_columns(self, indices: Array) -> Array:
        """Return some columns of S."""
        return self.backproject(self.columns(indices))

    @property
    def prefers_gram(self) -> bool:
        """Whether products with S are cheaper through the d x d matrix itself."""
        return self.n_features <= min(self._stored_width, LARGEST_GRAM)

    @cached_property
    def gram_matrix(self) -> Array:
        """S = X'X as a dense array."""
        return self.weighted_gram(None)

    def weighted_gram(self, weights: Array | None) -> Array:
        """Return X' diag(weights) X as a dense array, summed in double precision."""
        total = np.zeros((self.n_features, self.n_features))
        for start in range(0, self.n_samples, BLOCK):
            block = self.matrix[start : start + BLOCK]
            if weights is None:
                part = block.T @ block
            else:
                rows = weights[start : start + BLOCK, None]
                part = block.T @ (block.multiply(rows) if sp.issparse(block) else block * rows)
            total += part.toarray() if sp.issparse(part) else part
        return total if self.offset is None else self._recentred(total, weights)

    def sample_gram(self, weights: Array | None = None) -> Array:
        """Return X diag(weights) X', the n x n matrix of inner products."""
        ones = np.ones(self.n_features) if weights is None else weights
        scaled = self.matrix if weights is None else self._scaled_columns(weights)
        inner = scaled @ self.matrix.T
        inner = np.asarray(inner.toarray() if sp.issparse(inner) else inner, dtype=np.float64)
        if self.offset is not None:
            cross = self.matrix @ self._cast(ones * self.offset)
            inner += ones @ self.offset**2 - np.add.outer(cross, cross)
        return inner

    def _scaled_columns(self, weights: Array) -> Any:
        if sp.issparse(self.matrix):
            return self.matrix.multiply(weights[None, :]).tocsr()
        return self.matrix * self._cast(weights)

    def weighted_squared_norms(self, weights: Array) -> Array:
        """Return sum_j weights_j x_ij^2 over the centred samples."""
        if sp.issparse(self.matrix):
            norms = np.asarray(self.matrix.multiply(self.matrix) @ weights, dtype=np.float64)
        else:
            norms = np.einsum("ij,ij,j->i", self.matrix, self.matrix, weights, dtype=np.float64)
        if self.offset is not None:
            cross = self.matrix @ self._cast(weights * self.offset)
            norms += weights @ self.offset**2 - 2.0 * cross
        return np.maximum(norms, 0.0)

    def _recentred(self, gram: Array, weights: Array | None) -> Array:
        offset = self.offset
        assert offset is not None
        ones = np.ones(self.n_samples) if weights is None else weights
        column_sums = np.asarray(self.matrix.T @ self._cast(ones), dtype=np.float64)
        cross = np.outer(column_sums, offset)
        return np.asarray(gram - cross - cross.T + ones.sum() * np.outer(offset, offset))

    @cached_property
    def squared_norms(self) -> Array:
        """Squared norms of the centred samples."""
        return self.weighted_squared_norms(np.ones(self.n_features))

    @cached_property
    def variances(self) -> Array:
        """Diagonal of S."""
        if sp.issparse(self.matrix):
            squares = self.matrix.multiply(self.matrix).sum(axis=0)
            squares = np.asarray(squares, dtype=np.float64).ravel()
        else:
            squares = np.einsum("ij,ij->j", self.matrix, self.matrix, dtype=np.float64)
        if self.offset is None:
            return squares
        return np.maximum(squares - self.n_samples * self.offset**2, 0.0)

    @cached_property
    def trace(self) -> float:
        """Trace of S, the total variation."""
        return float(self.variances.sum())

    @property
    def precision(self) -> float:
        """Relative rounding error of the products."""
        return float(np.finfo(self.matrix.dtype).eps)

    @property
    def dense_rows(self) -> Array | None:
        """The centred rows where they are stored as such."""
        return self.matrix if self.offset is None else None

    @cached_property
    def row_space(self) -> tuple[Array, Array]:
        """Q and R with X' = QR, Q orthonormal, where the centred rows are stored as such."""
        basis, triangle = scipy.linalg.qr(self.centred_rows().T, mode="economic")
        return basis, triangle

    def centred_rows(self) -> Array:
        """Return the centred samples as a dense array of doubles."""
        rows = self.matrix.toarray() if sp.issparse(self.matrix) else self.matrix
        rows = np.asarray(rows, dtype=np.float64)
        return rows if self.offset is None else rows - self.offset

    def leading(
        self, threshold: float, weights: Array | None = None, *, most: int | None = None
    ) -> Spectrum:
        """Return the eigenpairs of X' diag(weights) X above the threshold, at most so many.

        Those without weights are remembered.
        """
        if weights is not None:
            return leading_eigenpairs(self, threshold, weights, most=most).above(threshold, most)
        if self._spectrum is None or not self._spectrum.covers(threshold, most):
            self._spectrum = leading_eigenpairs(self, threshold, most=most)
        return self._spectrum.above(threshold, most)

    @property
    def _stored_width(self) -> float:
        """Cost of one row product in units of dense columns: sparse rows are short."""
        if sp.issparse(self.matrix):
            return 2.0 * float(self.matrix.nnz) / self.n_features
        return 2.0 * self.n_samples

    def _cast(self, L: Array) -> Array:
        return np.asarray(L, dtype=self.matrix.dtype)


def _product(matrix: Any, L: Array) -> Array:
    """Return the product in double precision; a few columns are fastest one by one."""
    if L.ndim == 2 and 1 < L.shape[1] <= FEW and not sp.issparse(matrix):
        return np.column_stack([matrix @ column for column in L.T]).astype(np.float64, copy=False)
    return np.asarray(matrix @ L, dtype=np.float64)
