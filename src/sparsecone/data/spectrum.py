"""The leading eigenpairs of S = X'X, from whichever side is smaller, with their errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..linalg.eigen import krylov_pairs
from ..linalg.rounding import TINY, eigen_error
from ..linalg.tridiagonal import Tridiagonal
from ..linalg.types import Array

if TYPE_CHECKING:
    from .protocol import Data

# Up to this size a decomposition costs less than an iteration.
SMALL = 1100
# Up to this size it answers all questions at once, and certificates ask many; beyond, none is made
# unless a large part of the spectrum is asked for, and above the last size never.
LARGEST_DECOMPOSED = 4000
LARGEST_DENSE = 8000
# The iterative one asks for so many pairs at first.
FIRST = 16
# Eigenvalues below this fraction of the largest are zero.
ROUNDING = 1e-12
# Eigenvectors found in two steps that are farther from orthogonal are found again in one.
SKEWED = 1e-10
# Entries that the vectors of a certificate may have: some in any case, then a part of those of X,
# up to a limit.
FEW_ENTRIES = 5e6
PART_OF_DATA = 0.02
MOST_ENTRIES = 2e7
# Weights whose decompositions are remembered.
REMEMBERED = 2


@dataclass(frozen=True)
class Spectrum:
    """Eigenvalues in descending order, with their eigenvectors as columns.

    Attributes
    ----------
    values : ndarray of shape (k,)
        The eigenvalues.
    vectors : ndarray of shape (n_features, k)
        The eigenvectors.
    floor : float
        No eigenvalue above it is missing, but for the error.
    residual : float
        Error of the decomposition, in the spectral norm; infinite where the pairs are approximate.
    is_projected : bool
        Whether X X' was decomposed: X'v is an eigenvector of X'X for every eigenvector v. A
        residual r of v becomes X'r, which the length of X'v divides.
    """

    values: Array
    vectors: Array
    floor: float
    residual: float = np.inf
    is_projected: bool = False

    @property
    def error(self) -> float:
        """The matrix has these pairs, and no others above the floor, but for this spectral norm."""
        if not self.is_projected or self.values.size == 0:
            return self.residual
        ratio = float(self.values[0]) / max(float(self.values[-1]), TINY)
        return self.residual * float(np.sqrt(ratio))

    def times(self, factor: float) -> Spectrum:
        """Return the spectrum of a multiple of the matrix."""
        values, floor, residual = factor * self.values, factor * self.floor, factor * self.residual
        return Spectrum(values, self.vectors, floor, residual, self.is_projected)

    def covers(self, threshold: float, most: int | None) -> bool:
        """Return whether what is asked for is part of this."""
        return threshold >= self.floor or (most is not None and most <= self.values.size)

    def above(self, threshold: float, most: int | None = None) -> Spectrum:
        """Return the pairs above the threshold and above rounding, at most so many."""
        least = max(threshold, ROUNDING * float(self.values.max(initial=0.0)))
        count = int(np.count_nonzero(self.values > least))
        if most is None or count <= most:
            floor = max(threshold, self.floor)
        else:
            count, floor = most, float(self.values[most - 1])
        # What rounding hides is not above the threshold, but for the error.
        floor = max(floor, least) if count < self.values.size else floor
        values, vectors = self.values[:count], self.vectors[:, :count]
        return Spectrum(values, vectors, floor, self.residual, self.is_projected)


def smaller_side(samples: Data) -> int:
    """Return the size of the smaller of X'X and X X', if all rows are at hand for the latter."""
    n, d = samples.n_samples, samples.n_features
    return n if n < d and hasattr(type(samples), "sample_gram_matrix") else d


def is_decomposed(samples: Data) -> bool:
    """Return whether all eigenvalues are within reach."""
    return smaller_side(samples) <= LARGEST_DECOMPOSED


def most_vectors(samples: Data) -> int:
    """Return how many eigenvectors a certificate may ask for."""
    entries = max(FEW_ENTRIES, PART_OF_DATA * samples.n_samples * samples.n_features)
    return int(min(entries, MOST_ENTRIES)) // samples.n_features


class Decomposition:
    """All eigenvalues of X' diag(weights) X from its smaller side, and vectors as they are needed.

    Parameters
    ----------
    samples : Data
        The samples.
    weights : ndarray of shape (n_samples,), what `Data.collect` keeps, or None
        Their weights. With them the error is without that of products with the weighted samples.
    gram : ndarray of shape (n_features, n_features) or None
        X' diag(weights) X, where it is known.
    """

    def __init__(self, samples: Data, weights: Any = None, gram: Array | None = None) -> None:
        self.samples, self.weights, off = samples, weights, 0.0
        self.is_projected = smaller_side(samples) < samples.n_features
        self.roots: Array | None = None
        if self.is_projected:
            matrix, off = samples.sample_gram_matrix  # type: ignore[attr-defined]
            if weights is not None:
                self.roots = np.sqrt(weights)
                matrix, off = self.roots[:, None] * matrix * self.roots, off * weights.max()
        elif weights is None:
            matrix = samples.gram_matrix
        else:
            matrix = samples.weighted_gram(weights) if gram is None else gram
        reduced = Tridiagonal(matrix)
        self.reduced: Tridiagonal | None = reduced
        self.values = np.maximum(reduced.values, 0.0)
        solved = eigen_error(len(matrix), float(self.values.max(initial=0.0)))
        self.error = solved + off + (samples.gram_error if weights is None else 0.0)
        self.found = reduced.vectors(0, 0)
        self.vectors = np.zeros((samples.n_features, 0))

    def leading(self, threshold: float, most: int | None = None) -> Spectrum:
        """Return the eigenpairs above the threshold and above rounding, at most so many."""
        least = max(threshold, ROUNDING * float(self.values.max(initial=0.0)))
        count = int(np.count_nonzero(self.values > least))
        count = count if most is None else min(count, most)
        if count > self.vectors.shape[1]:
            self._extend(count)
        floor = float(self.values[count]) if count < self.values.size else 0.0
        values, vectors = self.values[:count], self.vectors[:, :count]
        return Spectrum(values, vectors, floor, self.error, self.is_projected)

    def _extend(self, count: int) -> None:
        """Find more eigenvectors, and all of them again where eigenvalues all but coincide."""
        known = self.found.shape[1]
        reduced = self.reduced or Decomposition(self.samples, self.weights).reduced
        assert reduced is not None
        self.reduced = reduced
        more = reduced.vectors(known, count)
        if known and np.abs(self.found.T @ more).max() > SKEWED:
            known, more = 0, reduced.vectors(0, count)
        self.found = np.column_stack([self.found[:, :known], more])
        if not self.is_projected:
            self.vectors = self.found
            return
        vectors = self.samples.backproject(  # type: ignore[attr-defined]
            more if self.roots is None else self.roots[:, None] * more
        )
        vectors /= np.sqrt(np.einsum("jk,jk->k", vectors, vectors))
        self.vectors = np.column_stack([self.vectors[:, :known], vectors]) if known else vectors


class Remembers:
    """Remembers what is known of the spectrum for the last weights: many ask for the same."""

    _decompositions: tuple[tuple[Any, Decomposition], ...] = ()
    _spectrum: Spectrum | None = None

    def leading(
        self: Any,
        threshold: float,
        weights: Any = None,
        *,
        most: int | None = None,
        gram: Array | None = None,
    ) -> Spectrum:
        """Return the eigenpairs of X' diag(weights) X above the threshold, at most so many."""
        if is_decomposed(self):
            return self._decomposition(weights, gram).leading(threshold, most)
        if weights is not None:
            return leading_eigenpairs(self, threshold, weights, most=most).above(threshold, most)
        if self._spectrum is None or not self._spectrum.covers(threshold, most):
            self._spectrum = leading_eigenpairs(self, threshold, most=most)
        return self._spectrum.above(threshold, most)

    def eigenvalues(self: Any) -> tuple[Array, float]:
        """Return all eigenvalues of S that its smaller side has, and their error."""
        found = self._decomposition(None, None)
        return found.values, found.error

    def let_go(self) -> None:
        """Keep the eigenpairs found so far, and nothing else: further ones are found anew."""
        for _, known in self._decompositions:
            known.reduced = None

    def _decomposition(self: Any, weights: Any, gram: Array | None) -> Decomposition:
        for given, known in self._decompositions:
            if given is weights:
                return known
        found = Decomposition(self, weights, gram)
        self._decompositions = ((weights, found), *self._decompositions)[:REMEMBERED]
        return found


