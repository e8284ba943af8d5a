"""The leading eigenpairs of S = X'X, from whichever side is smaller, with their errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..linalg.eigen import krylov_pairs
from ..linalg.rounding import TINY, eigen_error
from ..linalg.tridiagonal import Tridiagonal
from ..linalg.types import Array
from .pairs import ROUNDING, Eigenvalues, Spectrum
from .rough import Rough, is_enough

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
# Eigenvectors found in two steps that are farther from orthogonal are found again in one.
SKEWED = 1e-10
# Entries that the vectors of a certificate may have: some in any case, then a part of those of X,
# up to a limit.
FEW_ENTRIES = 5e6
PART_OF_DATA = 0.02
MOST_ENTRIES = 2e7
# Weights whose decompositions are remembered.
REMEMBERED = 2


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
        self.samples, self.weights = samples, weights
        self.is_projected = smaller_side(samples) < samples.n_features
        self.roots: Array | None = None
        if weights is None:
            matrix = _smaller(samples)
        elif self.is_projected:
            self.roots = np.sqrt(weights)
            matrix = self.roots[:, None] * _smaller(samples) * self.roots
        else:
            matrix = samples.weighted_gram(weights) if gram is None else gram
        reduced = Tridiagonal(matrix)
        self.reduced: Tridiagonal | None = reduced
        self.values = np.maximum(reduced.values, 0.0)
        solved = eigen_error(len(matrix), float(self.values.max(initial=0.0)))
        self.error = solved + (samples.gram_error if weights is None else 0.0)
        self.found = reduced.vectors(0, 0)
        self.vectors = np.zeros((samples.n_features, 0))

    def eigenvalues(self) -> Eigenvalues:
        """Return all eigenvalues."""
        return Eigenvalues(self.values, self.error)

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


def _smaller(samples: Data) -> Array:
    """Return X'X or X X'."""
    if smaller_side(samples) < samples.n_features:
        return np.asarray(samples.sample_gram_matrix)  # type: ignore[attr-defined]
    return samples.gram_matrix


def _rough(samples: Data) -> Rough | None:
    """Return the decomposition in single precision where it is good enough."""
    matrix = _smaller(samples)
    if not is_enough(matrix, samples.trace):
        return None
    is_projected = smaller_side(samples) < samples.n_features
    return Rough(samples, matrix, samples.gram_error, is_projected=is_projected)


class Remembers:
    """Remembers what is known of the spectrum for the last weights: many ask for the same."""

    _decompositions: tuple[tuple[Any, Decomposition | Rough], ...] = ()
    _spectrum: Spectrum | None = None
    _is_sharp = False

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
            found = self._decomposition(weights, gram).leading(threshold, most)
            # What single precision does not give double precision does.
            return found or self._sharp_pairs(threshold, most)
        if weights is not None:
            return leading_eigenpairs(self, threshold, weights, most=most).above(threshold, most)
        if self._spectrum is None or not self._spectrum.covers(threshold, most):
            self._spectrum = leading_eigenpairs(self, threshold, most=most)
        return self._spectrum.above(threshold, most)

    def eigenvalues(self: Any) -> Eigenvalues:
        """Return all eigenvalues of S that its smaller side has, and their errors."""
        return self._decomposition(None, None).eigenvalues()

    def sharpen(self: Any) -> bool:
        """Forget a decomposition of S in single precision, for good; return whether it was one."""
        self._is_sharp = True
        before = self._decompositions
        self._decompositions = tuple(pair for pair in before if not isinstance(pair[1], Rough))
        return len(self._decompositions) < len(before)

    def _sharp_pairs(self: Any, threshold: float, most: int | None) -> Spectrum:
        self.sharpen()
        return self._decomposition(None, None).leading(threshold, most)

    def let_go(self) -> None:
        """Keep the eigenpairs found so far, and nothing else: further ones are found anew."""
        for _, known in self._decompositions:
            known.reduced = None

    def _decomposition(self: Any, weights: Any, gram: Array | None) -> Decomposition | Rough:
        for given, known in self._decompositions:
            if given is weights:
                return known
        found: Decomposition | Rough | None = None
        if weights is None and not self._is_sharp and smaller_side(self) > SMALL:
            found = _rough(self)
        found = found or Decomposition(self, weights, gram)
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
