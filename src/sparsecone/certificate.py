"""The dual bound: what proves that a factor is (nearly) optimal.

The dual of the problem is to maximise `<A, X'> - phi*(A)` over A (d x n) and B (d x d) subject to

    |b_j| <= lam for every column j,      sym(A X + B) <= eta I,

with |a_i| <= 1 for the robust loss and sum_i a_i = 0 where an offset is learned. At any point
`a_i = omega_i (x_i - W x_i - v)` and `b_j = -lam w_j / G_j` satisfy everything but the matrix
inequality. With m the largest eigenvalue of M = sym(A X + B), two repairs restore it:

- scale A and B by eta / m;
- subtract from B the positive part of M - eta I (what is known of it, and a multiple of I for the
  rest), which changes the lengths of its columns, then scale A and B until they fit again. Where
  the positive part is orthogonal to W the lengths change to second order only.

Both give a lower bound on the optimum; the larger one is kept. M itself is never formed where it
is large: M = X' diag(omega) X - sym([L v] [C h]') with C = H + lam diag(1/G) L.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse.linalg as spla
from numpy.typing import NDArray

from .dual_point import Excess, Lengths, Multipliers
from .losses import Robust
from .problem import Point, multiplier_terms

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


@dataclass(frozen=True)
class Certificate:
    """A lower bound on the optimum, with the directions that would improve the factor.

    Attributes
    ----------
    bound : float
        No PSD matrix has a smaller objective.
    excess : Excess
        Violation of the matrix inequality: adding one of its eigenvectors to the factor decreases
        the objective.
    """

    bound: float
    excess: Excess


def certify(point: Point, *, slack: float = 0.0) -> Certificate:
    """Return the certificate of a point.

    Parameters
    ----------
    point : Point
        The factor, at which the multipliers are taken.
    slack : float
        Relative gap up to which the eigenvalues of M above eta need not be known: where a Cholesky
        factorisation proves that they cost no more, they are not computed.
    """
    excess = excess_of(point, slack)
    lam, scores = point.problem.lam, point.smooth_scores
    multipliers = Multipliers(
        inner=point.data.inner,
        quadratic=point.data.value,
        lengths=multiplier_lengths(point),
        squared_columns=lam**2 * point.squared_scores / scores**2,
        diagonal=-lam * np.einsum("jk,jk->j", point.L, point.L) / scores,
        projections=-lam * (point.L @ (point.L.T @ excess.vectors)) / scores[:, None],
    )
    return Certificate(multipliers.bound(point.problem, excess), excess)


def multiplier_lengths(point: Point) -> Lengths | None:
    """Return the lengths of the multipliers at a point, where the loss bounds them."""
    samples, loss, data = point.problem.samples, point.problem.loss, point.data
    if not isinstance(loss, Robust):
        return None
    mean = None
    if point.v is not None and data.h is not None:
        total = data.h - point.L @ data.projected_weights - data.total_weight * point.v
        mean = total / samples.n_samples
    found = samples.collect(partial(multiplier_terms, loss=loss, L=point.L, v=point.v, mean=mean))
    return Lengths(samples, found.rowwise[0], found.largest)


def excess_of(point: Point, slack: float = 0.0) -> Excess:
    """Return the eigenpairs of M above eta: all of them where that is cheap, else a few."""
    left, right = low_rank_part(point)
    samples, eta = point.problem.samples, point.problem.eta
    d = samples.n_features
    if d <= SMALL:
        matrix = _dense(point, left, right)
        margin = slack * _gap_unit(point)
        if slack > 0.0 and is_below(matrix, eta + margin):
            return Excess(np.zeros(0), np.zeros((d, 0)), margin)
        return dense_excess(matrix, eta)
    columns = samples.n_samples + 2 * left.shape[1]
    direct = columns < min(NARROW, d) and columns * d <= LARGEST_BASIS
    if samples.dense_rows is not None and direct:
        basis, small = _reduced(samples.dense_rows, point.data.weights, left, right)
        found = dense_excess(small, eta)
        return Excess(found.values, basis @ found.vectors, 0.0)
    return _iterative_excess(point, left, right)


def _iterative_excess(point: Point, left: Array, right: Array) -> Excess:
    """Return what M has above eta in the span of the factor, and the largest outside of it.

    With an orthonormal basis Q of the span, R the part of M Q outside of it and mu the largest
    eigenvalue of M there, M <= Q (Q'MQ + R'R / c) Q' + (mu + c) (I - QQ') for every c > 0: with
    c = eta - mu nothing outside the span exceeds eta, and R counts by its square. Where that room
    is too small, c = |R| is the better choice.
    """
    eta = point.problem.eta
    basis, _ = scipy.linalg.qr(point.L, mode="economic")
    image = _apply(point, left, right, basis)
    inside = basis.T @ image
    outside = image - basis @ inside
    largest, direction, error = _largest_outside(point, left, right, basis)
    if not np.isfinite(error):
        return Excess(np.zeros(0), np.zeros((len(basis), 0)), np.inf)
    square = outside.T @ outside
    room = max(eta - largest - error, float(np.sqrt(np.linalg.norm(square, 2))))
    found = dense_excess(_symmetric(inside) + square / max(room, np.finfo(float).tiny), eta)
    rest = max(largest + error + room - eta, 0.0)
    if rest == 0.0:
        return Excess(found.values, basis @ found.vectors, 0.0)
    vectors = np.column_stack([direction, basis @ found.vectors])
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


def dense_excess(matrix: Array, eta: float) -> Excess:
    """Return all eigenpairs of a symmetric matrix above eta."""
    values, vectors = scipy.linalg.eigh(matrix, subset_by_value=(eta, np.inf))
    return Excess(values[::-1] - eta, vectors[:, ::-1], 0.0)


def is_below(matrix: Array, level: float) -> bool:
    """Return whether all eigenvalues of a symmetric matrix are below the level, by Cholesky."""
    rest = -matrix
    rest[np.diag_indices_from(rest)] += level
    _, failed = scipy.linalg.lapack.dpotrf(rest, lower=1, clean=0, overwrite_a=1)
    return bool(failed == 0)


def _gap_unit(point: Point) -> float:
    """Return how far M may exceed eta for a relative gap of one, to first order."""
    penalty = point.value - point.data.value
    share = max(penalty / point.value, LEAST_SHARE) if point.value > 0.0 else 1.0
    return max(point.problem.eta, point.problem.lam) / share


def low_rank_part(point: Point) -> tuple[Array, Array]:
    """Return [L v] and [C h]: M = X' diag(omega) X - sym([L v] [C h]')."""
    C = point.data.H + point.problem.lam * (point.L / point.smooth_scores[:, None])
    if point.v is None or point.data.h is None:
        return point.L, C
    return np.column_stack([point.L, point.v]), np.column_stack([C, point.data.h])


def _apply(point: Point, left: Array, right: Array, x: Array) -> Array:
    """Return M x."""
    samples, weights = point.problem.samples, point.data.weights
    if weights is None:
        product = 2.0 * samples.gram_product(x)
    else:
        product = samples.weighted_product(x, weights)
    return np.asarray(product - 0.5 * (left @ (right.T @ x) + right @ (left.T @ x)))


def _dense(point: Point, left: Array, right: Array) -> Array:
    samples, weights = point.problem.samples, point.data.weights
    gram = 2.0 * samples.gram_matrix if weights is None else samples.weighted_gram(weights)
    return gram - _symmetric(left @ right.T)


def _reduced(rows: Array, weights: Array | None, left: Array, right: Array) -> tuple[Array, Array]:
    """Return an orthonormal basis of the span of samples and factor, and M in that basis."""
    roots = np.sqrt(2.0) if weights is None else np.sqrt(weights)[:, None]
    basis, triangle = scipy.linalg.qr(
        np.column_stack([(roots * rows).T, left, right]), mode="economic", overwrite_a=True
    )
    n, r = rows.shape[0], left.shape[1]
    first, second = triangle[:, n : n + r], triangle[:, n + r :]
    return basis, triangle[:, :n] @ triangle[:, :n].T - _symmetric(first @ second.T)


def _symmetric(matrix: Array) -> Array:
    return np.asarray(0.5 * (matrix + matrix.T))
