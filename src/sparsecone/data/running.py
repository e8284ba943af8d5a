"""Moments that grow block by block: number, mean and scatter of the rows seen so far.

Two blocks with n and m rows, means mu and nu and scatters S and T about their own means have the
scatter `S + T + n m / (n + m) (nu - mu)(nu - mu)'`. A block's own scatter comes from rows shifted
by c, `T = C - s s' / m` with s and C their sum and scatter about c: the mean so far serves as c
once it rests on as many rows as the block, which saves a pass, and the block's own mean before
that. Neither subtracts nearly equal numbers, whatever the order of the blocks.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from .moments import Moments
from .rows import BLOCK

Array = NDArray[Any]


class RunningMoments:
    """Number, mean and scatter of rows, in double precision.

    Parameters
    ----------
    n_features : int
        Width of the rows.
    diagonal : bool
        Whether to keep the diagonal of the scatter alone.
    """

    def __init__(self, n_features: int, *, diagonal: bool = False) -> None:
        self.n_samples = 0
        self.mean = np.zeros(n_features)
        self.diagonal = diagonal
        self.dtype: Any = np.dtype(np.float32)
        self.scatter = np.zeros(n_features if diagonal else (n_features, n_features))

    def add(self, block: Any) -> None:
        """Take in a finite block of rows, dense or sparse."""
        for start in range(0, block.shape[0], BLOCK):
            self._add(block[start : start + BLOCK])

    def _add(self, block: Any) -> None:
        m = block.shape[0]
        if sp.issparse(block):
            shift = np.zeros(self.mean.size)
            rows = block
        else:
            own = self.n_samples < m
            shift = block.mean(axis=0, dtype=np.float64) if own else self.mean
            shift = shift.astype(block.dtype)
            rows = block - shift
        total = np.asarray(rows.T @ np.ones(m, dtype=block.dtype), dtype=np.float64)
        part = self._scatter(rows)
        _check_scale(rows, float(part.sum() if self.diagonal else np.trace(part)))
        self.dtype = np.promote_types(self.dtype, block.dtype)
        gap = shift - self.mean + total / m
        self._shift(total / np.sqrt(m), -1.0)
        self.scatter += part
        self._join(m, gap)

    def merge(self, other: RunningMoments) -> RunningMoments:
        """Take in the rows that other moments have seen; return these."""
        if other.n_samples:
            self.dtype = np.promote_types(self.dtype, other.dtype)
            self.scatter += other.scatter
            self._join(other.n_samples, other.mean - self.mean)
        return self

    def _join(self, m: int, gap: Array) -> None:
        """Take in the distance between the means of the old rows and of m new ones."""
        n = self.n_samples
        self._shift(np.sqrt(n * m / (n + m)) * gap, 1.0)
        self.mean = self.mean + (m / (n + m)) * gap
        self.n_samples = n + m

    def _shift(self, vector: Array, sign: float) -> None:
        """Add or subtract vector vector'."""
        if not vector.any():
            return
        self.scatter += sign * (vector**2 if self.diagonal else np.outer(vector, vector))

    def _scatter(self, rows: Any) -> Array:
        if sp.issparse(rows):
            squares = (
                rows.multiply(rows).sum(axis=0) if self.diagonal else (rows.T @ rows).toarray()
            )
            return np.asarray(squares, dtype=np.float64).reshape(self.scatter.shape)
        if self.diagonal:
            return np.einsum("ij,ij->j", rows, rows, dtype=np.float64)
        return np.asarray(rows.T @ rows)

    @property
    def variances(self) -> Array:
        """Diagonal of the scatter."""
        return np.maximum(self.scatter if self.diagonal else np.diag(self.scatter), 0.0)

    def moments(self, names: Array | None = None) -> Moments:
        """Return the moments as samples."""
        return Moments(self.scatter, self.n_samples, self.mean, names)


def _check_scale(rows: Any, trace: float) -> None:
    """Refuse rows whose squares overflow or vanish."""
    if not np.isfinite(trace):
        raise ValueError("The squares of the values overflow: divide X by its largest value first.")
    if trace < np.finfo(rows.dtype).tiny and not sp.issparse(rows) and np.any(rows):
        raise ValueError("The squares of the values vanish: multiply X by a large number first.")
