"""Sparse matrices from the arrays that a file keeps them in, which nobody has checked."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..linalg.sparse_format import check_indices
from .limits import Limit

_BUILDERS = {"csr": sparse.csr_matrix, "csc": sparse.csc_matrix, "bsr": sparse.bsr_matrix}


def compressed(kind: str, data: Any, indices: Any, indptr: Any, *, shape: Any, limit: Limit) -> Any:
    """Return a CSR, CSC or BSR matrix with every index in range, or raise a ValueError."""
    parts = (_native(data), _integers(indices), _integers(indptr))
    return checked(_BUILDERS[kind](parts, shape=_sizes(shape)), limit)


def triplets(data: Any, rows: Any, columns: Any, *, shape: Any, limit: Limit) -> Any:
    """Return a COO matrix with every index in range, or raise a ValueError."""
    parts = (_native(data), (_integers(rows), _integers(columns)))
    return checked(sparse.coo_matrix(parts, shape=_sizes(shape)), limit)


def checked(matrix: Any, limit: Limit) -> Any:
    """Return a sparse matrix if its indices are in range and its rows fit into memory."""
    check_indices(matrix)
    limit.check_sparse(matrix)
    return matrix


def _sizes(shape: Any) -> tuple[int, int]:
    n_rows, n_columns = (int(size) for size in shape)
    return n_rows, n_columns


def _native(values: Any) -> NDArray[Any]:
    """Return an array in the byte order of this machine, the only one that SciPy multiplies."""
    array = np.asarray(values)
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def _integers(values: Any) -> NDArray[np.int64]:
    array = np.asarray(values)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise ValueError(f"its indices are {array.dtype} of shape {array.shape}, not integers")
    # What an unsigned number beyond the range becomes is negative, and refused as such.
    return array.astype(np.int64)
