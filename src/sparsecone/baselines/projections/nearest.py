"""Distances from the nearest of the chosen features, most of them brought up to date together.

A distance from the nearest only falls as features are chosen, so that one that is out of date is a
bound. The farthest features alone, the front, are up to date: as long as the farthest of all bounds
is one of theirs, it is right. Then one product with X has many columns in place of one each.
"""

from __future__ import annotations

import numpy as np

from ...data import Rows
from ...linalg.types import Array

# Squared distances below this fraction of the squared norms are rounding.
REPEATED = 1e-14
# One feature of so many is in the front: keeping it up to date costs that part of a product.
SHARE = 32
# Up to this many columns matrix-vector products beat the matrix product.
FEW = 3


class NearestChosen:
    """Squared distances of all features from the nearest chosen one.

    Parameters
    ----------
    samples : Rows
        The samples, whose columns are the features.

    Attributes
    ----------
    squares : ndarray of shape (n_features,)
        Squared norms of the features.
    bounds : ndarray of shape (n_features,)
        The squared distances, or more; zero for chosen and for constant features.
    is_exact : ndarray of bool of shape (n_features,)
        Where the bounds are the distances; elsewhere they may be.
    """

    def __init__(self, samples: Rows) -> None:
        self.samples, self.squares = samples, samples.variances
        # A constant feature is near to all.
        self.bounds = np.where(self.squares > 0.0, np.finfo(np.float64).max, 0.0)
        self.is_exact = np.ones(samples.n_features, dtype=bool)
        # Of sparse samples a column costs as much as a product.
        self._size = 0 if samples.is_sparse else samples.n_features // SHARE
        self._latest: list[int] = []
        self._front = np.empty(0, dtype=np.intp)
        self._columns = np.empty((0, samples.n_samples))

    def add(self, feature: int) -> None:
        """Choose a feature, whose distance is exact."""
        if not self._latest:
            self.is_exact[:] = False
            self.is_exact[self._front] = True
        self._latest.append(feature)
        self.bounds[feature] = 0.0
        if self._front.size:
            inner = self._columns @ self._column(feature)
            sizes = self.squares[self._front] + self.squares[feature]
            distances = _squared_distances(inner, sizes)
            self.bounds[self._front] = np.minimum(self.bounds[self._front], distances)

    def settle(self) -> None:
        """Bring all bounds up to date."""
        if self._latest:
            latest = np.array(self._latest)
            sizes = np.add.outer(self.squares[latest], self.squares)
            distances = _squared_distances(self._inner_products(latest), sizes)
            np.minimum(self.bounds, distances.min(axis=0), out=self.bounds)
        self._latest = []
        self.is_exact[:] = True

    def renew(self, able: Array) -> None:
        """Bring all bounds up to date, and keep the farthest able features so from now on."""
        self.settle()
        if self._size:
            self._front = np.argpartition(self.bounds * able, -self._size)[-self._size :]
            self._columns = np.ascontiguousarray(self.samples.columns(self._front).T)

    def _column(self, feature: int) -> Array:
        return self.samples.columns(np.array([feature]))[:, 0]

    def _inner_products(self, features: Array) -> Array:
        """Return those of some features with all, by rows."""
        samples = self.samples
        if samples.is_sparse or samples.is_single or samples.offset is not None:
            return samples.gram_columns(features).T
        columns = samples.columns(features).T
        if len(columns) <= FEW:
            return np.array([column @ samples.matrix for column in columns])
        # X'P, transposed, takes two thirds of the time.
        return np.asarray(columns @ samples.matrix)


def _squared_distances(inner: Array, sizes: Array) -> Array:
    """Return |x - y|^2 from x'y and |x|^2 + |y|^2, zero where it is rounding."""
    distances = inner * -2.0
    distances += sizes
    distances *= distances > np.multiply(sizes, REPEATED, out=sizes)
    return distances
