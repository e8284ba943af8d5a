"""Some steps of least angle paths among few features, by their inner products alone."""

from __future__ import annotations

import numpy as np

from ...linalg.types import Array
from .path_steps import NONE, Correlations, Indices


class Block:
    """The next steps of some paths among few features.

    Parameters
    ----------
    now : Correlations
        Those of the features.
    beyond : ndarray of shape (n_paths, n_features, n_features)
        Their inner products without the parts along what was chosen before.
    needed : ndarray of shape (n_paths, n_features)
        What is to be left of their squares for a feature to be chosen.
    n_steps : int
        The number of steps.
    starts : bool
        Whether nothing was chosen before.

    Attributes
    ----------
    places : ndarray of shape (n_paths, n_steps)
        Which features are chosen.
    left : ndarray of shape (n_paths, n_steps)
        The correlation at which each is.
    goal : ndarray of shape (n_paths, n_steps)
        q'y for the orthonormal vector q that each adds.
    triangle : ndarray of shape (n_paths, n_steps, n_steps)
        Cholesky's factor of their products: a row is q'x of a feature x with all vectors.
    fits : ndarray of shape (n_paths, n_steps, n_steps)
        The coordinates of the fits along the new vectors where each feature is chosen. Those along
        older vectors change in proportion to `left`.
    """

    def __init__(
        self, now: Correlations, beyond: Array, needed: Array, n_steps: int, *, starts: bool
    ) -> None:
        n_paths, n_features = now.c.shape
        self._beyond = beyond
        self._rest = np.diagonal(beyond, axis1=1, axis2=2).copy()
        self._paths = np.arange(n_paths)
        self._products = np.empty((n_paths, n_steps, n_features))
        self.places = np.empty((n_paths, n_steps), dtype=np.intp)
        self.left, self.goal = np.zeros((2, n_paths, n_steps))
        self.triangle = np.zeros((n_paths, n_steps, n_steps))
        for step in range(n_steps):
            now.free = self._rest > needed
            speeds = np.abs(now.c) * now.free if starts and step == 0 else now.speeds()
            place = speeds.argmax(axis=1)
            if step or not starts:
                speed = speeds[self._paths, place]
                now.go_to(now.left * (speed / (1.0 + speed))[:, None])
            self._add(now, place, step)
        remains = self.left[:, :, None] / np.maximum(self.left[:, None], NONE)
        self.fits = np.tril(self.goal[:, None] * (1.0 - remains), -1)

    def _add(self, now: Correlations, place: Indices, step: int) -> None:
        """Choose a feature for each path."""
        at = self._paths, place
        others, new = self._products[:, :step], self._products[:, step]
        parts = others[self._paths, :, place]
        np.subtract(self._beyond[at], (parts[:, None] @ others)[:, 0], out=new)
        length = np.sqrt(self._rest[at] * now.free[at])
        scale = now.free[at] / np.maximum(length, NONE)
        new *= scale[:, None]
        goal = now.e[at] * scale
        now.e -= goal[:, None] * new
        self._rest -= new * new
        self.places[:, step], self.left[:, step], self.goal[:, step] = place, now.left[:, 0], goal
        self.triangle[:, step, :step], self.triangle[:, step, step] = parts, length