def leading_eigenpairs(
    samples: Data, threshold: float, weights: Any = None, *, most: int | None = None
) -> Spectrum:
    """Return the eigenpairs of X' diag(weights) X above the threshold, or so many, and maybe more.

    They are exact where the smaller side of X is small; for larger data they are those of a
    Krylov space, good enough to start from. Their error with weights is without that of
    products with X' diag(weights) X.
    """
    n, d = samples.n_samples, samples.n_features
    small = min(n, d)

    # Where nothing but their number ends the search, that number is the one to try.
    count = FIRST if most is None or threshold > 0.0 else max(FIRST, most)
    # Inner products of rows that are not all at hand would need them two by two.
    iterative = not samples.in_memory and n < d
    while iterative or (small > SMALL and (count < small // 4 or small > LARGEST_DENSE)):
        count = min(count, small)
        values, vectors = _iterated(samples, weights, count)
        floor = 0.0 if count == small else float(values[-1])
        enough = count == small or (most is not None and most <= count)
        if values[-1] <= threshold or enough:
            return Spectrum(values, vectors, floor)
        count *= 3
    return Decomposition(samples, weights).leading(threshold, most)


def _iterated(samples: Data, weights: Any, count: int) -> tuple[Array, Array]:
    """Return so many leading eigenpairs in a Krylov space of the smaller side."""
    if smaller_side(samples) == samples.n_features:

        def product(L: Array) -> Array:
            if weights is None:
                return samples.gram_product(L)
            return samples.weighted_product(L, weights)

        return krylov_pairs(product, samples.n_features, count)
    rows: Any = samples
    roots = 1.0 if weights is None else np.sqrt(weights)[:, None]

    def inner(P: Array) -> Array:
        return np.asarray(roots * rows.project(rows.backproject(roots * P)))

    values, found = krylov_pairs(inner, samples.n_samples, count)
    vectors = rows.backproject(roots * found)
    lengths = np.sqrt(np.einsum("jk,jk->k", vectors, vectors))
    return values, np.asarray(vectors / np.maximum(lengths, TINY))
