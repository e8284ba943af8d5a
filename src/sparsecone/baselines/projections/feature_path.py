"""A least angle path by Cholesky's factorisation of X'X, step by step."""

from __future__ import annotations

import math

import numpy as np

from ...linalg.types import Array
from .path_steps import DISTINCT, Correlations, Indices, Record

# Chosen features are left out of the products once they are this part of all.
LEFT_OUT = 0.125


class FeatureSide:
    """X'q of the orthonormal vectors q of a path, for the features that are left.

    Parameters
    ----------
    gram : ndarray of shape (n_features, n_features)
        X'X.
    room : ndarray of shape (n_steps, n_features)
        Memory for the products.
    """

    def __init__(self, gram: Array, room: Array) -> None:
        self.gram, self._room = gram, room
        self.features, self._products = np.arange(len(gram)), room

    def forget(self, kept: Indices, count: int) -> None:
        """Leave out all features but some, by their places, after so many vectors."""
        shorter = self._products[:count, kept]
        self.features = self.features[kept]
        # Rows that follow each other closely, in the same memory.
        n_steps = len(self._room)
        self._products = self._room.ravel()[: n_steps * kept.size].reshape(n_steps, kept.size)
        self._products[:count] = shorter

    def add(self, place: int, count: int) -> tuple[Array, Array, float]:
        """Add the feature x at a place to so many vectors.

        Returns
        -------
        parts : ndarray of shape (count,)
            The inner products q_i'x.
        products : ndarray of shape (n_left,)
            X'q of the new vector.
        length : float
            q'x of the new vector, zero where x is explained by the others.
        """
        others, new = self._products[:count], self._products[count]
        parts, row = others[:, place].copy(), self.gram[self.features[place]]
        if row.size > new.size:
            row = row[self.features]
        np.dot(parts, others, out=new)
        np.subtract(row, new, out=new)
        length = math.sqrt(new[place]) if new[place] > DISTINCT * row[place] else 0.0
        new *= 1.0 / length if length else 0.0
        return parts, new, length


def feature_end(gram: Array, b: Array, room: Array) -> tuple[Array, int]:
    """Return the coefficients after as many steps as there is room for, and how many have one.

    Parameters
    ----------
    gram : ndarray of shape (n_features, n_features)
        X'X.
    b : ndarray of shape (n_features,)
        X'y.
    room : ndarray of shape (n_steps, n_features)
        Memory for the products.
    """
    side, now, record = FeatureSide(gram, room), Correlations.of(b), Record.of(len(room))
    step, n_left_out, place = 0, 0, int(np.abs(b).argmax())
    while True:
        parts, new, length = side.add(place, step)
        now.free[place] = False
        if length:
            record.triangle[step, :step], record.triangle[step, step] = parts, length
            # What is left of x'y is q'y times q'x.
            goal = now.e[place] / length
            now.e -= goal * new
            record.chosen[step], record.goal[step] = side.features[place], goal
            record.left[step] = now.left
            step += 1
        speeds = now.speeds()
        place = int(speeds.argmax())
        speed = float(speeds[place])
        now.go_to(now.left * (speed / (1.0 + speed)))
        if step == len(room) or speed == 0.0:
            return record.end(now.left, b.size)
        if step - n_left_out > LEFT_OUT * b.size:
            kept = np.flatnonzero(now.free)
            place, n_left_out = int(np.searchsorted(kept, place)), step
            side.forget(kept, step)
            now = now.at(kept)
