"""Where blocks of rows come from: arrays in slices, files, sequences and functions."""

from __future__ import annotations

import glob
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ..optional import require
from .parquet import ParquetFiles, is_arrow_dataset, parquet_files

# Bytes of a block, where the source leaves its size to us.
BYTES = 2**25

Labelled = Iterator[tuple[str, Any]]


class Source(Protocol):
    """Blocks of rows, each with the words that say where it is from."""

    def read(self) -> Labelled:
        """Start a new pass over all blocks, in the same order each time."""
        ...


def rows_of(width: int) -> int:
    """Return how many rows make a block."""
    return max(1, BYTES // (8 * max(width, 1)))


@dataclass(frozen=True)
class Slices:
    """Row slices of anything that has a shape and can be sliced, opened for every block.

    A memory map that is opened anew does not keep the pages of the blocks before.
    """

    open: Callable[[], Any]
    name: str
    block_rows: int | None

    def read(self) -> Labelled:
        """Start a new pass over all blocks."""
        n, width = self.open().shape
        step = self.block_rows or rows_of(width)
        for start in range(0, n, step):
            stop = min(start + step, n)
            array = self.open()
            rows = getattr(array, "iloc", array)[start:stop]
            yield f"rows {start} to {stop - 1} of {self.name}", rows


@dataclass(frozen=True)
class Yielded:
    """Blocks that a function yields, anew for every pass."""

    make: Callable[[], Any]

    def read(self) -> Labelled:
        """Start a new pass over all blocks."""
        for index, block in enumerate(self.make()):
            yield f"block {index}", block


class Once:
    """Blocks of an iterator, which has one pass in it."""

    def __init__(self, iterator: Iterator[Any]) -> None:
        self.iterator: Iterator[Any] | None = iterator

    def read(self) -> Labelled:
        """Start the only pass."""
        if self.iterator is None:
            raise ValueError(
                "The iterator of blocks is used up and several passes are needed: give a function "
                "that returns a new iterator each time."
            )
        iterator, self.iterator = self.iterator, None
        for index, block in enumerate(iterator):
            yield f"block {index}", block


def open_source(
    source: Any, *, block_rows: int | None, columns: Sequence[str] | None
) -> Source | ParquetFiles:
    """Return the source of whatever `from_blocks` takes."""
    if isinstance(source, str | Path):
        return _open_path(str(source), block_rows, columns)
    if is_arrow_dataset(source):
        return parquet_files(source.files, block_rows, columns)
    if isinstance(source, Sequence) and source and all(isinstance(p, str | Path) for p in source):
        return parquet_files([str(path) for path in source], block_rows, columns)
    if columns is not None:
        raise ValueError("columns can be chosen for Parquet files only.")
    if hasattr(source, "shape") and len(source.shape) == 2:
        sliceable = source.tocsr() if hasattr(source, "tocsr") else source
        return Slices(lambda: sliceable, type(source).__name__, block_rows)
    if callable(source):
        return Yielded(source)
    if isinstance(source, Iterator):
        return Once(source)
    if isinstance(source, Sequence):
        return Yielded(lambda: source)
    raise TypeError(
        f"from_blocks cannot read {type(source).__name__}: give a path, an array that can be "
        "sliced, a sequence of blocks or a function that returns an iterator of them."
    )


def _open_path(path: str, block_rows: int | None, columns: Sequence[str] | None) -> Any:
    suffix = Path(path).suffix
    if suffix not in (".npy", ".zarr"):
        return parquet_files(_parquet_paths(path), block_rows, columns)
    if columns is not None:
        raise ValueError("columns can be chosen for Parquet files only.")
    if not Path(path).exists():
        raise FileNotFoundError(f"There is no file {path}.")
    if suffix == ".npy" and not Path(path).is_file():
        raise ValueError(f"{path} is no regular file but a folder, a device or a pipe.")
    if suffix == ".npy":
        return Slices(lambda: np.load(path, mmap_mode="r"), path, block_rows)
    zarr = require("zarr", purpose="Reading a .zarr store", extra="streaming")
    return Slices(lambda: zarr.open_array(path, mode="r"), path, block_rows)


def _parquet_paths(path: str) -> list[str]:
    """Return the files of a folder, of a pattern with wildcards, or the one file, sorted."""
    if Path(path).is_file():
        return [path]
    if Path(path).is_dir():
        found = [str(file) for file in Path(path).rglob("*.parquet")]
    else:
        found = glob.glob(path, recursive=True)  # noqa: PTH207  (the pattern may be absolute)
    if not found:
        raise FileNotFoundError(f"No Parquet file matches {path}.")
    return sorted(found)
