"""HDF5 files, the container of .h5ad and of MATLAB 7.3: all that needs h5py."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..optional import require


@contextmanager
def hdf5_file(path: Path, *, kind: str) -> Iterator[Any]:
    """Open a file for reading; `kind` says what it is if the package is not there."""
    h5py = require("h5py", purpose=f"Reading {kind}", extra="datasets")
    with h5py.File(path, "r") as file:
        yield file


def is_array(item: Any) -> bool:
    """Whether an item of a file is an array, not a group of items."""
    return hasattr(item, "dtype")
