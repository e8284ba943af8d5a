"""The dual bound: what proves that a factor is (nearly) optimal.

The dual of the problem is to maximise `<A, X'> - phi*(A)` over A (d x n) and B (d x d) subject to

    |b_j| <= lam for every column j,      sym(A X + B) <= eta I,

with |a_i| <= 1 for the robust loss and sum_i a_i = 0 where an offset is learned. At any point
`a_i = omega_i (x_i - W x_i - v)` and `b_j = -lam w_j / G_j` satisfy everything but the matrix
inequality. With m the largest eigenvalue of M = sym(A X + B), two repairs restore it:

- scale A and B by eta / m;
- shift B by (m - eta) I, which lengthens its columns, then scale A and B until they fit again.

Both give a lower bound on the optimum; the larger one is kept. M itself is never formed where it
is large: M = X' diag(omega) X - sym([L v] [C h]') with C = H + lam diag(1/G) L.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse.linalg as spla
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from .losses import Loss, Robust
from .problem import Point, Problem

Array = NDArray[Any]

# Up to this size M is formed and decomposed directly.
SMALL = 200
# Up to this many columns the span of the samples and the factor is decomposed directly.
NARROW = 600
# Eigenpairs asked for where the decomposition is iterative.
ASKED = 3


@dataclass(frozen=True)
class Certificate:
    """A lower bound on the optimum, with the directions that would improve the factor.

    Attributes
    ----------
    bound : float
        No PSD matrix has a smaller objective.
    excess : float
        Largest eigenvalue of M minus eta; not positive at the optimum.
    directions : ndarray of shape (n_features, k)
        Eigenvectors of M, the largest eigenvalue first: adding one whose eigenvalue exceeds eta
        to the factor decreases the objective.
    """

    bound: float
    excess: float
    directions: Array


@dataclass(frozen=True)
class Multipliers:
    """A dual point that may violate the matrix inequality.

    Attributes
    ----------
    inner : float
        <A, X'>.
    quadratic : float
        |A|^2 / 4, which the squared loss subtracts.
    squared_lengths : ndarray of shape (n_samples,) or None
        |a_i|^2, which the robust loss bounds by one.
    squared_columns : ndarray of shape (n_features,)
        |b_j|^2, at most lam^2.
    diagonal : ndarray of shape (n_features,)
        b_jj.
    """

    inner: float
    quadratic: float
    squared_lengths: Array | None
    squared_columns: Array
    diagonal: Array

    def bound(self, problem: Problem, largest: float) -> float:
        """Return the best bound after either repair, given the largest eigenvalue of M."""
        lam, eta = problem.lam, problem.eta
        excess = max(largest - eta, 0.0)
        scaled = 1.0 if excess == 0.0 else eta / largest
        columns = self.squared_columns - 2.0 * excess * self.diagonal + excess**2
        longest = float(np.sqrt(columns.max(initial=0.0)))
        shifted = 1.0 if longest <= lam else lam / longest
        return self._value(problem.loss, max(scaled, shifted))

    def _value(self, loss: Loss, limit: float) -> float:
        """Return the best dual objective over common scales up to the limit."""
        if not isinstance(loss, Robust):
            best = self.inner / (2.0 * self.quadratic) if self.quadratic > 0.0 else limit
            scale = min(limit, best)
            return scale * self.inner - scale**2 * self.quadratic
        lengths, inner = self.squared_lengths, self.inner
        assert lengths is not None
        limit = min(limit, 1.0 / np.sqrt(max(float(lengths.max()), 1e-300)))
        found = minimize_scalar(
            lambda s: -loss.dual_value(inner, lengths, s), bounds=(0.0, limit), method="bounded"
        )
        return max(-float(found.fun), loss.dual_value(inner, lengths, limit))


def certify(point: Point) -> Certificate:
    """Return the certificate of a point."""
    values, vectors = leading_of_inequality(point)
    diagonal = np.einsum("jk,jk->j", point.L, point.L) / point.smooth_scores
    lam = point.problem.lam
    multipliers = Multipliers(
        inner=point.data.inner,
        quadratic=point.data.value,
        squared_lengths=point.data.squared_lengths,
        squared_columns=lam**2 * point.squared_scores / point.smooth_scores**2,
        diagonal=-lam * diagonal,
    )
    bound = multipliers.bound(point.problem, float(values[0]))
    above = values > point.problem.eta
    return Certificate(bound, float(values[0]) - point.problem.eta, vectors[:, above])


def leading_of_inequality(point: Point) -> tuple[Array, Array]:
    """Return the largest eigenvalues of M, the first not underestimated, and eigenvectors."""
    left, right = low_rank_part(point)
    samples = point.problem.samples
    d = samples.n_features
    if d <= SMALL:
        return _dense(point, left, right)
    columns = samples.n_samples + 2 * left.shape[1]
    if samples.dense_rows is not None and columns < min(NARROW, d):
        return _reduced(samples.dense_rows, point.data.weights, left, right)
    operator = spla.LinearOperator(
        (d, d), matvec=lambda x: _apply(point, left, right, x), dtype=float
    )
    start = np.random.default_rng(0).standard_normal(d)
    values, vectors = spla.eigsh(operator, k=ASKED, which="LA", v0=start, tol=1e-6)
    values, vectors = values[::-1], vectors[:, ::-1]
    residual = operator.matvec(vectors[:, 0]) - values[0] * vectors[:, 0]
    values[0] += np.linalg.norm(residual)
    return values, vectors


def low_rank_part(point: Point) -> tuple[Array, Array]:
    """Return [L v] and [C h]: M = X' diag(omega) X - sym([L v] [C h]')."""
    C = point.data.H + point.problem.lam * (point.L / point.smooth_scores[:, None])
    if point.v is None or point.data.h is None:
        return point.L, C
    return np.column_stack([point.L, point.v]), np.column_stack([C, point.data.h])


def _apply(point: Point, left: Array, right: Array, x: Array) -> Array:
    """Return M x."""
    samples, weights = point.problem.samples, point.data.weights
    x = x.reshape(-1, 1)
    if weights is None:
        product = 2.0 * samples.gram_product(x)
    else:
        product = samples.backproject(samples.project(x) * weights[:, None])
    return np.asarray(product - 0.5 * (left @ (right.T @ x) + right @ (left.T @ x)))


def _dense(point: Point, left: Array, right: Array) -> tuple[Array, Array]:
    samples, weights = point.problem.samples, point.data.weights
    gram = 2.0 * samples.gram_matrix if weights is None else samples.weighted_gram(weights)
    return _descending(gram - _symmetric(left @ right.T))


def _reduced(rows: Array, weights: Array | None, left: Array, right: Array) -> tuple[Array, Array]:
    """Decompose M exactly in the span of the samples and the factor, when that is small."""
    roots = np.sqrt(2.0) if weights is None else np.sqrt(weights)[:, None]
    basis, triangle = scipy.linalg.qr(
        np.column_stack([(roots * rows).T, left, right]), mode="economic", overwrite_a=True
    )
    n, r = rows.shape[0], left.shape[1]
    first, second = triangle[:, n : n + r], triangle[:, n + r :]
    small = triangle[:, :n] @ triangle[:, :n].T - _symmetric(first @ second.T)
    values, vectors = _descending(small)
    return values, basis @ vectors[:, :ASKED]


def _symmetric(matrix: Array) -> Array:
    return np.asarray(0.5 * (matrix + matrix.T))


def _descending(matrix: Array) -> tuple[Array, Array]:
    size = matrix.shape[0]
    values, vectors = scipy.linalg.eigh(matrix, subset_by_index=(max(size - ASKED, 0), size - 1))
    return values[::-1], vectors[:, ::-1]
