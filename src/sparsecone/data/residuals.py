"""Residuals of counts as samples: a sparse matrix less one of rank two, never dense.

With r_i the counts of sample i, c_j the share of feature j in all counts and mu_ij = r_i c_j what
is expected of a Poisson count, the residual is

    z_ij = (x_ij - mu_ij) / sqrt(mu_ij) = x_ij / sqrt(r_i c_j) - sqrt(r_i) sqrt(c_j) .

The first part is as sparse as the counts, the second has rank one, and so have the means of the
columns. Residuals above sqrt(n) are cut to it, as usual, which concerns counts above zero only.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..linalg.rounding import sum_error
from ..linalg.types import Array
from .products import back_product, product, tiles
from .rows import Rows


@dataclass(frozen=True)
class Poisson:
    """How a block of counts becomes a block of residuals.

    Attributes
    ----------
    roots : ndarray of shape (n_features,)
        Square roots of the shares of the features in all counts.
    limit : float
        The largest residual.
    """

    roots: Array
    limit: float

    def sparse_part(self, counts: Any) -> tuple[Any, Array]:
        """Return the part that is as sparse as the counts, and the roots of the samples' counts.

        In single precision, unless the counts are in double.
        """
        totals = np.sqrt(np.asarray(counts.sum(axis=1, dtype=np.float64)).ravel())
        stored = np.empty(counts.nnz, np.float64 if counts.dtype == np.float64 else np.float32)
        for rows, _ in tiles(counts):
            part = slice(counts.indptr[rows.start], counts.indptr[rows.stop])
            lengths = np.diff(counts.indptr[rows.start : rows.stop + 1])
            expected = np.repeat(totals[rows], lengths) * self.roots[counts.indices[part]]
            # Zeros that are stored may stand where nothing is expected.
            scale = np.where(expected > 0.0, expected, 1.0)
            residuals = counts.data[part] / scale - expected
            stored[part] = np.minimum(residuals, self.limit) + expected
        shape = counts.shape
        return sp.csr_matrix((stored, counts.indices, counts.indptr), shape=shape), totals

    def __call__(self, counts: Any, mean: Array, *, centre_error: float | None = None) -> Residuals:
        """Return centred residuals of a block of counts."""
        sparse, totals = self.sparse_part(counts)
        left = np.column_stack([totals, np.ones_like(totals)])
        right = np.column_stack([self.roots, mean])
        return Residuals(sparse, left, right, centre_error=centre_error)


class Residuals(Rows):
    """Rows Y - A B' with a sparse Y and A, B of few columns, of which the last centres.

    Parameters
    ----------
    matrix : CSR matrix of shape (n_samples, n_features)
        Y.
    left : ndarray of shape (n_samples, k)
        A; its last column is one.
    right : ndarray of shape (n_features, k)
        B; its last column is the mean of Y less the other columns.
    centre_error : float or None
        How far the mean of all samples is from what is subtracted, where these are some of them.
    """

    def __init__(
        self, matrix: Any, left: Array, right: Array, *, centre_error: float | None = None
    ) -> None:
        super().__init__(matrix, right[:, -1], None, centre_error=centre_error)
        self.left, self.right = left, right

    def project(self, L: Array) -> Array:
        """Return X L."""
        return np.asarray(super().project(L) - self.left @ (self.right.T @ L))

    def backproject(self, P: Array) -> Array:
        """Return X'P."""
        return np.asarray(super().backproject(P) - self.right @ (self.left.T @ P))

    def columns(self, indices: Array | slice) -> Array:
        """Return some columns of X, dense."""
        return np.asarray(super().columns(indices) - self.left @ self.right[indices].T)

    def dense(self, indices: Array | slice) -> Array:
        """Return some centred samples as a dense array of doubles."""
        return np.asarray(super().dense(indices) - self.left[indices] @ self.right.T)

    def weighted_gram(self, weights: Array | None) -> Array:
        """Return X' diag(weights) X as a dense array."""
        weighted = self.left if weights is None else weights[:, None] * self.left
        cross = back_product(self.matrix, weighted) @ self.right.T
        low = self.right @ (self.left.T @ weighted) @ self.right.T
        return np.asarray(super().weighted_gram(weights) - cross - cross.T + low)

    def sample_gram(self, weights: Array | None = None) -> Array:
        """Return X diag(weights) X', the n x n matrix of inner products."""
        weighted = self.right if weights is None else weights[:, None] * self.right
        cross = product(self.matrix, weighted) @ self.left.T
        low = self.left @ (self.right.T @ weighted) @ self.left.T
        return np.asarray(super().sample_gram(weights) - cross - cross.T + low)

    def weighted_squared_norms(self, weights: Array) -> Array:
        """Return sum_j weights_j x_ij^2 over the centred samples."""
        return self._squares(weights)[0]

    @cached_property
    def squared_norms(self) -> Array:
        """Squared norms of the centred samples."""
        return self._both_squares[0]

    @cached_property
    def variances(self) -> Array:
        """Diagonal of S."""
        return self._both_squares[1]

    @cached_property
    def _both_squares(self) -> tuple[Array, Array]:
        return self._squares(np.ones(self.n_features))

    def _squares(self, weights: Array) -> tuple[Array, Array]:
        """Return sums of squares of rows, with weights, and of columns: `y^2 - 2 y z + z^2`."""
        along = self._low_squares(weights)
        down = np.einsum("jk,kl,jl->j", self.right, self.left.T @ self.left, self.right)
        matrix = self.matrix
        for rows, _ in tiles(matrix):
            part = slice(matrix.indptr[rows.start], matrix.indptr[rows.stop])
            lengths = np.diff(matrix.indptr[rows.start : rows.stop + 1])
            at, of = matrix.indices[part], np.repeat(np.arange(rows.start, rows.stop), lengths)
            y = matrix.data[part].astype(np.float64)
            terms = y * (y - 2.0 * np.einsum("ik,ik->i", self.left[of], self.right[at]))
            count = rows.stop - rows.start
            along[rows] += np.bincount(of - rows.start, terms * weights[at], minlength=count)
            down += np.bincount(at, terms, minlength=down.size)
        return np.maximum(along, 0.0), np.maximum(down, 0.0)

    def _low_squares(self, weights: Array) -> Array:
        """Return the weighted squared norms of the rows of A B'."""
        inner = self.right.T @ (weights[:, None] * self.right)
        return np.asarray(np.einsum("ik,kl,il->i", self.left, inner, self.left))

    @cached_property
    def sizes(self) -> Array:
        """What the errors of products with single samples are relative to: at least |x_i|^2."""
        low = np.sqrt(self._low_squares(np.ones(self.n_features)))
        return np.asarray((np.sqrt(self.squared_norms) + 2.0 * low) ** 2)

    @cached_property
    def total_size(self) -> float:
        """What the errors of products with S are relative to."""
        return float(self.sizes.sum())

    @cached_property
    def centre_error(self) -> float:
        """How far the mean of the samples is from what is subtracted from them."""
        if self._centre_error is not None:
            return self._centre_error
        return sum_error(self.n_samples) * float(np.sqrt(self.total_size / self.n_samples))
