"""The leading eigenpairs of S = X'X, from whichever side is smaller."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .rows import Rows

Array = NDArray[Any]

# Up to this size a full eigendecomposition costs less than an iterative one.
SMALL = 1100
# Above this size no dense matrix is formed for the eigenvalues' sake.
LARGEST_DENSE = 8000
# The iterative one asks for so many pairs at first, with a few more for the sake of convergence,
# and multiplies so often.
FIRST = 16
EXTRA = 8
POWERS = 8
# Eigenvalues below this fraction of the largest are zero.
ROUNDING = 1e-12
# A decomposition goes on below what is asked for, down to this part of it, where that takes little
# memory: certificates look there.
REACH = 0.5
# Entries that such vectors may have: some in any case, then a part of those of X, up to a limit.
FEW_ENTRIES = 4e5
PART_OF_DATA = 0.02
MOST_ENTRIES = 2e7


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
        No eigenvalue above it is missing.
    """

    values: Array
    vectors: Array
    floor: float

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
        return Spectrum(self.values[:count], self.vectors[:, :count], floor)


def is_decomposed(samples: Rows) -> bool:
    """Return whether all eigenpairs are within reach: a side is small, and its rows are at hand."""
    n, d = samples.n_samples, samples.n_features
    return min(n, d) <= SMALL and (samples.in_memory or d <= n)


def most_vectors(samples: Rows) -> int:
    """Return how many vectors may be kept besides those that are asked for."""
    entries = max(FEW_ENTRIES, PART_OF_DATA * samples.n_samples * samples.n_features)
    return int(min(entries, MOST_ENTRIES)) // samples.n_features


def leading_eigenpairs(
    samples: Rows, threshold: float, weights: Array | None = None, *, most: int | None = None
) -> Spectrum:
    """Return the eigenpairs of X' diag(weights) X above the threshold, or so many, and maybe more.

    They are exact where the smaller side of X is small; for larger data they are those of a
    subspace iteration, good enough to start from.
    """
    small = min(samples.n_samples, samples.n_features)

    def product(L: Array) -> Array:
        if weights is None:
            return samples.gram_product(L)
        return samples.weighted_product(L, weights)

    # Where nothing but their number ends the search, that number is the one to try.
    count = FIRST if most is None or threshold > 0.0 else max(FIRST, most)
    # Inner products of rows that are not all at hand would need them two by two.
    iterative = not samples.in_memory and samples.n_samples < samples.n_features
    while iterative or (small > SMALL and (count < small // 4 or small > LARGEST_DENSE)):
        count = min(count, small)
        found = _subspace_iteration(product, samples.n_features, count)
        enough = count == small or (most is not None and most <= count)
        if found.values[-1] <= threshold or enough:
            return found
        count *= 3
    return _exact(samples, threshold, weights, most)


def _subspace_iteration(product: Callable[[Array], Array], size: int, count: int) -> Spectrum:
    """Return the Ritz pairs of a subspace that a few products turn towards the leading ones."""
    basis = np.random.default_rng(0).standard_normal((size, count + EXTRA))
    for _ in range(POWERS):
        basis, _ = scipy.linalg.qr(product(basis), mode="economic", overwrite_a=True)
    image = product(basis)
    values, rotation = scipy.linalg.eigh(basis.T @ image)
    values, vectors = values[::-1][:count], basis @ rotation[:, ::-1][:, :count]
    return Spectrum(values, vectors, 0.0 if count == size else float(values[-1]))


def _exact(samples: Rows, threshold: float, weights: Array | None, most: int | None) -> Spectrum:
    """Decompose the smaller of the two Gram matrices."""
    if samples.n_features <= samples.n_samples or not samples.has_rows:
        gram = samples.gram_matrix if weights is None else samples.weighted_gram(weights)
        return _decomposed(gram, threshold, most)
    roots = np.ones(samples.n_samples) if weights is None else np.sqrt(weights)
    inner = roots[:, None] * samples.sample_gram() * roots
    found = _decomposed(inner, threshold, most)
    asked = found.above(threshold, most).values.size
    found = found.above(0.0, max(asked, most_vectors(samples)))
    vectors = samples.backproject(roots[:, None] * found.vectors)
    return Spectrum(found.values, vectors / np.linalg.norm(vectors, axis=0), found.floor)


def _decomposed(matrix: Array, threshold: float, most: int | None) -> Spectrum:
    """Return the eigenpairs of a symmetric matrix above a part of the threshold, or so many."""
    size, reach = len(matrix), REACH * threshold
    if threshold <= 0.0 and most is not None and most < size:
        part: dict[str, Any] = {"subset_by_index": (size - most, size - 1)}
    else:
        part = {"subset_by_value": (reach, np.inf)}
    values, vectors = scipy.linalg.eigh(matrix, **part)
    floor = float(values[0]) if "subset_by_index" in part else reach
    return Spectrum(values[::-1], np.ascontiguousarray(vectors[:, ::-1]), floor)
