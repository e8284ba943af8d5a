"""Centring sparse samples without densifying them, and without cancellation.

A column whose mean exceeds three standard deviations is zero in at most a tenth of the rows, for
each zero is a mean away: stored centred it takes a ninth more entries at most. The means of all
others are subtracted from products, where they cost a digit.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from ..linalg.types import Array
from .products import pieces

# Means up to so many standard deviations are subtracted from products.
LARGEST_MEAN = 3.0


def column_means(matrix: Any) -> Array:
    """Return the means of a sparse matrix, those of full columns without their rounding."""
    n, d = matrix.shape
    total, rest, present = np.zeros(d), np.zeros(d), np.zeros(d)
    for _, at, stored in pieces(matrix):
        total += np.bincount(at, weights=stored, minlength=d)
        present += np.bincount(at, minlength=d)
    mean = total / n
    for _, at, stored in pieces(matrix):
        rest += np.bincount(at, weights=stored - mean[at], minlength=d)
    return np.asarray(mean + (rest - (n - present) * mean) / n)


def far_means(mean: Array, squares: Array, n: int) -> Array:
    """Return which means exceed three standard deviations, from sums of squares about them."""
    return np.asarray(n * mean**2 > LARGEST_MEAN**2 * squares)


def without_means(matrix: Any, mean: Array, far: Array) -> tuple[Any, Array]:
    """Return a sparse matrix with some columns stored centred, and what is left to subtract.

    Parameters
    ----------
    matrix : CSR matrix of shape (n_samples, n_features)
        The samples.
    mean : ndarray of shape (n_features,)
        The means, of these samples or of more.
    far : ndarray of bool of shape (n_features,)
        The columns to centre, unless they are zero in most rows of this matrix.

    Returns
    -------
    matrix : CSR matrix
        The same but for those columns.
    offset : ndarray
        The means of all other columns.
    """
    n, d = matrix.shape
    columns = np.flatnonzero(far & (np.bincount(matrix.indices, minlength=d) >= 0.5 * n))
    if columns.size == 0:
        return matrix, mean
    subtracted = np.zeros(d)
    subtracted[columns] = mean[columns]
    stored = matrix.astype(np.float64)
    stored.data -= subtracted[stored.indices]
    marks = sp.csr_matrix((np.ones(matrix.nnz), matrix.indices, matrix.indptr), shape=(n, d))
    rows, which = np.nonzero(marks[:, columns].toarray() == 0.0)
    if rows.size:
        missing = -mean[columns[which]], (rows, columns[which])
        stored = sp.csr_matrix(stored + sp.csr_matrix(missing, shape=(n, d)))
    return stored, mean - subtracted
