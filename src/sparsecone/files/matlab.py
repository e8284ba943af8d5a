"""Reading the variables of MATLAB files, old and new."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scipy import sparse
from scipy.io import loadmat

from .hdf5 import hdf5_file, is_array

_HDF5_START = b"\x89HDF\r\n\x1a\n"
# MATLAB puts a text header of this length in front of the HDF5 data.
_MATLAB_HEADER_LENGTH = 512


def read_matlab(path: Path) -> dict[str, Any]:
    """Return the variables of a .mat file by name, shaped as in MATLAB."""
    if _is_hdf5(path):
        return _read_hdf5(path)
    return {name: value for name, value in loadmat(path).items() if not name.startswith("__")}


def _is_hdf5(path: Path) -> bool:
    """Whether this is a file of MATLAB 7.3 or later, which is HDF5 inside."""
    with path.open("rb") as file:
        start = file.read(_MATLAB_HEADER_LENGTH + len(_HDF5_START))
    return start.startswith(_HDF5_START) or start.endswith(_HDF5_START)


def _read_hdf5(path: Path) -> dict[str, Any]:
    with hdf5_file(path, kind="a MATLAB 7.3 file") as file:
        # MATLAB stores columns first, HDF5 rows first: every variable comes out transposed.
        arrays = {name: item[()].T for name, item in file.items() if is_array(item)}
        return arrays | {name: _sparse(item) for name, item in file.items() if _is_sparse(item)}


def _is_sparse(item: Any) -> bool:
    return not is_array(item) and "MATLAB_sparse" in item.attrs


def _sparse(item: Any) -> sparse.csc_matrix:
    """Return a sparse matrix, of which MATLAB stores columns, and the number of rows aside."""
    starts = item["jc"][()]
    shape = (int(item.attrs["MATLAB_sparse"]), len(starts) - 1)
    if "data" not in item:
        return sparse.csc_matrix(shape)
    return sparse.csc_matrix((item["data"][()], item["ir"][()], starts), shape=shape)
