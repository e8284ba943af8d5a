"""Moments that grow block by block: number, mean and scatter of the rows seen so far.

Two blocks with n and m rows, means mu and nu and scatters S and T about their own means have the
scatter `S + T + n m / (n + m) (nu - mu)(nu - mu)'`. A block's own scatter comes from rows shifted
by c, `T = C - s s' / m` with s and C their sum and scatter about c: the mean so far serves as c
once it rests on as many rows as the block, which saves a pass, and the block's own mean before
that. Neither subtracts nearly equal numbers, whatever the order of the blocks. Of a sparse block
only columns with means far from zero are shifted (`sparsecone.data.sparse`).

Rows in single precision are multiplied in single precision after the first 32 million entries, a
block at a time, and summed in double. What that costs in accuracy is measured: the product of the
scatter with a few random directions is carried along in double precision.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from ..linalg.rounding import PROBES, measured_error, sum_error
from ..linalg.types import Array
from .moments import Moments
from .products import BLOCK, column_squares, sparse_gram
from .sparse import column_means, far_means, without_means

# Entries in single precision that are multiplied in double.
LARGEST_DOUBLED = 2**25
# Squares between these limits are safe in single precision.
SAFE_SINGLE = 1e-25, 1e25


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
        self.scatter = np.zeros((0 if diagonal else n_features,) * 2)
        # The scatter times random directions, once products are in single precision.
        self.probe: Array | None = None

    def add(self, block: Any) -> None:
        """Take in a finite block of rows, dense or sparse."""
        for start in range(0, block.shape[0], BLOCK):
            self._add(block[start : start + BLOCK])

    def _add(self, block: Any) -> None:
        m = block.shape[0]
        if sp.issparse(block):
            own = column_means(block)
            far = far_means(own, column_squares(block, own), m)
            rows, offset = without_means(block, own, far)
            shift = own - offset
        else:
            early = self.n_samples < m
            shift = block.mean(axis=0, dtype=np.float64) if early else self.mean
            rows = block - shift
        total = np.asarray(rows.T @ np.ones(m))
        squares = column_squares(rows, None)
        if not np.isfinite(squares.sum()):
            raise ValueError(
                "The squares of the values overflow: divide X by its largest value first."
            )
        gap = shift - self.mean + total / m
        if not self.diagonal:
            self._multiply(rows, single=block.dtype == np.float32, squares=squares)
        self.variances += squares
        self._shift(total / np.sqrt(m), -1.0)
        self._join(m, gap)

    def _multiply(self, rows: Any, *, single: bool, squares: Array) -> None:
        """Add the products of the features of shifted rows."""
        if sp.issparse(rows):
            self.scatter += sparse_gram(rows)
        elif single and self._is_single_enough(rows.size, squares):
            directions = self._directions()
            if self.probe is None:
                self.probe = self.scatter @ directions
            small = rows.astype(np.float32)
            self.scatter += small.T @ small
            self.probe += rows.T @ (rows @ directions)
            return
        else:
            self.scatter += rows.T @ rows
        if self.probe is not None:
            self.probe += rows.T @ (rows @ self._directions())

    def _is_single_enough(self, entries: int, squares: Array) -> bool:
        """Whether enough entries were multiplied in double, and squares are safe in single."""
        self.doubled -= entries
        least, most = SAFE_SINGLE
        return self.doubled < 0 and least <= squares.max() <= most

    def _directions(self) -> Array:
        return np.random.default_rng(0).standard_normal((self.mean.size, PROBES))

    def merge(self, other: RunningMoments) -> RunningMoments:
        """Take in the rows that other moments have seen; return these."""
        if other.n_samples:
            if self.probe is not None or other.probe is not None:
                self.probe = self._probed() + other._probed()
            self.scatter += other.scatter
            self.variances += other.variances
            self._join(other.n_samples, other.mean - self.mean)
        return self

    def _probed(self) -> Array:
        return self.scatter @ self._directions() if self.probe is None else self.probe

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
        self.scatter += sign * np.outer(vector, vector)
        if self.probe is not None:
            self.probe += np.outer(sign * vector, vector @ self._directions())

    def moments(self, names: Array | None = None) -> Moments:
        """Return the moments as samples."""
        probe = self.probe
        # What the rounding of the means may add: columns with no more than that do not vary.
        least = self.n_samples * (sum_error(0) * self.mean) ** 2
        still = self.variances <= least
        self.scatter[still] = self.scatter[:, still] = 0.0
        np.fill_diagonal(self.scatter, np.where(still, 0.0, self.variances))
        measured = 0.0 if probe is None else measured_error(self.scatter, lambda _: probe)
        return Moments(
            self.scatter,
            self.n_samples,
            self.scale * self.mean,
            names,
            scale=self.scale,
            error=measured + float(least[~still].sum()),
            is_measured=probe is not None,
        )
