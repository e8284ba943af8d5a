"""Matrices in single precision, where it is enough: products of them take half of the time."""

from __future__ import annotations

import numpy as np

from .rounding import TINY
from .types import Array


def single(matrix: Array) -> tuple[Array, float]:
    """Return a matrix in single precision, divided by its largest entry, and that.

    Whatever the scale of the data, nothing overflows then.
    """
    largest = max(float(matrix.max(initial=0.0)), -float(matrix.min(initial=0.0)), TINY)
    out = np.empty(matrix.shape, dtype=np.float32)
    return np.divide(matrix, largest, out=out, casting="same_kind"), largest
