"""Products of a large matrix with few columns."""

from __future__ import annotations

import numpy as np

from .types import Array

# Entries from which a matrix is far larger than what it is multiplied by. The transposed product
# reads it in the order that BLAS is fast in, up to twice as fast, and a copy turns its result back.
LARGE = 2**18


def thin_product(matrix: Array, columns: Array) -> Array:
    """Return `matrix @ columns`, by rows."""
    if columns.ndim == 1 or matrix.size < LARGE:
        return np.asarray(matrix @ columns)
    return np.ascontiguousarray((columns.T @ matrix.T).T)
