"""Moments that grow block by block: number, mean and scatter of the rows seen so far.

Two blocks with n and m rows, means mu and nu and scatters S and T about their own means have the
scatter `S + T + n m / (n + m) (nu - mu)(nu - mu)'`. A block's own scatter comes from rows shifted
by c, `T = C - s s' / m` with s and C their sum and scatter about c: the mean so far serves as c
once it rests on as many rows as the block, which saves a pass, and the block's own mean before
that. Neither subtracts nearly equal numbers, whatever the order of the blocks. Of a sparse block
only columns with means far from zero are shifted (`sparsecone.data.sparse`). Rows in single
precision are not shifted where no mean so far is far from zero, which saves a copy: their own mean
is nu = mu + (nu - mu), so that what is subtracted from the squares of a column, `m nu^2`, is at
most `2 m mu^2 + 2 m (nu - mu)^2`, of which the first is 18 times the scatter so far at most and the
second 4 times what this block adds: a digit.

Rows in single precision are multiplied in single precision after the first 32 million entries, a
block at a time, and summed in double. What that costs in accuracy is measured: the product of the
scatter with a few random directions is carried along in double precision, in tiles that stay in
the cache.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.linalg.blas import dsyr

from ..linalg.rounding import PROBES, measured_error, sum_error
from ..linalg.threads import large
from ..linalg.types import Array
from .moments import Moments
from .products import BLOCK, add_square, column_squares, mirrored, sparse_gram
from .row_errors import gram_relative_error
from .sparse import column_means, far_means, without_means

# Entries in single precision that are multiplied in double.
LARGEST_DOUBLED = 2**25
# Rows in single precision that are multiplied at once.
SINGLE_BLOCK = 2 * BLOCK
# Squares between these limits are safe in single precision.
SAFE_SINGLE = 1e-25, 1e25
# Entries of a tile that stays in the cache.
TILE = 2**16


class RunningMoments:
    """Number, mean and scatter of rows, summed in double precision.

    Parameters
    ----------
    n_features : int
        Width of the rows.
    diagonal : bool
        Whether to keep the diagonal of the scatter alone.
    scale : float
        What the rows were divided by.
    doubled : int
        Entries in single precision that are multiplied in double.
    """

    def __init__(
        self,
        n_features: int,
        *,
        diagonal: bool = False,
        scale: float = 1.0,
        doubled: int = LARGEST_DOUBLED,
    ) -> None:
        self.n_samples = 0
        self.mean = np.zeros(n_features)
        self.diagonal = diagonal
        self.scale = scale
        self.doubled = doubled
        self.variances = np.zeros(n_features)
        # What was subtracted from the squares for shifts that are not the means.
        self.removed = 0.0
        # Sums of products, of which the lower triangle counts.
        self._products = np.zeros((0 if diagonal else n_features,) * 2, order="F")
        # The scatter times random directions, once products are in single precision.
        self.probe: Array | None = None

    def add(self, block: Any) -> None:
        """Take in a finite block of rows, dense or sparse."""
        step = BLOCK if sp.issparse(block) or block.dtype != np.float32 else SINGLE_BLOCK
        for start in range(0, block.shape[0], step):
            self._add(block[start : start + step])

    @property
    def scatter(self) -> Array:
        """The scatter of all rows so far about their mean, in an array of its own."""
        return mirrored(self._products.copy(order="F")).T

    def _add(self, block: Any) -> None:
        m = block.shape[0]
        if sp.issparse(block) and self.diagonal:
            # Squares about the block's own mean are all that is asked for.
            shift, total, probe, single = column_means(block), np.zeros(self.mean.size), None, False
            rows, squares = block, column_squares(block, shift)
        elif sp.issparse(block):
            own = column_means(block)
            far = far_means(own, column_squares(block, own), m)
            rows, offset = without_means(block, own, far)
            shift, single = own - offset, False
            probe = None if self.probe is None else rows.T @ (rows @ self._directions)
            total, squares = np.asarray(rows.T @ np.ones(m)), column_squares(rows, None)
        else:
            single = self._is_single(block)
            directions = self._directions if single or self.probe is not None else None
            shift, rows = self._origin(block, single)
            total, squares, probe = _summed(block, shift, directions, rows)
            rows = block if rows is None else rows
        if not np.isfinite(squares.sum()):
            raise ValueError(
                "The squares of the values overflow: divide X by its largest value first."
            )
        if probe is not None:
            self.probe = self._probed() + probe
        gap = shift - self.mean + total / m
        if not self.diagonal:
            least, most = SAFE_SINGLE
            safe = least <= squares.max() <= most
            self._multiply(rows if not single or safe else block.astype(np.float64) - shift)
        self.variances += squares
        self._shift(total / np.sqrt(m), -1.0)
        self.removed += float(total @ total) / m
        self._join(m, gap)

    def _origin(self, block: Array, single: bool) -> tuple[Array, Array | None]:
        """Return what a dense block is shifted by, and room for the shifted rows if it is."""
        n, m = self.n_samples, block.shape[0]
        if single and n >= m and not far_means(self.mean, self.variances, n).any():
            return np.zeros(self.mean.size), None
        shift = block.mean(axis=0, dtype=np.float64) if n < m else self.mean
        return shift, np.empty(block.shape, dtype=np.float32 if single else np.float64)

    def _is_single(self, block: Array) -> bool:
        """Whether a block is in single precision, and enough entries were multiplied in double."""
        if self.diagonal or block.dtype != np.float32:
            return False
        self.doubled -= block.size
        return self.doubled < 0

    def _multiply(self, rows: Any) -> None:
        """Add the products of the features of shifted rows, in their precision."""
        if sp.issparse(rows):
            self._products = sparse_gram(rows, out=self._products)
            return
        if rows.dtype != np.float32:
            add_square(self._products, rows.T)
            return
        with large(0.5 * rows.size * rows.shape[1]):
            # The transpose of a symmetric matrix is itself, in the order of the sums.
            self._products += (rows.T @ rows).T

    @cached_property
    def _directions(self) -> Array:
        return np.random.default_rng(0).standard_normal((self.mean.size, PROBES))

    def merge(self, other: RunningMoments) -> RunningMoments:
        """Take in the rows that other moments have seen; return these."""
        if other.n_samples:
            if self.probe is not None or other.probe is not None:
                self.probe = self._probed() + other._probed()
            self._products += other._products
            self.variances += other.variances
            self.removed += other.removed
            self._join(other.n_samples, other.mean - self.mean)
        return self

    def _probed(self) -> Array:
        return self.scatter @ self._directions if self.probe is None else self.probe

    def _join(self, m: int, gap: Array) -> None:
        """Take in the distance between the means of the old rows and of m new ones."""
        n = self.n_samples
        self._shift(np.sqrt(n * m / (n + m)) * gap, 1.0)
        self.mean = self.mean + (m / (n + m)) * gap
        self.n_samples = n + m

    def _shift(self, vector: Array, sign: float) -> None:
        """Add or subtract vector vector'."""
        self.variances = np.maximum(self.variances + sign * vector**2, 0.0)
        if self.diagonal or not vector.any():
            return
        self._products = dsyr(sign, vector, a=self._products, lower=1, overwrite_a=1)
        if self.probe is not None:
            self.probe += np.outer(sign * vector, vector @ self._directions)

    def moments(self, names: Array | None = None, *, last: bool = False) -> Moments:
        """Return the moments as samples; after the last time no rows may be added."""
        probe = self.probe
        # What the rounding of the means may add: columns with no more than that do not vary.
        least = self.n_samples * (sum_error(0) * self.mean) ** 2
        still = self.variances <= least
        scatter = mirrored(self._products).T if last else self.scatter
        scatter[still] = scatter[:, still] = 0.0
        np.fill_diagonal(scatter, np.where(still, 0.0, self.variances))
        measured = 0.0 if probe is None else measured_error(scatter, lambda _: probe)
        # What was subtracted was as exact as what it was subtracted from.
        summed = 2.0 * gram_relative_error(self.n_samples, len(scatter)) * self.removed
        return Moments(
            scatter,
            self.n_samples,
            self.scale * self.mean,
            names,
            scale=self.scale,
            error=measured + summed + float(least[~still].sum()),
            is_measured=probe is not None,
        )


