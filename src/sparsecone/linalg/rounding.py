"""What rounding may do: a priori bounds, and errors measured by random directions.

An inner product of length k is off by at most k UNIT times that of the absolute values (Higham,
Accuracy and Stability of Numerical Algorithms, section 3.1, to first order; every use below has a
factor to spare for the rest). So X'(X L) is off by at most (n + d) UNIT |X|^2 |L|, in the norms
of Frobenius.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .types import Array

UNIT = float(np.finfo(np.float64).eps) / 2.0
UNIT_SINGLE = float(np.finfo(np.float32).eps) / 2.0
TINY = float(np.finfo(np.float64).tiny)
# Directions that measure an error, and the multiple of their mean that is stated: a matrix E has
# |E| above it with the probability that a chi-square of 12 degrees of freedom is below 12 / 18.5^2.
PROBES = 12
PROBE_FACTOR = 18.5
PROBE_FAILURE = 4e-14


def norm(array: Array) -> float:
    """Return the norm of Frobenius."""
    flat = array.ravel(order="K")
    return math.sqrt(flat.dot(flat))


def spectral_bound(matrix: Array) -> float:
    """Return what the largest singular value of M does not exceed: all but that where M'M is I.

    Its square is at most the largest sum of absolute values in a row of M'M, and at most the trace.
    """
    gram = matrix.T @ matrix
    largest = float(np.abs(gram).sum(axis=1).max(initial=0.0))
    return math.sqrt(min(largest, float(gram.trace())))


def sum_error(length: int) -> float:
    """Return the relative error of products and sums of so many terms, with room to spare."""
    return 2.0 * (length + 16) * UNIT


def eigen_error(size: int, norm: float, unit: float = UNIT) -> float:
    """Return how far computed eigenpairs of a symmetric matrix are from exact ones of another.

    LAPACK's drivers are backward stable: V diag(values) V' is the matrix up to a small multiple of
    the size in units of the last place; ten times the size is far above what they show. That holds
    in the spectral norm and in that of Frobenius, whichever is given.
    """
    return 10.0 * (size + 10) * unit * norm


def cholesky_error(size: int, trace: float) -> float:
    """Return the level above which a matrix with a computed Cholesky factor is not negative.

    If the factorisation of a symmetric matrix A of non-negative diagonal runs to its end, its least
    eigenvalue is at least -(size + 1) / (1 - (size + 1) UNIT) UNIT trace(A) (Rump 2006).
    """
    return 2.0 * (size + 2) * UNIT * trace


def measured_error(matrix: Array, product: Callable[[Array], Array]) -> float:
    """Return what the norm of Frobenius of `matrix` less a linear map does not exceed.

    It does so with a probability below PROBE_FAILURE, over the directions that are drawn.
    """
    directions = np.random.default_rng(0).standard_normal((matrix.shape[1], PROBES))
    difference = matrix @ directions - product(directions)
    return PROBE_FACTOR * norm(difference) / float(np.sqrt(PROBES))
