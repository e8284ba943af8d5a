"""How far M = sym(A X + B) exceeds eta: one strategy a problem, chosen by its shape.

`Spectral` knows the leading eigenvectors of S and needs no data. `Dense` forms
M = X' diag(omega) X - sym([L v] [C h]') with C = H + lam diag(1/G) L, `Reduced` the same in a basis
of the samples and the factor: up to a thousand features, or samples, a Cholesky factorisation
proves that the eigenvalues exceed eta by no more than a little, and only where it fails are they
computed. `Outer` is for all else: what is outside the span of the factor is bounded on the smaller
side of X, or by a randomised method where that is too large (`sparsecone.certificate.outer`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.linalg

from ..data import Rows, is_decomposed
from ..linalg.eigen import is_below, pairs_above
from ..linalg.rounding import cholesky_error, eigen_error, norm, sum_error
from ..linalg.types import Array
from ..model.problem import Point, Problem
from .dual_point import Excess
from .matrix import low_rank_part, matrix_rounding, matrix_size
from .outer import Outer
from .spectral import Strategy, Tracked, spectral
from .widening import widening

# Up to this size M is formed and decomposed directly.
SMALL = 1100
# Up to this many columns the span of the samples and the factor is decomposed directly.
NARROW = 600
# Entries that a basis of that span may have.
LARGEST_BASIS = 2e7


def strategy_for(problem: Problem, *, tol: float = 0.0) -> Strategy:
    """Return the strategy for a problem.

    Parameters
    ----------
    problem : Problem
        What is to be certified.
    tol : float
        The relative gap that is wanted: what costs less than it may be given up for speed.
    """
    exact = exact_strategy(problem)
    if tol == 0.0 or problem.eta <= 0.0 or problem.loss.recenter:
        return exact
    if not is_decomposed(problem.samples):
        return exact
    if problem.loss.needs_rows:
        return Tracked(exact, tol)
    found = widening(problem.zero, exact, tol) or spectral(problem.zero, exact, tol)
    if found is None:
        # No further eigenpairs are asked for, and the exact way needs the memory.
        problem.samples.let_go()
    return found or exact


def exact_strategy(problem: Problem) -> Strategy:
    """Return the strategy that computes what it needs anew at every point."""
    samples, d = problem.samples, problem.samples.n_features
    if d <= SMALL:
        return Dense()
    direct = samples.n_samples < NARROW and samples.n_samples * d <= LARGEST_BASIS
    if direct and isinstance(samples, Rows) and not samples.is_sparse and not samples.is_single:
        return Reduced()
    return Outer()


@dataclass(frozen=True)
class Dense:
    """M is formed."""

    is_cheap = False
    n_vectors = 0

    def excess(self, point: Point, margins: Sequence[float] = ()) -> Excess:
        """Return what exceeds eta."""
        left, right = low_rank_part(point)
        gram = point.curvature_matrix()
        # The transpose of a symmetric matrix is itself, in the order that BLAS expects.
        lower = scipy.linalg.blas.dsyr2k(-0.5, left, right, beta=1.0, c=gram.T, lower=1)
        rounding = matrix_rounding(point, left, right)
        return _excess_of(np.asarray(lower), point, rounding, margins)


@dataclass(frozen=True)
class Reduced:
    """M is formed in an orthonormal basis of the span of samples and factor, where it all is."""

    is_cheap = False
    n_vectors = 0

    def excess(self, point: Point, margins: Sequence[float] = ()) -> Excess:
        """Return what exceeds eta."""
        left, right = low_rank_part(point)
        basis, small, skew = _reduced(point, left, right)
        size = matrix_size(point, left, right)
        rounding = matrix_rounding(point, left, right) + 4.0 * skew * size
        found = _excess_of(small, point, rounding, margins)
        vectors = basis @ found.vectors
        return Excess(found.values, vectors, found.rest, found.proven, found.is_rough)


def _reduced(point: Point, left: Array, right: Array) -> tuple[Array, Array, float]:
    """Return a basis of samples and factor, M in it, and how far it is from orthonormal."""
    samples, weights = point.problem.samples, point.data.weights
    assert isinstance(samples, Rows)
    rows, triangle = samples.row_space
    both = np.column_stack([left, right])
    rest = both
    # Once is not enough for columns that lie in the span of the samples but for rounding.
    for _ in range(2):
        rest, _ = scipy.linalg.qr(rest - rows @ (rows.T @ rest), mode="economic")
    basis = np.column_stack([rows, rest])
    first, second = np.split(basis.T @ both, [left.shape[1]], axis=1)
    mixed = first @ second.T
    small = -0.5 * (mixed + mixed.T)
    k = len(triangle)
    small[:k, :k] += (2.0 if weights is None else weights) * triangle @ triangle.T
    gram = basis.T @ basis
    gram[np.diag_indices_from(gram)] -= 1.0
    return basis, small, norm(gram) + sum_error(len(basis)) * len(gram)


def _excess_of(matrix: Array, point: Point, rounding: float, margins: Sequence[float]) -> Excess:
    """Return the eigenpairs above eta of a matrix (its lower triangle), but for a margin.

    Parameters
    ----------
    matrix : ndarray
        M, or M in some basis; its upper triangle is overwritten.
    point : Point
        Where the multipliers are taken.
    rounding : float
        How far the matrix may be off.
    margins : sequence of float
        What the eigenvalues may exceed eta by.
    """
    eta, size, proven = point.problem.eta, len(matrix), not point.problem.samples.is_measured
    diagonal, length = float(np.abs(np.diag(matrix)).sum()), norm(matrix)
    for margin in sorted(margins):
        if is_below(matrix, eta + margin):
            rounded = cholesky_error(size, size * (eta + margin) + diagonal)
            vectors = np.zeros((size, 0))
            return Excess(np.zeros(0), vectors, margin + rounding + rounded, proven, is_rough=True)
    values, vectors = pairs_above(matrix, eta)
    return Excess(values - eta, vectors, rounding + eigen_error(size, length), proven)
