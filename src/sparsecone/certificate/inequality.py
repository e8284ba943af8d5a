"""How far M = sym(A X + B) exceeds eta: the eigenvalues that the certificate has to repair.

Where the leading eigenvectors of S are known they tell (`sparsecone.certificate.span`). Elsewhere
M = X' diag(omega) X - sym([L v] [C h]') with C = H + lam diag(1/G) L is formed if it is small. Up
to a thousand features, or samples, a Cholesky factorisation proves that the eigenvalues exceed eta
by no more than a little, and only where it fails are they computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse.linalg as spla
from numpy.typing import NDArray

from ..model.problem import Point
from .dual_point import Excess
from .span import SpanPart, dense_excess, known_spectrum, low_rank_part

Array = NDArray[Any]

# Up to this size M is formed and decomposed directly.
SMALL = 1100
# Up to this many columns the span of the samples and the factor is decomposed directly.
NARROW = 600
# Entries that a basis of that span may have.
LARGEST_BASIS = 2e7
# How exactly an eigenvalue is found iteratively, and where that does not decide, how exactly then.
ACCURACIES = (1e-3, 1e-5)
# The part of the objective that the penalties are taken to be at least.
LEAST_SHARE = 1e-3


def excess_of(point: Point, slacks: Sequence[float] = ()) -> Excess:
    """Return the eigenpairs of M above eta: all of them where that is cheap, else a few.

    Where slacks are given, what the eigenvectors of the data tell will do.
    """
    known = known_spectrum(point.problem) if slacks else None
    if known is not None:
        spectrum, room = known
        return SpanPart.of(point, spectrum).excess(room)
    left, right = low_rank_part(point)
    samples = point.problem.samples
    d = samples.n_features
    if d <= SMALL:
        return _excess_of(_dense(point, left, right), point, slacks)
    columns = samples.n_samples + 2 * left.shape[1]
    direct = columns < min(NARROW, d) and columns * d <= LARGEST_BASIS
    if samples.dense_rows is not None and direct:
        basis, small = _reduced(point, left, right)
        found = _excess_of(small, point, slacks)
        return Excess(found.values, basis @ found.vectors, found.rest)
    return _iterative_excess(point, left, right)


def _excess_of(matrix: Array, point: Point, slacks: Sequence[float]) -> Excess:
    """Return the eigenpairs of M, or of M in some basis, above eta, unless a slack covers them."""
    eta = point.problem.eta
    for margin in (slack * _gap_unit(point) for slack in sorted(slacks)):
        if is_below(matrix, eta + margin):
            return Excess(np.zeros(0), np.zeros((len(matrix), 0)), margin)
    return dense_excess(matrix, eta)


def _iterative_excess(point: Point, left: Array, right: Array) -> Excess:
    """Return what M has above eta in the span of the factor, and the largest outside of it."""
    eta = point.problem.eta
    span = SpanPart.of(point)
    largest, direction, error = _largest_outside(point, left, right, span.basis)
    if not np.isfinite(error):
        return Excess(np.zeros(0), np.zeros((len(direction), 0)), np.inf)
    room = max(eta - largest - error, span.mixing)
    found = span.excess(room)
    rest = max(largest + error + room - eta, 0.0)
    if rest == 0.0:
        return found
    vectors = np.column_stack([direction, found.vectors])
    return Excess(np.append(max(largest - eta, 0.0), found.values), vectors, rest)


def _largest_outside(
    point: Point, left: Array, right: Array, basis: Array
) -> tuple[float, Array, float]:
    """Return the largest eigenvalue of M outside a span, its vector, and the residual."""
    d = len(basis)

    def apply(x: Array) -> Array:
        x = x.reshape(d, 1)
        image = _apply(point, left, right, x - basis @ (basis.T @ x))
        return image - basis @ (basis.T @ image)

    operator = spla.LinearOperator((d, d), matvec=apply, dtype=np.float64)
    start = np.random.default_rng(0).standard_normal(d)
    for accuracy in ACCURACIES:
        try:
            values, vectors = spla.eigsh(
                operator, k=1, which="LA", v0=start, tol=accuracy, ncv=min(20, d), maxiter=50
            )
        except spla.ArpackNoConvergence:
            return 0.0, start, np.inf
        value, start = float(values[0]), vectors[:, 0]
        error = float(np.linalg.norm(operator @ start - value * start))
        if not value < point.problem.eta < value + 2.0 * error:
            break
    return value, start, error


def is_below(matrix: Array, level: float) -> bool:
    """Return whether all eigenvalues of a symmetric matrix are below the level, by Cholesky.

    Its lower triangle counts.
    """
    rest = -matrix
    rest[np.diag_indices_from(rest)] += level
    _, failed = scipy.linalg.lapack.dpotrf(rest, lower=1, clean=0, overwrite_a=1)
    return bool(failed == 0)


def _gap_unit(point: Point) -> float:
    """Return how far M may exceed eta for a relative gap of one, to first order."""
    penalty = point.value - point.data.value
    share = max(penalty / point.value, LEAST_SHARE) if point.value > 0.0 else 1.0
    return max(point.problem.eta, point.problem.lam) / share


def _apply(point: Point, left: Array, right: Array, x: Array) -> Array:
    """Return M x."""
    samples, weights = point.problem.samples, point.data.weights
    if weights is None:
        product = 2.0 * samples.gram_product(x)
    else:
        product = samples.weighted_product(x, weights)
    return np.asarray(product - 0.5 * (left @ (right.T @ x) + right @ (left.T @ x)))


def _dense(point: Point, left: Array, right: Array) -> Array:
    """Return M, of which the lower triangle counts."""
    samples, weights = point.problem.samples, point.data.weights
    gram, twice = (
        (samples.gram_matrix, 2.0) if weights is None else (samples.weighted_gram(weights), 1.0)
    )
    # The transpose of a symmetric matrix is itself, in the order that BLAS expects.
    lower = scipy.linalg.blas.dsyr2k(-0.5, left, right, beta=twice, c=gram.T, lower=1)
    return np.asarray(lower)


def _reduced(point: Point, left: Array, right: Array) -> tuple[Array, Array]:
    """Return an orthonormal basis of the span of samples and factor, and M in that basis."""
    weights = point.data.weights
    rows, triangle = point.problem.samples.row_space
    both = np.column_stack([left, right])
    rest = both
    # Once is not enough for columns that lie in the span of the samples but for rounding.
    for _ in range(2):
        rest, _ = scipy.linalg.qr(rest - rows @ (rows.T @ rest), mode="economic")
    basis = np.column_stack([rows, rest])
    first, second = np.split(basis.T @ both, [left.shape[1]], axis=1)
    small = -_symmetric(first @ second.T)
    k = len(triangle)
    small[:k, :k] += (2.0 if weights is None else weights) * triangle @ triangle.T
    return basis, small


def _symmetric(matrix: Array) -> Array:
    return np.asarray(0.5 * (matrix + matrix.T))
