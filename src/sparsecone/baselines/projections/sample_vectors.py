"""The orthonormal vectors of least angle paths, and their products with all features at once."""

from __future__ import annotations

import numpy as np

from ...linalg.types import Array
from .path_steps import Indices


class SampleVectors:
    """The orthonormal vectors q of paths side by side, one slice a path.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The features.
    n_paths, n_steps : int
        How many paths there are, and how many vectors each has in the end.
    """

    # Steps of a block, which share one product with all features.
    block = 8

    def __init__(self, X: Array, n_paths: int, n_steps: int) -> None:
        self.X, self._all = X, np.empty((n_paths, n_steps, len(X)))
        self.squares = np.einsum("ij,ij->j", X, X)

    def beyond(self, places: Indices, count: int) -> Array:
        """Return the inner products of some features without their parts along `count` vectors."""
        self._left = self.X.T[places]
        self._parts = self._split(self._left, count)
        return self._left @ self._left.swapaxes(1, 2)

    def add(self, places: Indices, triangle: Array, count: int) -> Array:
        """Add some of the features last given, by their places among them, to `count` vectors.

        Parameters
        ----------
        places : ndarray of shape (n_paths, n_added)
            Where they are.
        triangle : ndarray of shape (n_paths, n_added, n_added)
            Cholesky's factor of their inner products beyond the vectors; a zero on its diagonal
            for a feature that the others explain, which adds a vector of zeros.
        count : int
            How many vectors there are.

        Returns
        -------
        parts : ndarray of shape (n_paths, n_added, count)
            The inner products q_i'x.
        """
        at = np.arange(len(places))[:, None], places
        parts, left = self._parts[at], self._left[at]
        parts += self._split(left, count)
        self._new = self._all[:, count : count + places.shape[1]]
        np.matmul(inverse(triangle), left, out=self._new)
        return parts

    def _split(self, left: Array, count: int) -> Array:
        """Subtract from some vectors their parts along those that there are; return the parts."""
        others = self._all[:, :count]
        parts = left @ others.swapaxes(1, 2)
        left -= parts @ others
        return parts

    def sums(self, weights: Array) -> Array:
        """Return sums of X'q over the vectors last added, a row of features for each of weights."""
        vectors = (weights @ self._new).reshape(-1, len(self.X))
        return (vectors @ self.X).reshape(*weights.shape[:2], -1)

    def products(self, path: int, places: Indices) -> Array:
        """Return X'q of the vectors that a path last added, for some features."""
        return self._new[path] @ self.X[:, places]


def inverse(triangle: Array) -> Array:
    """Return the inverse of every triangle, with rows of zeros for the zeros on its diagonal."""
    explained = np.diagonal(triangle, axis1=1, axis2=2)[:, :, None] == 0.0
    inverse = np.linalg.inv(triangle + explained * np.eye(triangle.shape[1]))
    return np.where(explained, 0.0, inverse)
