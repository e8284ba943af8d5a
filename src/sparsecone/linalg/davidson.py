"""The largest eigenpairs of a symmetric matrix that is a diagonal but for a low rank, all at once.

Of C - diag(e) with C of low rank an eigenvector is `(diag(e) + t)^-1 C x`, so the diagonal inverts
what a Ritz pair leaves over all but exactly (Davidson 1975): few steps do where a Krylov space of
products needs hundreds.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .basis import whitening
from .types import Array

# Accuracy of a pair, relative to the eigenvalue and this share of the largest one.
ACCURACY = 1e-11
SHIFT = 1e-2
# The basis becomes so many times as wide as the start, or so wide, before it is cut.
GROWTH, LEAST_WIDE = 3, 150
# Steps that are taken at most, and squared lengths of new directions that rounding hides.
STEPS = 60
ROUNDING = 1e-13
# The length of what is left of a column from which on rounding is nothing to it.
CANCELS = 1e-2
# What rounding leaves over, relative to the diagonal part of a product.
UNITS = 16.0 * float(np.finfo(np.float64).eps)
# Eigenvalues are taken to be at least this part of the largest where the diagonal is inverted.
LEAST = 1e-8


def largest_pairs(
    product: Callable[[Array], Array], diagonal: Array, start: Array, count: int
) -> tuple[Array, Array]:
    """Return eigenvalues, the largest first, and eigenvectors as columns.

    Parameters
    ----------
    product : callable
        Multiplies the columns of an array by the matrix.
    diagonal : ndarray of shape (size,)
        What the matrix subtracts on its diagonal, e >= 0.
    start : ndarray of shape (size, k)
        Columns that span about the eigenvectors; k >= count.
    count : int
        Number of pairs, whose eigenvalues are positive.
    """
    basis = _orthonormal(start, np.zeros((len(start), 0)))
    image, width = product(basis), basis.shape[1]
    small = basis.T @ image
    squared_diagonal = diagonal**2
    for _ in range(STEPS):
        values, turn = _leading(small, count)
        vectors, left_over = basis @ turn, image @ turn
        left_over -= vectors * values
        rounded = UNITS * np.sqrt(squared_diagonal @ vectors**2)
        enough = ACCURACY * (np.abs(values) + SHIFT * values[0]) + rounded
        is_open = np.linalg.norm(left_over, axis=0) > enough
        # Of all that there is the pairs are exact: what they leave over is rounding.
        if not is_open.any() or basis.shape[1] >= len(basis):
            break
        if basis.shape[1] > max(GROWTH * width, LEAST_WIDE):
            kept, turn = _leading(small, 2 * width)
            basis, image, small = basis @ turn, image @ turn, np.diag(kept)
        levels = np.maximum(values[is_open], LEAST * values[0])
        fresh = _orthonormal(left_over[:, is_open] / (diagonal[:, None] + levels), basis)
        fresh_image = product(fresh)
        mixed = basis.T @ fresh_image
        small = np.block([[small, mixed], [mixed.T, fresh.T @ fresh_image]])
        basis, image = np.column_stack([basis, fresh]), np.column_stack([image, fresh_image])
    return values, vectors


def _leading(matrix: Array, count: int) -> tuple[Array, Array]:
    """Return the largest eigenpairs of a small matrix, the largest first."""
    values, vectors = np.linalg.eigh(0.5 * (matrix + matrix.T))
    return values[::-1][:count], vectors[:, ::-1][:, :count]


def _orthonormal(columns: Array, against: Array) -> Array:
    """Return an orthonormal basis of what columns have outside of an orthonormal one."""
    for _ in range(2):
        before = np.linalg.norm(columns, axis=0)
        columns = columns - against @ (against.T @ columns)
        lengths = np.linalg.norm(columns, axis=0)
        used = lengths > 0.0
        columns = columns[:, used] / lengths[used]
        found = whitening(columns.T @ columns, ROUNDING)
        columns = columns @ found.transform
        # Once is not enough for columns that are all but dependent.
        shares = lengths[used] / before[used]
        if shares.min(initial=1.0) > CANCELS and found.lengths.min(initial=1.0) > CANCELS**2:
            break
    return np.asarray(columns)
