"""What is left of the features after some of them are projected out of all, by the smaller side."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...data import Rows
from ...linalg.types import Array
from ..graph import row_batches


class Remainder(Protocol):
    """R, what is left of X after the chosen features are projected out."""

    gram: Array

    def leverages(self, vectors: Array) -> Array:
        """Return the leverage of each feature, from leading eigenvectors of `gram`."""

    def remove(self, feature: int, negligible: float) -> None:
        """Project a feature out of all, unless its squares are negligible."""

    def leave_out(self, features: NDArray[np.intp]) -> None:
        """Take features away, and leave what others have in common with them."""


class FeatureRemainder:
    """R'R, d x d: the form for at most as many features as samples."""

    def __init__(self, samples: Rows) -> None:
        self.gram = samples.gram_matrix.copy()

    def leverages(self, vectors: Array) -> Array:
        """See `Remainder`."""
        return np.asarray(np.sum(vectors**2, axis=1))

    def remove(self, feature: int, negligible: float) -> None:
        """See `Remainder`: a step of Cholesky's factorisation."""
        if self.gram[feature, feature] > negligible:
            column = self.gram[:, feature] / np.sqrt(self.gram[feature, feature])
            self.gram -= np.multiply.outer(column, column)

    def leave_out(self, features: NDArray[np.intp]) -> None:
        """See `Remainder`."""
        self.gram[features] = 0.0
        self.gram[:, features] = 0.0


class SampleRemainder:
    """RR', n x n: the form for more features than samples."""

    def __init__(self, samples: Rows) -> None:
        self.samples = samples
        self.gram = samples.sample_gram()
        self.basis = np.empty((samples.n_samples, 0))
        self.left_out = np.empty(0, dtype=np.intp)

    def leverages(self, vectors: Array) -> Array:
        """See `Remainder`."""
        right = self.samples.backproject(vectors)
        right[self.left_out] = 0.0
        return np.asarray(np.sum((right / np.linalg.norm(right, axis=0)) ** 2, axis=1))

    def remove(self, feature: int, negligible: float) -> None:
        """See `Remainder`."""
        column = self._remains(np.array([feature]))
        if not np.sum(column**2) > negligible:
            return
        column /= np.linalg.norm(column)
        column -= self.basis @ (self.basis.T @ column)
        column /= np.linalg.norm(column)
        self.basis = np.hstack([self.basis, column])
        image = self.gram @ column
        image -= column * (column.T @ image) / 2
        self.gram -= image @ column.T + column @ image.T

    def leave_out(self, features: NDArray[np.intp]) -> None:
        """See `Remainder`."""
        for part in row_batches(features.size, self.samples.n_samples):
            columns = self._remains(features[part])
            self.gram -= columns @ columns.T
        self.left_out = np.concatenate([self.left_out, features])

    def _remains(self, features: NDArray[np.intp]) -> Array:
        """Return columns without what the removed features explain of them."""
        columns = self.samples.columns(features)
        return np.asarray(columns - self.basis @ (self.basis.T @ columns))


def remainder_of(samples: Rows) -> Remainder:
    """Return all of X, in the form whose Gram matrix is smaller."""
    wide = samples.n_features > samples.n_samples
    return SampleRemainder(samples) if wide else FeatureRemainder(samples)
