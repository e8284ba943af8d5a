"""Counts that `fit` takes in the place of X, as residuals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..linalg.rounding import sum_error
from ..linalg.types import Array
from .blocks import checked_block
from .protocol import Data
from .residuals import Poisson, Residuals
from .running import RunningMoments
from .streamed import Streamed

DTYPES = (np.float64, np.float32)


class Counts:
    """Counts of events, such as of genes in cells; made by `from_counts`."""

    def __init__(self, source: Any) -> None:
        self.source = source

    def samples(self, *, weighed: bool, dtypes: tuple[type, ...]) -> Data:  # noqa: ARG002
        """Return the residuals behind the questions of the mathematics."""
        if not callable(self.source):
            counts = checked_counts("the counts", self.source)
            found = _Totals.of(iter([counts]))
            return found.poisson(counts, found.mean(iter([counts])))
        read = partial(_checked, self.source)
        found = _Totals.of(read())
        mean = found.mean(read())
        return StreamedResiduals(read, found.poisson, mean)


class StreamedResiduals(Streamed):
    """Residuals of counts that are read again for every pass."""

    def __init__(self, read: Callable[[], Iterator[Any]], poisson: Poisson, mean: Array) -> None:
        running = RunningMoments(mean.size, diagonal=True)
        running.mean, size = mean, 0.0
        for block in read():
            rows = poisson(block, mean)
            running.n_samples += rows.n_samples
            running.variances = running.variances + rows.variances
            size += rows.total_size
        super().__init__(read, running, None)
        error = sum_error(self.n_samples) * float(np.sqrt(size / self.n_samples))
        self._size, self.residuals = size, partial(poisson, mean=mean, centre_error=error)

    def centred(self, block: Any) -> Residuals:
        """Return a block of counts as samples."""
        return self.residuals(block)

    @cached_property
    def gram_error(self) -> float:
        """How far products with S are off."""
        centred = self.n_samples * self.residuals.keywords["centre_error"] ** 2
        return float(self.relative_error * self._size + centred)


@dataclass(frozen=True)
class _Totals:
    """What the residuals rest on: the number of samples and the counts of the features."""

    n_samples: int
    features: Array

    @classmethod
    def of(cls, blocks: Iterator[Any]) -> _Totals:
        n, features = 0, np.zeros(0)
        for block in blocks:
            counted = np.asarray(block.sum(axis=0, dtype=np.float64)).ravel()
            n, features = n + block.shape[0], counted if n == 0 else features + counted
        if n < 2:
            raise ValueError(f"The counts have {n} sample(s), while a minimum of 2 is required.")
        if not features.any():
            raise ValueError("All counts are zero.")
        return cls(n, features)

    @property
    def poisson(self) -> Poisson:
        roots = np.sqrt(self.features / self.features.sum())
        return Poisson(roots, float(np.sqrt(self.n_samples)))

    def mean(self, blocks: Iterator[Any]) -> Array:
        """Return the means of the residuals."""
        total = np.zeros(self.features.size)
        for block in blocks:
            sparse, roots = self.poisson.sparse_part(block)
            total += np.asarray(sparse.sum(axis=0, dtype=np.float64)).ravel()
            total -= roots.sum() * self.poisson.roots
        return total / self.n_samples


def _checked(read: Callable[[], Iterator[Any]]) -> Iterator[Any]:
    for index, block in enumerate(read()):
        yield checked_counts(f"block {index}", block)


def checked_counts(label: str, counts: Any) -> Any:
    """Return counts as a CSR matrix, or say why they are none."""
    checked = sp.csr_matrix(checked_block(label, counts, DTYPES, finite=True))
    if not checked.has_canonical_format:
        checked = checked.copy()
        checked.sum_duplicates()
    if checked.nnz and checked.data.min() < 0:
        raise ValueError(f"In {label}: negative values are no counts.")
    return checked


def from_counts(source: Any) -> Counts:
    """Return what `fit` takes in the place of X when the data are counts.

    The data are then Poisson residuals ``(x_ij - mu_ij) / sqrt(mu_ij)`` with ``mu_ij`` the counts
    of sample i times the share of feature j in all counts, cut at the root of the number of
    samples: what analytic Pearson residuals are without overdispersion. They are never formed: the
    memory is that of the counts' entries once more, in single precision unless they are in double,
    and the certificate speaks of them as stored.

    Parameters
    ----------
    source : array-like, SciPy sparse matrix or callable
        Counts, not negative, samples in rows; or a function without arguments that returns a new
        iterator of blocks of them at each call.

    Returns
    -------
    Counts
        The data for `fit`.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsecone import SPCAPSD, from_counts
    >>> rng = np.random.default_rng(0)
    >>> means = np.where(np.arange(200)[:, None] % 2 == np.arange(20) % 2, 4.0, 1.0)
    >>> means[:, 4:] = 2.0
    >>> selector = SPCAPSD(n_features_to_select=4).fit(from_counts(rng.poisson(means)))
    >>> sorted(selector.selected_.tolist())
    [0, 1, 2, 3]
    """
    return Counts(source)
