"""What chosen features leave of S, from whatever is smallest: S, the samples, or components."""

from __future__ import annotations

import numpy as np
from scipy.linalg.blas import dtrmm

from ..data import LARGEST_GRAM, Data, Rows
from ..data.products import TILE
from ..linalg.types import Array
from .by_columns import ByColumns
from .gains import Gains, ridge_of
from .side import Side

# Samples up to which their inner products are formed, and components that stand for more of them.
MOST_SAMPLES = 1100
COMPONENTS = 100
# Entries of a tile that stays in the cache while it is multiplied by a triangle: for 100 samples of
# 10,304 features 3.6 ms, and 5 in a tile of all.
SMALL = 2**17


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
        self.twice = 2.0 * self.inner
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
    """Return x_j' inner x_j of every column, some columns at a time, never all.

    A triangle with half of the diagonal makes half of each, with half of the work.
    """
    half, squares = inner.copy(), np.empty(rows.n_features)
    half[np.diag_indices_from(half)] *= 0.5
    # Some columns of a sparse matrix by rows cost as much as all.
    tile = TILE if rows.is_sparse else SMALL
    width = max(1, min(tile // rows.n_samples, (rows.n_features + 1) // 2))
    for start in range(0, rows.n_features, width):
        part = slice(start, start + width)
        columns = rows.columns(part)
        # The transpose has the order that BLAS expects; the other triangle is not read.
        product = dtrmm(1.0, half.T, columns.T, side=1).T
        squares[part] = 2.0 * np.einsum("ij,ij->j", product, columns)
    return squares
