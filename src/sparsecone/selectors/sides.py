"""What chosen features leave of S, from whatever is smallest: S, the samples, or components.

Vectors over the features are held in coordinates: those of S_:j are the column x_j of the samples,
or S_:j itself. With rows B of coordinates, one a choice, R = S - V'V where V is B over the
features. Choosing C turns R into `R - R_:C (R_CC + rho I)^-1 R_C:`, so that the rows of B for C are
the coordinates of R_:C, divided by the Cholesky factor of R_CC + rho I.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
import scipy.linalg

from ..data import LARGEST_GRAM, Data, Rows
from ..data.products import CACHED, TILE
from ..linalg.types import Array
from .by_columns import ByColumns
from .gains import Gains, n_steps, ridge_of

# Samples up to which their inner products are formed, and components that stand for more of them.
MOST_SAMPLES = 1100
COMPONENTS = 100


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

    def follow(self, features: Array) -> None:
        """Let all features, a tile after the other, follow choices whose rows of B are next."""
        gains, last = self.gains, self.count + features.size
        new = self.roots[self.count : last]
        images, square = self.images(new)
        self.features[self.count : last], self.explained[self.count : last] = (
            features,
            np.diag(square),
        )
        near = np.sqrt(gains.inverse[features])[:, None] * self.points(features)
        rows = np.concatenate([near, new, square @ new - 2.0 * images])
        gains.chosen[features] = True
        width = max(1, CACHED // max(len(rows), rows.shape[1]))
        for start in range(0, gains.left.size, width):
            part = slice(start, start + width)
            gains.follow(part, *self.whole(rows, part).reshape(3, features.size, -1))
        gains.look()
        self.count = last


class FeatureSide(Side):
    """From the d x d matrix S: coordinates are the vectors themselves."""

    def __init__(self, data: Data) -> None:
        self.gram, variances = data.gram_matrix, np.asarray(data.variances)
        squares = np.einsum("ij,ij->j", self.gram, self.gram)
        own = np.zeros(data.n_features)
        gains = Gains(variances, own, squares, ridge_of(data), data.n_samples)
        super().__init__(data, gains, data.n_features)

    def points(self, features: Array) -> Array:
        """Return rows of S."""
        return self.gram[features]

    def entries(self, rows: Array, features: Array, points: Array) -> Array:  # noqa: ARG002
        """Return some entries of the rows."""
        return rows[:, features]

    def whole(self, rows: Array, part: slice) -> Array:
        """Return the rows."""
        return rows[:, part]

    def images(self, rows: Array) -> tuple[Array, Array]:
        """Return rows times R, and their inner products."""
        images = rows @ self.gram - (rows @ self.known.T) @ self.known
        return images, rows @ rows.T

    def sizes(self, rows: Array) -> Array:
        """Return squared norms of the rows."""
        return np.einsum("ij,ij->i", rows, rows)


class SampleSide(Side):
    """From few rows Z, Z'Z = S: coordinates are those of a combination of the samples.

    Leading components may stand for many samples.
    """

    def __init__(self, data: Data, rows: Rows, own: Array | float = 0.0) -> None:
        self.samples, self.inner = ByColumns(rows), rows.sample_gram_matrix
        variances = np.asarray(data.variances)
        own = np.broadcast_to(np.asarray(own, dtype=np.float64), variances.shape)
        squares = inner_squares(rows, self.inner)
        gains = Gains(variances, own, squares, ridge_of(data), data.n_samples)
        super().__init__(data, gains, rows.n_samples, is_exact=rows is data)

    def points(self, features: Array) -> Array:
        """Return columns of the samples."""
        return self.samples.columns(features).T

    def entries(self, rows: Array, features: Array, points: Array) -> Array:  # noqa: ARG002
        """Return products with some columns of the samples."""
        return np.asarray(rows @ points.T)

    def whole(self, rows: Array, part: slice) -> Array:
        """Return products with the samples."""
        return self.samples.combined(rows, part)

    def images(self, rows: Array) -> tuple[Array, Array]:
        """Return rows times Z Z', less their part in B, and inner products of what they stand for.

        That is V V' = B Z Z' B'.
        """
        mapped = rows @ self.inner
        return mapped - (mapped @ self.known.T) @ self.known, mapped @ rows.T

    def sizes(self, rows: Array) -> Array:
        """Return the diagonal of B Z Z' B'."""
        return np.einsum("ij,ij->i", rows @ self.inner, rows)


def side_of(data: Data) -> Side:
    """Return the side that is smallest: S, the samples, or 100 leading components."""
    n, d = data.n_samples, data.n_features
    if isinstance(data, Rows) and n <= min(d, MOST_SAMPLES):
        return SampleSide(data, data)
    if d <= min(n, LARGEST_GRAM) or (d <= MOST_SAMPLES and not isinstance(data, Rows)):
        return FeatureSide(data)
    spectrum = data.leading(0.0, most=min(COMPONENTS, d, n))
    components = np.sqrt(np.maximum(spectrum.values, 0.0))[:, None] * spectrum.vectors.T
    rows = Rows(components, data.mean, None, scale=data.scale)
    return SampleSide(data, rows, np.maximum(data.variances - rows.variances, 0.0))


def inner_squares(rows: Rows, inner: Array) -> Array:
    """Return x_j' inner x_j of every column, some columns at a time, never all."""
    width = max(1, min(TILE // rows.n_samples, (rows.n_features + 1) // 2))
    squares = np.empty(rows.n_features)
    for start in range(0, rows.n_features, width):
        part = slice(start, start + width)
        columns = rows.columns(part)
        squares[part] = np.einsum("ij,ij->j", columns, inner @ columns)
    return squares
