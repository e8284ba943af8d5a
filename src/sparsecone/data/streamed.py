"""Samples that are reached block by block, once for every product."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..linalg.rounding import sum_error
from ..linalg.types import Array
from .products import BLOCK
from .rows import LARGEST_GRAM, Rows
from .running import RunningMoments
from .sparse import far_means, without_means
from .spectrum import Remembers
from .terms import Terms, in_order


@dataclass(frozen=True)
class Centring:
    """How a block of rows is centred, from what a first pass found."""

    mean: Array
    far: Array
    scale: float
    error: float

    @classmethod
    def of(cls, running: RunningMoments) -> Centring:
        """Return the centring by the means of all rows."""
        n, mean = running.n_samples, running.mean
        spread = float(np.sqrt(running.variances.sum() / n) + np.linalg.norm(mean))
        # Rows that are all the same are their mean.
        varies = float(running.variances.any())
        error = varies * sum_error(min(n, BLOCK) + n // BLOCK) * spread
        return cls(mean, far_means(mean, running.variances, n), running.scale, error)

    def __call__(self, block: Any) -> Rows:
        """Return a block of rows as samples."""
        if self.scale != 1.0:
            block = block.astype(np.float64) / self.scale
        if sp.issparse(block):
            rows, offset = without_means(block, self.mean, self.far)
        else:
            rows, offset = block.astype(np.float64, copy=False) - self.mean, None
        return Rows(rows, self.scale * self.mean, offset, scale=self.scale, centre_error=self.error)


class Blockwise(Remembers, ABC):
    """Data of which only one block of rows is at hand at a time; `collect` reaches them all.

    Parameters
    ----------
    running : RunningMoments
        Number, mean and variances of the rows, from a first pass.
    names : ndarray of str or None
        The names of the features.
    """

    in_memory = False
    is_measured = False
    matrix_error = 0.0

    def __init__(self, running: RunningMoments, names: Array | None) -> None:
        self.n_samples, self.n_features = running.n_samples, running.mean.size
        self.scale = running.scale
        self.mean = running.scale * running.mean
        self.variances = running.variances
        self.trace = float(running.variances.sum())
        self.names = names
        self.centring = Centring.of(running)
        self.relative_error = sum_error(self.n_samples + self.n_features)

    @property
    def prefers_gram(self) -> bool:
        """Whether products with S are cheaper through the d x d matrix itself."""
        return self.n_features <= min(2.0 * self.n_samples, LARGEST_GRAM)

    @abstractmethod
    def collect(self, function: Callable[..., Terms], *rowwise: Any) -> Terms:
        """Return the terms of all rows, in one pass over the blocks."""

    @cached_property
    def gram_error(self) -> float:
        """How far products with S are off."""
        centred = self.n_samples * self.centring.error**2
        offset = np.where(self.centring.far, 0.0, self.centring.mean)
        size = float(np.sqrt(self.trace) + 2.0 * np.sqrt(self.n_samples) * np.linalg.norm(offset))
        return self.relative_error * size**2 + centred

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

    @cached_property
    def gram_matrix(self) -> Array:
        """S = X'X as a dense array."""
        return self.weighted_gram(None)

    def weighted_gram(self, weights: Any) -> Array:
        """Return X' diag(weights) X in one pass."""
        rowwise = () if weights is None else (weights,)
        return np.asarray(self.collect(gram_terms, *rowwise).sums[0])


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

    def centred(self, block: Any) -> Rows:
        """Return a block as samples."""
        return self.centring(block)

    def _terms(self, function: Callable[..., Terms], rowwise: tuple[Array, ...]) -> Iterator[Terms]:
        start = 0
        for block in self.read():
            stop = start + block.shape[0]
            yield function(self.centred(block), *(values[start:stop] for values in rowwise))
            start = stop
        if start != self.n_samples:
            raise RuntimeError(
                f"A later pass over the blocks found {start} rows, the first one {self.n_samples}: "
                "the data must not change during a fit."
            )


def product_terms(rows: Rows, weights: Array | None = None, *, L: Array) -> Terms:
    """Return X' diag(weights) X L of a block of rows."""
    return Terms((rows.weighted_product(L, weights),))


def column_terms(rows: Rows, *, indices: Array) -> Terms:
    """Return some columns of X'X of a block of rows."""
    return Terms((rows.gram_columns(indices),))


def gram_terms(rows: Rows, weights: Array | None = None) -> Terms:
    """Return X' diag(weights) X of a block of rows."""
    return Terms((rows.weighted_gram(weights),))
