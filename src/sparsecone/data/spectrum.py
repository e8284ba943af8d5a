"""The leading eigenpairs of S = X'X, from whichever side is smaller, with their errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..linalg.eigen import leading_pairs, pairs_above, subspace_iteration
from ..linalg.rounding import TINY, eigen_error
from ..linalg.types import Array

if TYPE_CHECKING:
    from .protocol import Data
    from .rows import Rows

# Up to this size a full eigendecomposition costs less than an iterative one.
SMALL = 1100
# Above this size no dense matrix is formed for the eigenvalues' sake.
LARGEST_DENSE = 8000
# The iterative one asks for so many pairs at first.
FIRST = 16
# Eigenvalues below this fraction of the largest are zero.
ROUNDING = 1e-12
# A decomposition goes on below what is asked for, down to this part of it, where that takes little
# memory: certificates look there.
REACH = 0.5
# Entries that such vectors may have: some in any case, then a part of those of X, up to a limit.
FEW_ENTRIES = 4e5
PART_OF_DATA = 0.02
MOST_ENTRIES = 2e7
# Weights whose eigenpairs are remembered.
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


def is_decomposed(samples: Data) -> bool:
    """Return whether all eigenpairs are within reach: a side is small, and its rows are at hand."""
    n, d = samples.n_samples, samples.n_features
    return min(n, d) <= SMALL and (samples.in_memory or d <= n)


def most_vectors(samples: Data) -> int:
    """Return how many vectors may be kept besides those that are asked for."""
    entries = max(FEW_ENTRIES, PART_OF_DATA * samples.n_samples * samples.n_features)
    return int(min(entries, MOST_ENTRIES)) // samples.n_features


class Remembers:
    """Remembers the leading eigenpairs for the last weights: many ask for the same."""

    _spectra: tuple[tuple[Any, Spectrum], ...] = ()

    def leading(
        self: Any,
        threshold: float,
        weights: Any = None,
        *,
        most: int | None = None,
        gram: Array | None = None,
    ) -> Spectrum:
        """Return the eigenpairs of X' diag(weights) X above the threshold, at most so many."""
        known = [spectrum for given, spectrum in self._spectra if given is weights]
        if not known or not known[0].covers(threshold, most):
            found = leading_eigenpairs(self, threshold, weights, most=most, gram=gram)
            others = [pair for pair in self._spectra if pair[0] is not weights]
            self._spectra = ((weights, found), *others)[:REMEMBERED]
            known = [found]
        return known[0].above(threshold, most)


def leading_eigenpairs(
    samples: Data,
    threshold: float,
    weights: Any = None,
    *,
    most: int | None = None,
    gram: Array | None = None,
) -> Spectrum:
    """Return the eigenpairs of X' diag(weights) X above the threshold, or so many, and maybe more.

    They are exact where the smaller side of X is small; for larger data they are those of a
    subspace iteration, good enough to start from. Their error with weights is without that of
    products with X' diag(weights) X.
    """
    n, d = samples.n_samples, samples.n_features
    small = min(n, d)

    def product(L: Array) -> Array:
        if weights is None:
            return samples.gram_product(L)
        return samples.weighted_product(L, weights)

    # Where nothing but their number ends the search, that number is the one to try.
    count = FIRST if most is None or threshold > 0.0 else max(FIRST, most)
    # Inner products of rows that are not all at hand would need them two by two.
    iterative = not samples.in_memory and n < d
    while iterative or (small > SMALL and (count < small // 4 or small > LARGEST_DENSE)):
        count = min(count, small)
        values, vectors = subspace_iteration(product, d, count)
        floor = 0.0 if count == small else float(values[-1])
        enough = count == small or (most is not None and most <= count)
        if values[-1] <= threshold or enough:
            return Spectrum(values, vectors, floor)
        count *= 3
    if d <= n or not hasattr(samples, "sample_gram_matrix"):
        if gram is None:
            gram = samples.gram_matrix if weights is None else samples.weighted_gram(weights)
        found = _decomposed(gram, threshold, most)
        error = eigen_error(d, float(found.values.max(initial=0.0)))
        error += samples.gram_error if weights is None else 0.0
        return Spectrum(found.values, found.vectors, found.floor, error)
    return _from_sample_side(samples, threshold, weights, most)  # type: ignore[arg-type]


def _from_sample_side(
    samples: Rows, threshold: float, weights: Array | None, most: int | None
) -> Spectrum:
    """Decompose X X'."""
    inner, measured = samples.sample_gram_matrix
    roots = np.ones(samples.n_samples) if weights is None else np.sqrt(weights)
    found = _decomposed(roots[:, None] * inner * roots, threshold, most)
    asked = found.above(threshold, most).values.size
    found = found.above(0.0, max(asked, most_vectors(samples)))
    vectors = samples.backproject(roots[:, None] * found.vectors)
    vectors /= np.linalg.norm(vectors, axis=0)
    if found.values.size == 0:
        return Spectrum(found.values, vectors, found.floor)
    residual = eigen_error(samples.n_samples, float(found.values[0]))
    residual += measured * float(roots.max()) ** 2
    residual += samples.gram_error if weights is None else 0.0
    return Spectrum(found.values, vectors, found.floor, residual, is_projected=True)


def _decomposed(matrix: Array, threshold: float, most: int | None) -> Spectrum:
    """Return the eigenpairs of a symmetric matrix above a part of the threshold, or so many."""
    size, reach = len(matrix), REACH * threshold
    if threshold <= 0.0 and most is not None and most < size:
        values, vectors = leading_pairs(matrix, most)
        floor = float(values[-1])
    else:
        values, vectors = pairs_above(matrix, reach)
        floor = reach
    return Spectrum(values, np.ascontiguousarray(vectors), floor)
