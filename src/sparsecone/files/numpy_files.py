"""Reading the arrays of .npz and .npy files."""

from __future__ import annotations

import os
from typing import IO, Any
from zipfile import ZipFile

import numpy as np

from ..linalg.types import Array
from .dataset import DataFileError
from .limits import Limit
from .sparse_parts import compressed, triplets
from .wanted import Wanted

_NPY_START = b"\x93NUMPY"
_NPZ_START = b"PK"
# The arrays in which scipy.sparse.save_npz stores a matrix, beside those of its format.
_SPARSE_PARTS = {"data", "shape", "format"}


def read_numpy(wanted: Wanted) -> dict[str, Any]:
    """Return the arrays of a file by name; the single array of a .npy file is called X.

    A sparse matrix saved by SciPy is called X too. Pickled objects are refused, since
    reading them may run code.
    """
    path, limit = wanted.path, wanted.limit
    with path.open("rb") as file:
        start = file.read(len(_NPY_START))
        if not start.startswith((_NPY_START, _NPZ_START)):
            raise DataFileError(
                path,
                "is not a NumPy file, or a pickle, which may run code when it is read",
                remedy="Save plain arrays with np.savez(file, X=X, y=y)",
            )
        if start == _NPY_START:
            _check_header(file, os.fstat(file.fileno()).st_size, limit)
        else:
            _check_members(limit)
        file.seek(0)
        try:
            arrays = _load_arrays(file)
        except ValueError as error:
            if "allow_pickle" not in str(error):
                raise
            raise DataFileError(
                path,
                "holds pickled Python objects, which may run code when they are read",
                remedy="Save numbers and text as plain arrays, not of dtype object",
            ) from error
    return {"X": _sparse(arrays, limit)} if arrays.keys() >= _SPARSE_PARTS else arrays


def _load_arrays(file: IO[bytes]) -> dict[str, Array]:
    loaded = np.load(file, allow_pickle=False)
    return {"X": loaded} if isinstance(loaded, np.ndarray) else dict(loaded)


def _check_members(limit: Limit) -> None:
    """Complain about members that state another size than they have."""
    with ZipFile(limit.path) as archive:
        for member in archive.infolist():
            if member.filename.endswith(".npy"):
                with archive.open(member) as file:
                    _check_header(file, member.file_size, limit)


def _check_header(file: IO[bytes], size: int, limit: Limit) -> None:
    """Complain about an array whose header states another size than there are bytes."""
    file.seek(0)
    version = np.lib.format.read_magic(file)
    read = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }.get(version)
    if read is None:
        return
    shape, _, dtype = read(file)
    if dtype.hasobject:
        return
    n_bytes = int(np.prod([int(length) for length in shape], dtype=object)) * dtype.itemsize
    if n_bytes != size - file.tell():
        raise ValueError(
            f"its header states {n_bytes} bytes for shape {shape}, and {size - file.tell()} follow"
        )
    if dtype.kind in "biuf":
        limit.check_shape(shape)


def _sparse(arrays: dict[str, Array], limit: Limit) -> Any:
    """Return the matrix that scipy.sparse.save_npz stored in these arrays."""
    stored = arrays["format"].item()
    kind = stored.decode() if isinstance(stored, bytes) else str(stored)
    data, shape = arrays["data"], arrays["shape"]
    if kind == "coo":
        return triplets(data, arrays["row"], arrays["col"], shape=shape, limit=limit)
    return compressed(kind, data, arrays["indices"], arrays["indptr"], shape=shape, limit=limit)
