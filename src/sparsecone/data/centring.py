"""Validated data as samples: centred without loss, in a copy, in tiles or implicitly.

Where squares would overflow or vanish the samples are divided by a power of two, which rounds
nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from ..linalg.rounding import norm
from ..linalg.sparse_format import summed
from ..linalg.types import Array
from .moments import Moments
from .products import BLOCK, column_squares
from .rows import LARGEST_GRAM, Rows
from .running import RunningMoments
from .sparse import column_means, far_means, without_means

# Entries up to which an array in single precision is copied in double, or its moments are summed in
# double, and bytes up to which one in double precision is centred in a copy in any case.
LARGEST_DOUBLED = 2**27
LARGEST_SUMMED = 2**26
LARGEST_COPY = 2**30
# The part of what rounding may leave of a mean up to which it is none, and the length of the means
# beside that of some samples above which nobody looks.
CENTRED, NEARLY = 0.1, 1e-6
# Sums of squares between these limits neither overflow nor vanish in anything that follows.
SMALLEST_TRACE, LARGEST_TRACE = 1e-60, 1e60
# Beyond this scale the objective itself would overflow, or vanish.
LARGEST_SCALE = 1e152


def as_rows(X: Any) -> Rows:
    """Return validated data (a float array or SciPy sparse matrix) as rows."""
    samples = as_samples(X)
    assert isinstance(samples, Rows)
    return samples


def as_samples(X: Any, *, weighed: bool = True) -> Rows | Moments:
    """Return validated data (a float array or SciPy sparse matrix, or moments) as samples.

    A dense array is centred in a copy, a large one implicitly where its means are not; a sparse one
    is never densified. Where no loss weighs the samples, the moments of a long array take the
    place of a copy.
    """
    if isinstance(X, Moments):
        return X
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        samples = _as_samples(X, weighed, 1.0)
        if is_safe(samples.trace):
            return samples
        scale = safe_scale(X)
    return samples if scale == 1.0 else _as_samples(X / checked_scale(scale), weighed, scale)


def _as_samples(X: Any, weighed: bool, scale: float) -> Rows | Moments:
    if sp.issparse(X):
        return _sparse(X, scale)
    n, d = X.shape
    if not weighed and n > max(BLOCK, d) and d <= LARGEST_GRAM:
        doubled = X.size if X.size <= LARGEST_SUMMED else 0
        running = RunningMoments(d, scale=scale, doubled=doubled)
        running.add(X)
        return running.moments(last=True)
    mean = X.mean(axis=0, dtype=np.float64)
    if X.dtype == np.float32 and X.size > LARGEST_DOUBLED:
        return Rows(X, scale * mean, mean, scale=scale)
    if X.dtype == np.float64 and X.nbytes > LARGEST_COPY:
        large = Rows(X, scale * mean, mean, scale=scale)
        if not far_means(mean, large.variances, n).any():
            return large
    return _as_it_is(X, mean, scale) or _centred_copy(X, mean, scale)


def _as_it_is(X: Array, mean: Array, scale: float) -> Rows | None:
    """Return samples in double precision that are centred already without a copy, or None."""
    first = X[: max(1, BLOCK // X.shape[1])]
    if X.dtype != np.float64 or not X.flags.forc or norm(mean) > NEARLY * norm(first):
        return None
    held = X.view()
    # They are somebody else's.
    held.setflags(write=False)
    samples = Rows(held, scale * mean, None, scale=scale)
    return samples if norm(mean) <= CENTRED * samples.centre_error else None


def _centred_copy(X: Array, mean: Array, scale: float) -> Rows:
    """Centre twice where it matters: the second mean is what the rounding of the first has left."""
    centred = np.subtract(X, mean, dtype=np.float64)
    rest = centred.mean(axis=0)
    samples = Rows(centred, scale * (mean + rest), None, scale=scale)
    if norm(rest) <= CENTRED * samples.centre_error:
        return samples
    centred -= rest
    return Rows(centred, scale * (mean + rest), None, scale=scale)


def _sparse(X: Any, scale: float) -> Rows:
    matrix = summed(X.tocsr())
    mean = column_means(matrix)
    far = far_means(mean, column_squares(matrix, mean), matrix.shape[0])
    stored, offset = without_means(matrix, mean, far)
    if stored is not matrix:
        # What the rounding of a large mean has left is subtracted as well.
        offset = column_means(stored)
    return Rows(stored, scale * mean, offset, scale=scale)


def is_safe(trace: float) -> bool:
    """Return whether a sum of squares is far from overflowing and from vanishing."""
    return SMALLEST_TRACE <= trace <= LARGEST_TRACE


def checked_scale(scale: float) -> float:
    """Refuse data whose squares overflow or vanish in the units they are given in."""
    if scale > LARGEST_SCALE:
        raise ValueError("The squares of the values overflow: divide X by its largest value first.")
    if scale < 1.0 / LARGEST_SCALE:
        raise ValueError("The squares of the values vanish: multiply X by a large number first.")
    return scale


def safe_scale(X: Any) -> float:
    """Return the power of two next to the largest entry, or 1 where that is zero."""
    values = X.data if sp.issparse(X) else X
    largest = float(np.abs(values).max(initial=0.0))
    return 1.0 if largest == 0.0 else float(2.0 ** np.floor(np.log2(largest)))
