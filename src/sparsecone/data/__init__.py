"""The data behind the few questions the mathematics asks."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from .blocks import Blocks, from_blocks
from .distributed import DaskBlocks, connected, from_dask, is_dask, on_dask
from .moments import Moments, from_gram
from .rows import BLOCK, LARGEST_GRAM
from .rows import Rows as Samples
from .running import RunningMoments
from .spectrum import Spectrum, is_decomposed, most_vectors
from .terms import Terms

__all__ = [
    "LARGEST_GRAM",
    "Blocks",
    "DaskBlocks",
    "Moments",
    "RunningMoments",
    "Samples",
    "Spectrum",
    "Terms",
    "as_samples",
    "connected",
    "from_blocks",
    "from_dask",
    "from_gram",
    "is_dask",
    "is_decomposed",
    "most_vectors",
    "on_dask",
]

# Bytes of a dense array up to which a centred copy is made in any case.
LARGEST_COPY = 2**30
# Means up to so many standard deviations are subtracted from products instead: a digit is lost.
LARGEST_MEAN = 3.0


def as_samples(X: Any, *, weighed: bool = True) -> Samples:
    """Return validated data (a float array or SciPy sparse matrix, or moments) as samples.

    A dense array is centred in a copy, a large one implicitly where its means are not; a sparse one
    is always centred implicitly and never densified. Where no loss weighs the samples, the
    moments of a long array take the place of a copy.
    """
    if isinstance(X, Moments):
        return X
    if sp.issparse(X):
        mean = np.asarray(X.mean(axis=0, dtype=np.float64)).ravel()
        samples = Samples(X.tocsr(), mean, mean)
    elif not weighed and X.shape[0] > max(BLOCK, X.shape[1]) and X.shape[1] <= LARGEST_GRAM:
        running = RunningMoments(X.shape[1])
        running.add(X)
        return running.moments()
    else:
        mean = X.mean(axis=0, dtype=np.float64)
        samples = _implicitly_centred(X, mean) or Samples(X - mean.astype(X.dtype), mean, None)
    _check_scale(samples)
    return samples


def _implicitly_centred(X: Any, mean: Any) -> Samples | None:
    """Return a large array as it is, where subtracting the mean from products costs few digits."""
    if X.nbytes <= LARGEST_COPY:
        return None
    samples = Samples(X, mean, mean)
    small = len(X) * mean**2 <= LARGEST_MEAN**2 * samples.variances
    return samples if small.all() else None


def _check_scale(samples: Samples) -> None:
    """Refuse data whose squares overflow or vanish."""
    trace = samples.trace
    if not np.isfinite(trace):
        raise ValueError("The squares of the values overflow: divide X by its largest value first.")
    smallest = np.finfo(samples.matrix.dtype).tiny
    if samples.offset is None and trace < smallest and np.any(samples.matrix):
        raise ValueError("The squares of the values vanish: multiply X by a large number first.")
