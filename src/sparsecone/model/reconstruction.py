"""A symmetric W with the mean that samples are taken about: the residuals are (I - W)(x_i - m)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..data import Rows
from ..linalg.lyapunov import Symmetric
from ..linalg.types import Array

# Entries of residuals at a time: memory for more is fetched anew each time, which may take longer
# than what is done with it (USPS, benchmarks/regimes.py). Fewer rows make slow products, but there
# are never more entries than the last.
TILE, ENOUGH_ROWS, MOST = 2**17, 512, 2**20


@dataclass(frozen=True)
class Reconstruction:
    """W and m; the offset of the model is v = (I - W) m.

    Attributes
    ----------
    W : Symmetric
        The matrix.
    mean : ndarray of shape (n_features,)
        The weighted mean of the samples, or 0 where no offset is learned.
    """

    W: Symmetric
    mean: Array

    def residuals(self, rows: Rows) -> Iterator[tuple[slice, Array]]:
        """Yield the residuals of a block of rows entry by entry, some rows at a time."""
        for part in tiles_of(rows):
            yield part, self.W.leave(rows.dense(part) - self.mean)

    def squares(self, rows: Rows) -> Array:
        """Return |r_i|^2 of a block of rows."""
        found = np.empty(rows.n_samples)
        for part, entries in self.residuals(rows):
            found[part] = np.einsum("ij,ij->i", entries, entries)
        return found

    def squared_residuals(self, rows: Rows) -> tuple[Array, Array]:
        """Return |r_i|^2 of a block of rows, and the inner products r_i'x_i."""
        squares, along = np.empty(rows.n_samples), np.empty(rows.n_samples)
        for part in tiles_of(rows):
            X = rows.dense(part)
            entries = self.W.leave(X - self.mean)
            squares[part] = np.einsum("ij,ij->i", entries, entries)
            along[part] = np.einsum("ij,ij->i", entries, X)
        return squares, along


def tiles_of(rows: Rows) -> Iterator[slice]:
    """Yield some rows at a time."""
    d = rows.n_features
    height = max(1, TILE // d, min(ENOUGH_ROWS, MOST // d))
    for first in range(0, rows.n_samples, height):
        yield slice(first, min(first + height, rows.n_samples))
