"""Products of all features with the orthonormal vectors of least angle paths, from X'X alone."""

from __future__ import annotations

import numpy as np

from ...linalg.types import Array
from .path_steps import Indices
from .sample_vectors import inverse


class FeatureVectors:
    """X'q of the orthonormal vectors q of paths side by side, one slice a path.

    Parameters
    ----------
    gram : ndarray of shape (n_features, n_features)
        X'X.
    n_paths, n_steps : int
        How many paths there are, and how many vectors each has in the end.
    """

    # Steps of a block, which share one product with all that was chosen before.
    block = 16

    def __init__(self, gram: Array, n_paths: int, n_steps: int) -> None:
        self.gram, self.squares = gram, gram.diagonal()
        self._all = np.empty((n_paths, n_steps, len(gram)))

    def beyond(self, places: Indices, count: int) -> Array:
        """Return the inner products of some features without their parts along `count` vectors."""
        self._places = places
        self._parts = np.stack(
            [others[:count, at].T for others, at in zip(self._all, places, strict=True)]
        )
        products = self.gram[places[:, :, None], places[:, None]]
        return products - self._parts @ self._parts.swapaxes(1, 2)

    def add(self, places: Indices, triangle: Array, count: int) -> Array:
        """Add some of the features last given, by their places among them, to `count` vectors.

        Arguments and what is returned are those of `SampleVectors.add`.
        """
        at = np.arange(len(places))[:, None], places
        parts = self._parts[at]
        rows = self.gram[self._places[at]]
        rows -= parts @ self._all[:, :count]
        self._new = self._all[:, count : count + places.shape[1]]
        np.matmul(inverse(triangle), rows, out=self._new)
        return parts

    def sums(self, weights: Array) -> Array:
        """Return sums of X'q over the vectors last added, a row of features for each of weights."""
        return weights @ self._new

    def products(self, path: int, places: Indices) -> Array:
        """Return X'q of the vectors that a path last added, for some features."""
        return self._new[path][:, places]
