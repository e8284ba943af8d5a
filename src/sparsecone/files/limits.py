"""How much memory a file may ask for: a stated limit, checked before anything is allocated."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from .dataset import DataFileError

# What a file may unpack to without being asked: so many bytes, or so many times its own size.
USUAL = 2**30
GROWTH = 20
# No stream of deflate, which is inside .gz, unpacks to more times its size.
_LARGEST_RATIO = 1032
_NUMBER = 8
_CHUNK = 2**20


@dataclass(frozen=True)
class Limit:
    """The bytes that the contents of a file may take in memory."""

    path: Path
    most: int

    def check(self, n_bytes: int, what: str) -> None:
        """Complain, before they are allocated, about more bytes than there may be."""
        if n_bytes > self.most:
            raise DataFileError(
                self.path,
                f"would take {shown_size(n_bytes)} in memory ({what}), and {shown_size(self.most)} "
                "is the limit for a file of its size",
                remedy="If you trust it, raise the limit: max_memory= in bytes (--max-memory 16GB)",
            )

    def check_shape(self, shape: tuple[int, ...]) -> None:
        """Complain about a dense array that would be too large as numbers of double precision."""
        self.check(prod(map(int, shape)) * _NUMBER, f"an array of shape {tuple(shape)}")

    def check_sparse(self, matrix: Any) -> None:
        """Complain about a sparse matrix that is too large to be compressed by rows."""
        n_bytes = 2 * _NUMBER * matrix.nnz + _NUMBER * sum(matrix.shape)
        self.check(n_bytes, f"a sparse matrix of shape {matrix.shape}")

    def check_gzip(self) -> None:
        """Complain about a packed file that unpacks to too much, without keeping what it has."""
        if self.path.stat().st_size * _LARGEST_RATIO <= self.most:
            return
        unpacked = 0
        with gzip.open(self.path) as file:
            while chunk := file.read(_CHUNK):
                unpacked += len(chunk)
                self.check(unpacked, "what was unpacked so far")

    def check_zip(self) -> None:
        """Complain about an archive whose members state too many bytes."""
        with ZipFile(self.path) as archive:
            self.check(sum(member.file_size for member in archive.infolist()), "unpacked")


def limit_of(path: Path, max_memory: int | None = None) -> Limit:
    """Return the limit that was asked for, or the usual one of a file of this size."""
    return Limit(
        path, max(USUAL, GROWTH * path.stat().st_size) if max_memory is None else max_memory
    )


def shown_size(n_bytes: int) -> str:
    """Return a number of bytes in words.

    Examples
    --------
    >>> shown_size(999), shown_size(6_400_000_000)
    ('999 B', '6.4 GB')
    """
    size = float(n_bytes)
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000.0:
            return f"{size:.3g} {unit}"
        size /= 1000.0
    return f"{size:.3g} TB"
