"""Eigenpairs of symmetric matrices: above a level, and bounds on the largest."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import scipy.linalg

from .rounding import TINY, norm
from .threads import large
from .types import Array

# Products that span a Krylov space, and columns of each beside half of those that are sought: so
# many eigenvalues may coincide.
PRODUCTS = 5
EXTRA = 16
# The part of the longest column below which nothing of another one is new.
ALIKE = 1e-10
# Failure probability of the bound on a largest eigenvalue, and the steps that are taken for it.
FAILURE = 1e-12
STEPS = 200
# Size up to which all of the spectrum takes no longer than a part of it.
WHOLE = 64
# Columns that a triangle is mirrored by at once.
BLOCK = 64
# The share of the eigenvalue below which its bound is worth something, and of its residual.
ENOUGH = 0.25
EXACTLY = 1e-5


def pairs_above(matrix: Array, level: float) -> tuple[Array, Array]:
    """Return the eigenvalues of a symmetric matrix above a level, the largest first, and vectors.

    Its lower triangle counts.
    """
    if len(matrix) > WHOLE:
        try:
            with large(float(len(matrix)) ** 3):
                values, vectors = scipy.linalg.eigh(matrix, subset_by_value=(level, np.inf))
            # LAPACK's method for a part of the spectrum may fail where values are all but equal.
            if np.isfinite(vectors).all():
                return values[::-1], vectors[:, ::-1]
        except np.linalg.LinAlgError:
            pass
    values, vectors = np.linalg.eigh(matrix)
    above = values > level
    return values[above][::-1], vectors[:, above][:, ::-1]


def largest_eigenvalue(gram: Array) -> float:
    """Return the largest eigenvalue of a positive semidefinite matrix."""
    return max(float(np.linalg.eigvalsh(gram)[-1]), 0.0)


def is_below(matrix: Array, level: float) -> bool:
    """Return whether a Cholesky factorisation of `level I - matrix` runs to its end.

    The lower triangle counts and stays as it is; the upper one is overwritten, so that the matrix,
    by columns, is all the memory there is.
    """
    size, diagonal = len(matrix), matrix.diagonal().copy()
    for first in range(0, size, BLOCK):
        rows = slice(first, first + BLOCK)
        square = matrix[rows, rows]
        square[:] = np.tril(square) - np.tril(square, -1).T
        np.negative(matrix[first + BLOCK :, rows].T, out=matrix[rows, first + BLOCK :])
    np.fill_diagonal(matrix, level - diagonal)
    with large(size**3 / 6.0):
        _, failed = scipy.linalg.lapack.dpotrf(matrix, lower=0, clean=0, overwrite_a=1)
    np.fill_diagonal(matrix, diagonal)
    return bool(failed == 0)


def krylov_pairs(product: Callable[[Array], Array], size: int, count: int) -> tuple[Array, Array]:
    """Return the leading Ritz pairs of a symmetric matrix in a block Krylov space.

    The space is that of a few products with random columns. All columns are kept orthonormal;
    where products bring nothing new, as for a matrix of low rank, random columns do.
    """
    rng = np.random.default_rng(0)
    basis, images = np.zeros((size, 0)), np.zeros((0, 0))
    block = rng.standard_normal((size, min(count // 2 + EXTRA, size)))
    for _ in range(PRODUCTS):
        for _ in range(2):
            block = _orthonormal(block - basis @ (basis.T @ block), rng)
        image = product(block)
        basis = np.column_stack([basis, block])
        here = basis.T @ image
        images = np.block([[images, here[: len(images)]], [here.T]])
        block = (image - basis @ here)[:, : size - basis.shape[1]]
        if block.size == 0:
            break
    values, rotation = scipy.linalg.eigh(0.5 * (images + images.T))
    return values[::-1][:count], basis @ rotation[:, ::-1][:, :count]


def _orthonormal(columns: Array, rng: np.random.Generator) -> Array:
    """Return orthonormal columns with the span of these, and random ones for those that repeat."""
    basis, root = scipy.linalg.qr(columns, mode="economic")
    lengths = np.abs(root.diagonal())
    alike = lengths <= ALIKE * lengths.max(initial=0.0)
    basis[:, alike] = rng.standard_normal((len(basis), np.count_nonzero(alike)))
    return np.asarray(basis)


class Largest(NamedTuple):
    """A Ritz pair, and what the largest eigenvalue exceeds with a probability below FAILURE."""

    value: float
    vector: Array
    bound: float


def randomised_largest(
    product: Callable[[Array], Array], size: int, level: float, most: int = STEPS
) -> Largest:
    """Bound the largest eigenvalue of a positive semidefinite matrix by Lanczos' method.

    From a start that is uniform on the sphere, the Ritz value t after q steps is below
    (1 - e) times the largest eigenvalue with a probability of at most
    1.648 sqrt(size) exp(-sqrt(e) (2 q - 1)) (Kuczynski and Wozniakowski 1992).

    Parameters
    ----------
    product : callable
        Multiplies a vector.
    size : int
        Length of the vectors.
    level : float
        The search ends early once the bound is below it, or the value above.
    most : int
        The largest number of steps, at most STEPS.
    """
    start = np.random.default_rng(0).standard_normal(size)
    basis = [start / np.linalg.norm(start)]
    diagonal: list[float] = []
    beside: list[float] = []
    # The number of steps depends on what they find: all of them share the probability.
    exponent = float(np.log(1.648 * np.sqrt(size) * STEPS / FAILURE))
    while True:
        image = product(basis[-1])
        diagonal.append(float(basis[-1] @ image))
        for vector in (*basis, *basis):
            image -= (vector @ image) * vector
        steps, length = len(diagonal), norm(image)
        values, vectors = scipy.linalg.eigh_tridiagonal(diagonal, beside)
        value = max(float(values[-1]), 0.0)
        exhausted = steps == size or length <= 1e-14 * max(value, TINY)
        share = 1e-12 if exhausted else (exponent / (2 * steps - 1)) ** 2
        bound = value / (1.0 - share) if share < 1.0 else np.inf
        # A value above the level is found exactly: its vector is of use.
        is_exact = length * abs(float(vectors[-1, -1])) <= EXACTLY * value
        decided = share < ENOUGH and (bound < level or (value > level and is_exact))
        if exhausted or decided or steps == most:
            leading = np.zeros(size)
            for coefficient, vector in zip(vectors[:, -1], basis, strict=True):
                leading += coefficient * vector
            return Largest(value, leading, bound)
        beside.append(length)
        basis.append(image / length)
