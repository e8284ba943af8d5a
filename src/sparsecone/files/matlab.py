"""Reading the variables of MATLAB files, old and new."""

from __future__ import annotations

from inspect import signature
from pathlib import Path
from typing import Any

from scipy import sparse
from scipy.io import loadmat, whosmat

from .hdf5 import array_of, hdf5_file, is_array, member
from .limits import Limit
from .sparse_parts import checked, compressed
from .wanted import Wanted

_HDF5_START = b"\x89HDF\r\n\x1a\n"
# MATLAB puts a text header of this length in front of the HDF5 data.
_MATLAB_HEADER_LENGTH = 512

# Newer versions of SciPy ask which kind of sparse matrix to return.
_AS_ARRAYS = {"spmatrix": False} if "spmatrix" in signature(loadmat).parameters else {}


def read_matlab(wanted: Wanted) -> dict[str, Any]:
    """Return the variables of a .mat file by name, shaped as in MATLAB."""
    path, limit = wanted.path, wanted.limit
    if _is_hdf5(path):
        return _read_hdf5(path, limit)
    for _, shape, kind in whosmat(path):
        if kind != "sparse":
            limit.check_shape(shape)
    variables = {
        name: value
        for name, value in loadmat(path, **_AS_ARRAYS).items()
        if not name.startswith("__")
    }
    return {
        name: checked(value, limit) if sparse.issparse(value) else value
        for name, value in variables.items()
    }


def _is_hdf5(path: Path) -> bool:
    """Whether this is a file of MATLAB 7.3 or later, which is HDF5 inside."""
    with path.open("rb") as file:
        start = file.read(_MATLAB_HEADER_LENGTH + len(_HDF5_START))
    return start.startswith(_HDF5_START) or start.endswith(_HDF5_START)


def _read_hdf5(path: Path, limit: Limit) -> dict[str, Any]:
    with hdf5_file(path, kind="a MATLAB 7.3 file") as file:
        items = {name: member(file, name, path=path) for name in file}
        # MATLAB stores columns first, HDF5 rows first: every variable comes out transposed.
        arrays = {name: array_of(item, limit).T for name, item in items.items() if is_array(item)}
        return arrays | {
            name: _sparse(item, limit)
            for name, item in items.items()
            if not is_array(item) and "MATLAB_sparse" in item.attrs
        }


def _sparse(item: Any, limit: Limit) -> Any:
    """Return a sparse matrix, of which MATLAB stores columns, and the number of rows aside."""
    starts = array_of(member(item, "jc", path=limit.path), limit)
    shape = (int(item.attrs["MATLAB_sparse"]), len(starts) - 1)
    if "data" not in item:
        return checked(sparse.csc_matrix(shape), limit)
    data, rows = (array_of(member(item, name, path=limit.path), limit) for name in ("data", "ir"))
    return compressed("csc", data, rows, starts, shape=shape, limit=limit)
