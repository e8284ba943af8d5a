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
from typing import Protocol

import numpy as np
import scipy.linalg

from ..data import Rows, Spectrum, is_decomposed, most_vectors
from ..linalg.eigen import is_below, pairs_above
from ..linalg.rounding import cholesky_error, eigen_error, sum_error
from ..linalg.types import Array
from ..model.problem import Point, Problem
from .dual_point import Excess
from .outer import Outer
from .span import SpanPart, low_rank_part, matrix_rounding, matrix_size

# Up to this size M is formed and decomposed directly.
SMALL = 1100
# Up to this many columns the span of the samples and the factor is decomposed directly.
NARROW = 600
# Entries that a basis of that span may have.
LARGEST_BASIS = 2e7
# How far down eigenvectors are taken in, as a part of eta, how many, and how far below eta all
# others must be.
LEVEL = 0.75
MOST_VECTORS = 200
LEAST_ROOM = 0.1
# The share of the tolerance that the error of an eigenvector is aimed at, and may be at most.
ERROR_SHARE = 0.1
LARGEST_SHARE = 1.0


class Strategy(Protocol):
    """Finds how far M exceeds eta."""

    is_cheap: bool

    def excess(self, point: Point, margins: Sequence[float] = ()) -> Excess:
        """Return what exceeds eta.

        Parameters
        ----------
        point : Point
            Where the multipliers are taken.
        margins : sequence of float
            Where the eigenvalues of M exceed eta by no more than one of these they need not be
            known.
        """
        ...


def strategy_for(problem: Problem, *, tol: float = 0.0) -> Strategy:
    """Return the strategy for a problem.

    Parameters
    ----------
    problem : Problem
        What is to be certified.
    tol : float
        The relative gap that is wanted: what costs less than it may be given up for speed.
    """
    samples = problem.samples
    known = _spectral(problem, tol)
    if known is not None:
        return known
    d = samples.n_features
    if d <= SMALL:
        return Dense()
    direct = samples.n_samples < min(NARROW, d) and samples.n_samples * d <= LARGEST_BASIS
    if direct and isinstance(samples, Rows) and not samples.is_sparse and not samples.is_single:
        return Reduced()
    return Outer()


@dataclass(frozen=True)
class Spectral:
    """The leading eigenpairs of 2S are known, and how far below eta the others are."""

    spectrum: Spectrum
    room: float
    exactness: float
    proven: bool
    is_cheap = True

    def excess(self, point: Point, margins: Sequence[float] = ()) -> Excess:
        """Return what exceeds eta in the span of the factor and the eigenvectors."""
        del margins
        part = SpanPart.of(point, self.spectrum, exactness=self.exactness)
        room = self.room - part.outside
        if room <= 0.0:
            return Dense().excess(point) if len(point.L) <= SMALL else Outer().excess(point)
        found = part.excess(room)
        return Excess(found.values, found.vectors, found.rest, self.proven)


def _spectral(problem: Problem, tol: float) -> Spectral | None:
    """Return the strategy where enough eigenpairs of S are known, exactly enough."""
    samples, eta = problem.samples, problem.eta
    if tol == 0.0 or problem.loss.needs_rows or eta <= 0.0 or not is_decomposed(samples):
        return None
    most = min(MOST_VECTORS, most_vectors(samples))
    spectrum = problem.zero.curvature_spectrum(LEVEL * eta, most=most)
    room = eta - spectrum.floor - 2.0 * spectrum.error
    far = room >= LEAST_ROOM * eta
    known = spectrum.error + 4.0 * samples.gram_error <= LARGEST_SHARE * tol * eta
    exactness, proven = ERROR_SHARE * tol, not samples.is_measured
    return Spectral(spectrum, room, exactness, proven) if far and known else None


@dataclass(frozen=True)
class Dense:
    """M is formed."""

    is_cheap = False

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
    return basis, small, float(np.linalg.norm(gram)) + sum_error(len(basis)) * len(gram)


def _excess_of(matrix: Array, point: Point, rounding: float, margins: Sequence[float]) -> Excess:
    """Return the eigenpairs above eta of a matrix (its lower triangle), but for a margin.

    Parameters
    ----------
    matrix : ndarray
        M, or M in some basis.
    point : Point
        Where the multipliers are taken.
    rounding : float
        How far the matrix may be off.
    margins : sequence of float
        What the eigenvalues may exceed eta by.
    """
    eta, size, proven = point.problem.eta, len(matrix), not point.problem.samples.is_measured
    diagonal = float(np.abs(np.diag(matrix)).sum())
    for margin in sorted(margins):
        if is_below(matrix, eta + margin):
            rounded = cholesky_error(size, size * (eta + margin) + diagonal)
            vectors = np.zeros((size, 0))
            return Excess(np.zeros(0), vectors, margin + rounding + rounded, proven, is_rough=True)
    values, vectors = pairs_above(matrix, eta)
    norm = float(np.linalg.norm(matrix))
    return Excess(values - eta, vectors, rounding + eigen_error(size, norm), proven)
