"""Samples that are reached block by block, once for every product."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from .rows import Rows
from .running import RunningMoments
from .terms import Terms, in_order

Array = NDArray[Any]


class Blockwise(Rows):
    """Data of which only one block of rows is at hand at a time; `collect` reaches them all.

    Parameters
    ----------
    running : RunningMoments
        Number, mean and variances of the rows, from a first pass.
    names : ndarray of str or None
        The names of the features.
    """

    def __init__(self, running: RunningMoments, names: Array | None) -> None:
        self.n_samples, self.n_features = running.n_samples, running.mean.size
        self.mean = running.mean
        self.variances = running.variances
        self.dtype = running.dtype
        self.names = names

    def gram_product(self, L: Array) -> Array:
        """Return S L in one pass."""
        return self.weighted_product(L, None)

    def weighted_product(self, L: Array, weights: Any) -> Array:
        """Return X' diag(weights) X L in one pass."""
        rowwise = () if weights is None else (weights,)
        return np.asarray(self.collect(partial(product_terms, L=L), *rowwise).sums[0])

    def gram_columns(self, indices: Array) -> Array:
        """Return some columns of S in one pass."""
        return np.asarray(self.collect(partial(column_terms, indices=indices)).sums[0])

    def weighted_gram(self, weights: Any) -> Array:
        """Return X' diag(weights) X in one pass."""
        rowwise = () if weights is None else (weights,)
        return np.asarray(self.collect(gram_terms, *rowwise).sums[0])

    @property
    def in_memory(self) -> bool:
        """Only a block of the rows is at hand."""
        return False

    @property
    def prefers_gram(self) -> bool:
        """Products are passes over the rows."""
        return False

    @property
    def precision(self) -> float:
        """Relative rounding error of the products."""
        return float(np.finfo(self.dtype).eps)

    @property
    def dense_rows(self) -> None:
        """The rows are not all at hand."""
        return


class Streamed(Blockwise):
    """Blocks that are read again for every pass.

    Parameters
    ----------
    read : callable
        Starts a pass over the blocks; each pass brings the same rows in the same order.
    running : RunningMoments
        Number, mean and variances of the rows, from a first pass.
    names : ndarray of str or None
        The names of the features.
    """

    def __init__(
        self, read: Callable[[], Iterator[Any]], running: RunningMoments, names: Array | None
    ) -> None:
        super().__init__(running, names)
        self.read = read

    def collect(self, function: Callable[..., Terms], *rowwise: Any) -> Terms:
        """Return the terms of all rows, in one pass over the blocks."""
        return in_order(self._terms(function, rowwise))

    def _terms(self, function: Callable[..., Terms], rowwise: tuple[Array, ...]) -> Iterator[Terms]:
        start = 0
        for block in self.read():
            stop = start + block.shape[0]
            yield function(centred(block, self.mean), *(values[start:stop] for values in rowwise))
            start = stop
        if start != self.n_samples:
            raise RuntimeError(
                f"A later pass over the blocks found {start} rows, the first one {self.n_samples}: "
                "the data must not change during a fit."
            )


def centred(block: Any, mean: Array) -> Rows:
    """Return a block of rows as samples with the mean of all of them."""
    if sp.issparse(block):
        return Rows(block, mean, mean)
    return Rows(block - mean.astype(block.dtype), mean, None)


def product_terms(rows: Rows, weights: Array | None = None, *, L: Array) -> Terms:
    """Return X' diag(weights) X L of a block of rows."""
    return Terms((Rows.weighted_product(rows, L, weights),))


def column_terms(rows: Rows, *, indices: Array) -> Terms:
    """Return some columns of X'X of a block of rows."""
    return Terms((Rows.gram_columns(rows, indices),))


def gram_terms(rows: Rows, weights: Array | None = None) -> Terms:
    """Return X' diag(weights) X of a block of rows."""
    return Terms((Rows.weighted_gram(rows, weights),))
