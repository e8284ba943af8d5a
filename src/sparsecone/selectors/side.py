"""What chosen features leave of S, in coordinates of vectors over the features.

Vectors are held in coordinates: those of S_:j are the column x_j of the samples, or S_:j itself.
With rows B of coordinates, one a choice, R = S - V'V where V is B over the features. Choosing C
turns R into `R - R_:C (R_CC + rho I)^-1 R_C:`, so that the rows of B for C are the coordinates of
R_:C, divided by the Cholesky factor of R_CC + rho I.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
import scipy.linalg

from ..data import Data
from ..data.products import CACHED
from ..linalg.types import Array
from .gains import Gains, n_steps


class Side(ABC):
    """The gains of all features, and what they follow from.

    Parameters
    ----------
    data : Data
        The centred data.
    gains : Gains
        Gains before anything is chosen.
    width : int
        Number of coordinates.
    is_exact : bool
        Whether nothing else stands for S.
    """

    def __init__(self, data: Data, gains: Gains, width: int, *, is_exact: bool = True) -> None:
        self.gains, self.count, self.is_exact = gains, 0, is_exact
        self.roots = np.empty((n_steps(data), width))
        # The choices, and what each adds to what the ones before explain.
        self.features = np.empty(len(self.roots), dtype=np.intp)
        self.explained = np.empty(len(self.roots))

    @property
    def known(self) -> Array:
        """The rows of B so far."""
        return self.roots[: self.count]

    @abstractmethod
    def points(self, features: Array) -> Array:
        """Return coordinates of S_:j, a row each."""

    @abstractmethod
    def entries(self, rows: Array, features: Array, points: Array) -> Array:
        """Return the entries of some features, whose points these are, a row for each vector."""

    @abstractmethod
    def whole(self, rows: Array, part: slice) -> Array:
        """Return vectors over some features, given by coordinates, a row each."""

    @abstractmethod
    def images(self, rows: Array) -> tuple[Array, Array]:
        """Return coordinates of R v for vectors v given by coordinates, a row each, and V V'."""

    @abstractmethod
    def sizes(self, rows: Array) -> Array:
        """Return |v|^2 of vectors v given by coordinates, a row each."""

    def choose(self, features: Array) -> None:
        """Add features to the chosen ones."""
        self.roots[self.count : self.count + features.size] = self._next(features)
        self.follow(features)

    def adding(self, order: Array) -> Array | None:
        """Return what each of some features adds to what those before it explain.

        None where the choices so far are not the first of them, or something stands for S.
        """
        if not (self.is_exact and np.array_equal(order[: self.count], self.features[: self.count])):
            return None
        known, further = self.explained[: self.count], order[self.count :]
        if not further.size:
            return known
        return np.concatenate([known, self.sizes(self._next(further))])

    def _next(self, features: Array) -> Array:
        """Return the rows of B of features that would be chosen next."""
        points = self.points(features)
        left = points - self.entries(self.known, features, points).T @ self.known
        block = self.entries(left, features, points)
        block[np.diag_indices_from(block)] += self.gains.ridge + self.gains.own[features]
        root = np.linalg.cholesky(block)
        return np.asarray(scipy.linalg.solve_triangular(root, left, lower=True, check_finite=False))

    def follow(self, features: Array, changes: Array | None = None) -> None:
        """Let all features, a tile after the other, follow choices whose rows of B are next.

        Parameters
        ----------
        features : ndarray of shape (n_choices,)
            The choices.
        changes : ndarray of shape (n_choices, n_coordinates) or None
            Coordinates of `2 R v - |v|^2 v` where each choice v follows those before it. What the
            choices explain is known then; it is found first where this is None.
        """
        gains, last = self.gains, self.count + features.size
        new = self.roots[self.count : last]
        if changes is None:
            images, square = self.images(new)
            self.features[self.count : last] = features
            self.explained[self.count : last] = np.diag(square)
            changes = 2.0 * images - square @ new
        near = np.sqrt(gains.inverse[features])[:, None] * self.points(features)
        rows = np.concatenate([near, new, changes])
        gains.chosen[features] = True
        width = max(1, CACHED // max(len(rows), rows.shape[1]))
        for start in range(0, gains.left.size, width):
            part = slice(start, start + width)
            gains.follow(part, *self.whole(rows, part).reshape(3, features.size, -1))
        gains.look()
        self.count = last
