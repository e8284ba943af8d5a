"""Rows in an append-only file of JSON lines that survives being killed at any moment."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from .cell import Row
from .row_text import RowWriter, rows_of

# Windows locks bytes, which nobody else can read then: one that no file reaches.
_BEYOND = 2**40


class RowFile:
    """The result file of a run, open for appending; it and its folder are made where need be.

    A row is written with one call and is on the disk when `append` returns. A kill in between
    leaves at most a torn last line, which is cut off when the file is opened again. A second run
    that would write to the same file is refused.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> Self:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file: IO[bytes] = self.path.open("ab")
        _lock(self._file, self.path)
        whole = whole_length(self.path.read_bytes())
        if whole < self.path.stat().st_size:
            self._file.truncate(whole)
        self.rows = {row["key"]: row for row in read_rows(self.path)}
        self._writer = RowWriter(self.rows.values())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def append(self, row: Row) -> None:
        """Write a row, unless its key is there already; one that failed gives way to it."""
        if row["key"] in self.rows and self.rows[row["key"]].get("status") != "failed":
            return
        self._file.write(self._writer.text(row))
        self._file.flush()
        os.fsync(self._file.fileno())
        self.rows[row["key"]] = row


def read_rows(path: Path) -> list[Row]:
    """Return the rows of a file, if there is any, of each key the last; a torn line is none."""
    if not path.is_file():
        return []
    content = path.read_bytes()
    lines = content[: whole_length(content)].splitlines()
    return list({row["key"]: row for row in rows_of(lines)}.values())


def whole_length(content: bytes) -> int:
    r"""Return the length of the content up to a torn last line.

    Examples
    --------
    >>> whole_length(b'{"key": 1}\n{"key": ')
    11
    """
    length = content.rfind(b"\n") + 1
    last = content[:length].rstrip(b"\n").rpartition(b"\n")[2]
    try:
        json.loads(last or b"{}")
    except ValueError:
        # A file system may lose the middle of the last write but keep its end.
        return length - len(last) - 1
    return length


def _lock(file: IO[bytes], path: Path) -> None:
    """Refuse to share the file; the lock ends with the process, however that ends."""
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(_BEYOND)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError) as error:
        file.close()
        raise RuntimeError(f"Another run is writing to '{path}': wait for it to end.") from error
