"""Reading the arrays of .npz and .npy files."""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from scipy import sparse

from ..linalg.types import Array
from .dataset import DataFileError

_NPY_START = b"\x93NUMPY"
_NPZ_START = b"PK"
# The arrays in which scipy.sparse.save_npz stores a compressed matrix.
_SPARSE_PARTS = {"data", "indices", "indptr", "shape", "format"}


def read_numpy(path: Path) -> dict[str, Any]:
    """Return the arrays of a file by name; the single array of a .npy file is called X.

    A sparse matrix saved by SciPy is called X too. Pickled objects are refused, since
    reading them may run code.
    """
    with path.open("rb") as file:
        if not file.read(len(_NPY_START)).startswith((_NPY_START, _NPZ_START)):
            raise DataFileError(
                path,
                "is not a NumPy file, or a pickle, which may run code when it is read",
                remedy="Save plain arrays with np.savez(file, X=X, y=y)",
            )
        file.seek(0)
        arrays = _load_arrays(file, path=path)
    if arrays.keys() >= _SPARSE_PARTS:
        return {"X": sparse.load_npz(path)}
    return arrays


def _load_arrays(file: BinaryIO, *, path: Path) -> dict[str, Array]:
    try:
        loaded = np.load(file, allow_pickle=False)
        return {"X": loaded} if isinstance(loaded, np.ndarray) else dict(loaded)
    except ValueError as error:
        if "allow_pickle" not in str(error):
            raise
        raise DataFileError(
            path,
            "holds pickled Python objects, which may run code when they are read",
            remedy="Save numbers and text as plain arrays, not of dtype object",
        ) from error
