"""The Dirichlet energy tr(V' M V) of M = X' L X, L a graph Laplacian, on the smaller side of M.

With d features and n samples, M is stored as it is where d is the smaller; where d is the larger,
its rank is below n and a factor of n rows takes its place, so that no d x d array ever exists.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from sklearn.utils import gen_batches

from ...linalg.types import Array
from .krylov import Operator, leading_eigenvectors, orthonormal

EPS = float(np.finfo(np.float64).eps)
TOLERANCE = 1e-8
# The same where a search starts: the eigenvalues may be far below the largest of the inverse.
EXACT = 1e-12
# Rows of a symmetric product at a time.
BLOCK = 200


class Flattest(NamedTuple):
    """Eigenvectors V, and their energy tr(V' M V)."""

    vectors: Array
    energy: float


class DirichletForm(Protocol):
    """A positive semidefinite matrix M behind the three questions that are asked of it."""

    def energy(self, V: Array) -> float:
        """Return tr(V' M V)."""

    def flattest(self, n_wanted: int) -> Array:
        """Return the eigenvectors of M of smallest eigenvalue.

        Where the null space has more dimensions than vectors are wanted, any of its vectors would
        do and M does not say which; then the smallest eigenvalues that are not zero are taken.
        """

    def flattest_penalised(self, penalty: Array, start: Array, tol: float = TOLERANCE) -> Flattest:
        """Return as many eigenvectors of M + diag(penalty) of smallest eigenvalue as `start` has.

        They are the leading ones of the inverse, where the penalties of features that are all but
        left out, ten orders above the others, do no harm. Their residuals are at most
        `tol`, relative to the inverse.
        """


@dataclass(frozen=True)
class FullDirichlet:
    """M itself, d x d; `rounding` is the size of an eigenvalue that might as well be zero."""

    matrix: Array
    rounding: float

    def energy(self, V: Array) -> float:
        """See `DirichletForm`."""
        return float(np.einsum("ij,ij->", V.T, V.T @ self.matrix))

    def flattest(self, n_wanted: int) -> Array:
        """See `DirichletForm`."""
        size = len(self.matrix)
        start = np.random.default_rng(0).standard_normal((size, min(n_wanted + 1, size)))
        vectors = self.flattest_penalised(np.zeros(size), start, EXACT).vectors
        if n_wanted >= size or self.energy(vectors[:, n_wanted:]) > self.rounding:
            return vectors[:, :n_wanted]
        values, vectors = scipy.linalg.eigh(self.matrix)
        return _flattest_of_range(values, vectors, n_wanted, self.rounding)

    def flattest_penalised(self, penalty: Array, start: Array, tol: float = TOLERANCE) -> Flattest:
        """See `DirichletForm`."""
        factor = scipy.linalg.cho_factor(
            self._penalised(penalty), lower=True, overwrite_a=True, check_finite=False
        )
        n_features, n_wanted = start.shape
        found, residual = _leading(
            lambda block: scipy.linalg.cho_solve(factor, block, check_finite=False),
            start,
            penalty + self.rounding,
            tol=tol,
            # About the work of the dense solver, which takes over from there.
            max_products=max(4, n_features // (4 * n_wanted)),
        )
        if residual > tol:
            wanted = [0, n_wanted - 1]
            vectors = scipy.linalg.eigh(self._penalised(penalty), subset_by_index=wanted)[1]
            return Flattest(vectors, self.energy(vectors))
        return found

    def _penalised(self, penalty: Array) -> Array:
        """Return M + diag(penalty) as Fortran orders it, ready to be overwritten by its factor."""
        penalised = self.matrix.T.copy(order="F")
        # A multiple of the identity changes no eigenvector and keeps rounding off zero.
        penalised[np.diag_indices_from(penalised)] += penalty + self.rounding
        return penalised


@dataclass(frozen=True)
class LowRankDirichlet:
    """M = factor' factor, with fewer rows than columns; `rounding` as in `FullDirichlet`."""

    factor: Array
    rounding: float

    def energy(self, V: Array) -> float:
        """See `DirichletForm`."""
        return float(np.sum((self.factor @ V) ** 2))

    def flattest(self, n_wanted: int) -> Array:
        """See `DirichletForm`; the null space is always the larger."""
        values, vectors = scipy.linalg.eigh(self.factor @ self.factor.T)
        return _flattest_of_range(values, self.factor.T @ vectors, n_wanted, self.rounding)

    def flattest_penalised(self, penalty: Array, start: Array, tol: float = TOLERANCE) -> Flattest:
        """See `DirichletForm`; the inverse is Woodbury's, which solves on the small side."""
        weighted = self.factor / penalty
        small = weighted @ self.factor.T
        small.flat[:: len(small) + 1] += 1.0
        factor = scipy.linalg.cho_factor(small, check_finite=False)

        def inverse(block: Array) -> Array:
            correction = scipy.linalg.cho_solve(factor, weighted @ block, check_finite=False)
            return np.asarray(block / penalty[:, None] - weighted.T @ correction)

        return _leading(inverse, start, penalty, tol=tol, max_products=300)[0]


def dirichlet_form(X: Array, laplacian: sp.csr_array, n_wanted: int) -> DirichletForm:
    """Return X' L X of a sparse positive semidefinite L, on the smaller side.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The samples.
    laplacian : csr_array of shape (n_samples, n_samples)
        Positive semidefinite, with rows that sum to zero.
    n_wanted : int
        How many eigenvectors will be asked for: up to that many features more than samples the
        null space may still be the smaller, and the full matrix is kept.

    Returns
    -------
    DirichletForm
        The matrix M.
    """
    n_samples, n_features = X.shape
    X = X - X.mean(axis=0)
    # What M would be if nothing cancelled in it.
    rounding = 10 * EPS * float(laplacian.diagonal() @ np.sum(X**2, axis=1))
    if n_features < n_samples + n_wanted:
        return FullDirichlet(_symmetric_product(X, laplacian @ X), rounding)
    values, vectors = scipy.linalg.eigh(laplacian.toarray())
    return LowRankDirichlet((vectors * np.sqrt(np.maximum(values, 0.0))).T @ X, rounding)


def _symmetric_product(A: Array, B: Array) -> Array:
    """Return A'B where it is symmetric: the lower half, block by block, and its mirror image."""
    product = np.empty((A.shape[1], A.shape[1]))
    for rows in gen_batches(len(product), BLOCK):
        lower = A[:, rows].T @ B[:, : rows.stop]
        product[rows, : rows.stop] = lower
        product[: rows.stop, rows] = lower.T
    return product


def _leading(
    inverse: Operator, start: Array, diagonal: Array, *, tol: float, max_products: int
) -> tuple[Flattest, float]:
    """Return leading eigenvectors of (M + diag(diagonal))^-1, their energy, and the residual."""
    found = leading_eigenvectors(inverse, start, start.shape[1], tol=tol, max_products=max_products)
    # The products have tiny entries of relative accuracy, which the vectors lack.
    vectors = orthonormal(found.products / found.values)
    # What M + diag(diagonal) makes of the products is known: what they were made of.
    turn = vectors.T @ (found.products / found.values)
    images = scipy.linalg.solve_triangular(turn.T, (found.vectors / found.values).T, lower=True)
    energy = np.einsum("ij,ji->", vectors, images) - diagonal @ np.sum(vectors**2, axis=1)
    return Flattest(vectors, float(energy)), found.residual


def _flattest_of_range(values: Array, vectors: Array, n_wanted: int, rounding: float) -> Array:
    """Return the unit eigenvectors of the smallest eigenvalues that are not zero."""
    nonzero = np.flatnonzero(values > rounding)
    if nonzero.size < n_wanted:
        raise ValueError(
            f"The samples differ from their neighbours in {nonzero.size} independent directions "
            f"only, fewer than the {n_wanted} asked for: lower the number of clusters or of "
            "components, or raise n_neighbors."
        )
    chosen = vectors[:, nonzero[:n_wanted]]
    return np.asarray(chosen / np.linalg.norm(chosen, axis=0))
