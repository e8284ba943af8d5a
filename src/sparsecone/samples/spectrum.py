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


@dataclass(frozen=True)
class Spectrum:
    """Eigenvalues in descending order, with their eigenvectors as columns."""

    values: Array
    vectors: Array


def leading_eigenpairs(
    samples: Rows, threshold: float, weights: Array | None = None, *, most: int | None = None
) -> Spectrum:
    """Return the eigenpairs of X' diag(weights) X above the threshold, at most so many.

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
            return _above(found.values, found.vectors, threshold, most)
        count *= 3
    spectrum = _all(samples, threshold, weights, most)
    return _above(spectrum.values, spectrum.vectors, threshold, most)


def _subspace_iteration(product: Callable[[Array], Array], size: int, count: int) -> Spectrum:
    """Return the Ritz pairs of a subspace that a few products turn towards the leading ones."""
    basis = np.random.default_rng(0).standard_normal((size, count + EXTRA))
    for _ in range(POWERS):
        basis, _ = scipy.linalg.qr(product(basis), mode="economic", overwrite_a=True)
    image = product(basis)
    values, rotation = scipy.linalg.eigh(basis.T @ image)
    return Spectrum(values[::-1][:count], basis @ rotation[:, ::-1][:, :count])


def _all(samples: Rows, threshold: float, weights: Array | None, most: int | None) -> Spectrum:
    """Decompose the smaller of the two Gram matrices."""
    if samples.n_features <= samples.n_samples or not samples.has_rows:
        gram = samples.gram_matrix if weights is None else samples.weighted_gram(weights)
        values, vectors = scipy.linalg.eigh(gram, subset_by_value=(threshold, np.inf))
        return Spectrum(values, vectors)
    roots = np.ones(samples.n_samples) if weights is None else np.sqrt(weights)
    inner = roots[:, None] * samples.sample_gram() * roots
    values, vectors = scipy.linalg.eigh(inner, subset_by_value=(threshold, np.inf))
    floor = max(threshold, 1e-12 * float(values.max(initial=0.0)))
    first = max(int(np.count_nonzero(values <= floor)), 0 if most is None else values.size - most)
    values, vectors = values[first:], vectors[:, first:]
    vectors = samples.backproject(roots[:, None] * vectors)
    return Spectrum(values, vectors / np.linalg.norm(vectors, axis=0))


def _above(values: Array, vectors: Array, threshold: float, most: int | None) -> Spectrum:
    """Return the pairs above the threshold and above rounding, the largest first."""
    floor = max(threshold, 1e-12 * float(values.max(initial=0.0)))
    keep = np.argsort(-values, kind="stable")
    keep = keep[values[keep] > floor][:most]
    return Spectrum(values[keep], np.ascontiguousarray(vectors[:, keep]))
