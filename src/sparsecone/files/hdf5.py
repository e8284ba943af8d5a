"""HDF5 files, the container of .h5ad and of MATLAB 7.3: all that needs h5py."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..linalg.types import Array
from ..optional import require
from .dataset import DataFileError, shown
from .limits import Limit


@contextmanager
def hdf5_file(path: Path, *, kind: str) -> Iterator[Any]:
    """Open a file for reading; `kind` says what it is if the package is not there."""
    h5py = require("h5py", purpose=f"Reading {kind}", extra="datasets")
    with h5py.File(path, "r") as file:
        yield file


def member(group: Any, name: str, *, path: Path) -> Any:
    """Return an item of a group, or raise where it is in another file.

    A link can name any file that the reader may open, which whoever made this one need not.
    """
    link = group.get(name, getlink=True)
    item = None if type(link).__name__ == "ExternalLink" else group[name]
    if item is None or (is_array(item) and (item.external or item.is_virtual)):
        raise DataFileError(
            path,
            f"keeps {shown(name)} in another file",
            remedy="Save a copy with everything inside",
        )
    return item


def is_array(item: Any) -> bool:
    """Whether an item of a file is an array, not a group of items."""
    return hasattr(item, "dtype")


def array_of(item: Any, limit: Limit) -> Array:
    """Return the contents of an array, whose size is checked before they are read."""
    limit.check_shape(item.shape)
    contents: Array = item[()]
    return contents
