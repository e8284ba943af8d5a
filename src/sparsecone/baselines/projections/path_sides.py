"""The orthonormal vectors q of a least angle path, and X'q, on the side that is cheaper."""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...linalg.types import Array

# The part of its squares that a feature must have beyond the chosen ones to be chosen.
DISTINCT = 1e-10


class Side(Protocol):
    """The orthonormal vectors of a path, in the form that is cheaper."""

    def start(self) -> None:
        """Begin a path: there are no vectors, and all features."""

    def forget(self, kept: NDArray[np.intp], count: int) -> None:
        """Leave out all features but some, by their places among those that are left."""

    def add(self, feature: int, count: int) -> tuple[Array, Array, float]:
        """Add a feature x to the vectors, of which there are so many.

        Returns
        -------
        parts : ndarray of shape (count,)
            The inner products q_i'x.
        products : ndarray of shape (n_features,)
            X'q of the new vector, zero where x is explained by the others.
        length : float
            q'x of the new vector, zero there too.
        """


class FeatureSide:
    """X'q by Cholesky's factorisation of X'X, for at most as many features as samples."""

    def __init__(self, gram: Array, n_steps: int) -> None:
        self.gram = gram
        self._room = np.empty((n_steps, len(gram)))
        self.start()

    def start(self) -> None:
        """See `Side`."""
        self.kept, self.products = np.arange(len(self.gram)), self._room

    def forget(self, kept: NDArray[np.intp], count: int) -> None:
        """See `Side`."""
        shorter = self.products[:count, kept]
        self.kept = self.kept[kept]
        # Rows that follow each other closely, in the same memory.
        n_steps = len(self._room)
        self.products = self._room.ravel()[: n_steps * kept.size].reshape(n_steps, kept.size)
        self.products[:count] = shorter

    def add(self, feature: int, count: int) -> tuple[Array, Array, float]:
        """See `Side`."""
        others, new = self.products[:count], self.products[count]
        parts, row = others[:, feature].copy(), self.gram[self.kept[feature]]
        if row.size > new.size:
            row = row[self.kept]
        np.dot(parts, others, out=new)
        np.subtract(row, new, out=new)
        length = _length(new[feature], row[feature])
        new *= 1.0 / length if length else 0.0
        return parts, new, length


class SampleSide:
    """The vectors q themselves, for more features than samples."""

    def __init__(self, X: Array, n_steps: int) -> None:
        self._all = X
        self.vectors = np.empty((n_steps, len(X)))
        self.start()

    def start(self) -> None:
        """See `Side`."""
        self.X = self._all

    def forget(self, kept: NDArray[np.intp], count: int) -> None:  # noqa: ARG002
        """See `Side`."""
        self.X = self.X[:, kept]

    def add(self, feature: int, count: int) -> tuple[Array, Array, float]:
        """See `Side`."""
        others, new = self.vectors[:count], self.vectors[count]
        new[:] = self.X[:, feature]
        own, parts = new @ new, np.zeros(count)
        for _ in range(2):
            change = others @ new
            new -= change @ others
            parts += change
        length = _length(new @ new, own)
        new *= 1.0 / length if length else 0.0
        return parts, new @ self.X, length


def _length(squares: float, own: float) -> float:
    return math.sqrt(squares) if squares > DISTINCT * own else 0.0
