"""The leading eigenpairs of S = X'X, from whichever side is smaller."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.linalg
import scipy.sparse.linalg as spla
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .rows import Rows

Array = NDArray[Any]

# Up to this size a full eigendecomposition costs less than an iterative one.
SMALL = 1100
# Above this size no dense matrix is formed for the eigenvalues' sake.
LARGEST_DENSE = 8000


@dataclass(frozen=True)
class Spectrum:
    """Eigenvalues in descending order, with their eigenvectors as columns."""

    values: Array
    vectors: Array


def leading_eigenpairs(samples: Rows, threshold: float, weights: Array | None = None) -> Spectrum:
    """Return the eigenpairs of X' diag(weights) X with eigenvalues above the threshold."""
    d, small = samples.n_features, min(samples.n_samples, samples.n_features)

    def product(L: Array) -> Array:
        if weights is None:
            return samples.gram_product(L)
        return samples.backproject((samples.project(L).T * weights).T)

    operator = spla.LinearOperator((d, d), matvec=product, matmat=product, dtype=np.float64)
    start = np.random.default_rng(0).standard_normal(d)
    count = 12
    while small > SMALL and (count < small // 4 or small > LARGEST_DENSE):
        count = min(count, small - 1)
        values, vectors = spla.eigsh(operator, k=count, which="LA", v0=start, tol=1e-8)
        if values.min() <= threshold or count == small - 1:
            return _above(values, vectors, threshold)
        count *= 3
    return _all(samples, threshold, weights)


def _all(samples: Rows, threshold: float, weights: Array | None) -> Spectrum:
    """Decompose the smaller of the two Gram matrices."""
    if samples.n_features <= samples.n_samples:
        gram = samples.gram_matrix if weights is None else samples.weighted_gram(weights)
        values, vectors = scipy.linalg.eigh(gram, subset_by_value=(threshold, np.inf))
        return _above(values, vectors, threshold)
    roots = np.ones(samples.n_samples) if weights is None else np.sqrt(weights)
    inner = roots[:, None] * samples.sample_gram() * roots
    values, vectors = scipy.linalg.eigh(inner, subset_by_value=(threshold, np.inf))
    small = _above(values, vectors, threshold)
    vectors = samples.backproject(roots[:, None] * small.vectors)
    return Spectrum(small.values, vectors / np.linalg.norm(vectors, axis=0))


def _above(values: Array, vectors: Array, threshold: float) -> Spectrum:
    floor = max(threshold, 1e-12 * float(values.max(initial=0.0)))
    keep = np.argsort(-values, kind="stable")
    keep = keep[values[keep] > floor]
    return Spectrum(values[keep], np.ascontiguousarray(vectors[:, keep]))
