"""Sparse matrices that are what they say: indices in range, each entry once.

SciPy trusts the indices it is given: one out of range is read and written beyond the arrays.
"""

from __future__ import annotations

from typing import Any

import scipy.sparse as sp

_COMPRESSED = ("csr", "csc", "bsr")


def check_indices(matrix: Any) -> None:
    """Raise a ValueError where an index or a pointer of a compressed matrix is out of range."""
    if matrix.format in _COMPRESSED:
        matrix.check_format(full_check=True)


def summed(matrix: Any) -> Any:
    """Return a CSR or CSC matrix in which every entry stands once; duplicates are added up."""
    if not sp.issparse(matrix) or matrix.has_canonical_format:
        return matrix
    matrix = matrix.copy()
    matrix.sum_duplicates()
    return matrix
