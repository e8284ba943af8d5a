"""Products that are added to a large array in place: another array as large is slow to come by."""

from __future__ import annotations

from scipy.linalg.blas import dgemm

from .types import Array


def add_product(total: Array, left: Array, right: Array, factor: float = 1.0) -> None:
    """Add `factor * left @ right` to an array of doubles that is stored by rows, in place."""
    if left.shape[1] and total.size:
        # Transposed, as BLAS expects columns: nothing large is copied.
        dgemm(factor, right.T, left.T, beta=1.0, c=total.T, overwrite_c=1)