class Sums(NamedTuple):
    """Sums of the entries of shifted rows and of their squares, and products with directions."""

    total: Array
    squares: Array
    probe: Array | None


def _summed(
    block: Array, shift: Array, directions: Array | None, rows: Array | None = None
) -> Sums:
    """Return sums over rows less a shift, in double precision; the rows go where they are wanted.

    Tiles of them stay in the cache.
    """
    m, d = block.shape
    # Products with the directions, if any, and with ones.
    count = 0 if directions is None else directions.shape[1]
    products, squares = np.zeros((count + 1, d)), np.zeros(d)
    height = min(max(1, TILE // d), m)
    right, room, is_shifted = np.ones((height, count + 1)), np.empty((height, d)), shift.any()
    for first in range(0, m, height):
        part = slice(first, min(first + height, m))
        tile = room[: part.stop - first]
        if is_shifted:
            np.subtract(block[part], shift, out=tile)
        else:
            tile[:] = block[part]
        squares += np.einsum("ij,ij->j", tile, tile)
        if directions is not None:
            np.matmul(tile, directions, out=right[: len(tile), :count])
        products += right[: len(tile)].T @ tile
        if rows is not None:
            rows[part] = tile
    probe = None if directions is None else products[:count].T
    return Sums(products[count], squares, probe)
