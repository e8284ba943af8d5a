"""A few leading eigenvectors of a symmetric operator that is known by its products only."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import scipy.linalg
from scipy.linalg.lapack import dgeqrf, dorgqr

from ...linalg.types import Array

Operator = Callable[[Array], Array]
# Columns that LAPACK factors at a time, if it has room for them.
PANEL = 32


class Eigenvectors(NamedTuple):
    """What `leading_eigenvectors` found.

    Attributes
    ----------
    values : ndarray of shape (n_wanted,)
        Eigenvalues, largest first.
    vectors : ndarray of shape (size, n_wanted)
        Orthonormal eigenvectors.
    products : ndarray of shape (size, n_wanted)
        Their products with the operator.
    residual : float
        The largest relative residual norm that is left.
    """

    values: Array
    vectors: Array
    products: Array
    residual: float


def leading_eigenvectors(
    apply: Operator, start: Array, n_wanted: int, *, tol: float, max_products: int
) -> Eigenvectors:
    """Compute the eigenvectors of largest eigenvalue by a restarted block Krylov method.

    A block finds eigenvalues of any multiplicity up to its width, and profits from a start close
    to the answer; the single vector of Lanczos does neither. The block is a little wider than
    asked for, filled up with fixed pseudo-random columns: the same call gives the same answer, and
    no start can hide an eigenvector.

    Parameters
    ----------
    apply : callable
        Maps a (size, m) array to the product with the operator.
    start : ndarray of shape (size, m)
        Where to start; m is at most `n_wanted`, and may be 0.
    n_wanted : int
        How many eigenvectors.
    tol : float
        Largest norm of a residual, relative to the largest eigenvalue.
    max_products : int
        Largest number of products with a block.

    Returns
    -------
    Eigenvectors
        Values, vectors, their products and what is left.
    """
    size = start.shape[0]
    width = min(size, n_wanted + max(3, n_wanted // 4))
    if size <= 6 * width:
        return _all_at_once(apply, size, n_wanted)
    fill = np.random.default_rng(0).standard_normal((size, width - start.shape[1]))
    basis = orthonormal(np.hstack([start, fill]))
    images = apply(basis)
    for _ in range(max_products):
        values, mix = _largest(basis.T @ images, width)
        vectors, products = basis @ mix, images @ mix
        residuals = products - vectors * values
        norms = np.sqrt(np.einsum("ij,ij->j", residuals, residuals))
        norms /= max(abs(values[0]), np.finfo(float).tiny)
        residual = float(norms[:n_wanted].max())
        if residual <= tol:
            break
        if basis.shape[1] + width > 6 * width:
            basis, images = vectors, products
        fresh = _orthonormal_to(basis, residuals[:, norms > 0.1 * tol])
        basis, images = np.hstack([basis, fresh]), np.hstack([images, apply(fresh)])
    return Eigenvectors(values[:n_wanted], vectors[:, :n_wanted], products[:, :n_wanted], residual)


def _largest(small: Array, count: int) -> tuple[Array, Array]:
    """Return the `count` largest eigenvalues of a small symmetric matrix and their vectors."""
    size = len(small)
    values, vectors = scipy.linalg.eigh(
        (small + small.T) / 2, subset_by_index=[size - count, size - 1], check_finite=False
    )
    return values[::-1], vectors[:, ::-1]


def _orthonormal_to(basis: Array, block: Array) -> Array:
    """Orthonormalise a block against a basis; twice is enough."""
    for _ in range(2):
        block = orthonormal(block - basis @ (basis.T @ block))
    return block


def orthonormal(block: Array) -> Array:
    """Return the orthonormal factor of a tall block, of which NumPy's wrapper takes twice as long.

    Examples
    --------
    >>> orthonormal(np.array([[3.0], [4.0]])).ravel().round(9).tolist()
    [-0.6, -0.8]
    """
    work = PANEL * block.shape[1]
    factors, scales = dgeqrf(block, lwork=work)[:2]
    return np.asarray(dorgqr(factors, scales, lwork=work, overwrite_a=1)[0])


def _all_at_once(apply: Operator, size: int, n_wanted: int) -> Eigenvectors:
    """Solve densely where the eigenvectors asked for are a good part of all."""
    values, vectors = _largest(apply(np.eye(size)), n_wanted)
    return Eigenvectors(values, vectors, apply(vectors), 0.0)
