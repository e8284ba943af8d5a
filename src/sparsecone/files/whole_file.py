"""Output files that appear whole or not at all."""

from __future__ import annotations

import os
import platform
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from secrets import token_hex
from zlib import crc32

# An ending that is longer is none.
_LONGEST_ENDING = 20
# How often, and after how long, a file is tried again that others have open.
_TRIES = 100
_SECONDS = 0.02


@contextmanager
def whole_file(path: str | PathLike[str]) -> Iterator[Path]:
    """Yield a path to write to; what is there at the end takes the place of `path` in one step.

    It is in the same folder and has the same ending. If anything goes wrong before, `path` stays as
    it was and nothing is left beside it; what a process that was killed has left, the next one on
    this machine clears away. The target of a symbolic link is replaced, not the link, and
    permissions stay.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with whole_file(Path(folder) / "answer.txt") as draft:
    ...         _ = draft.write_text("42")
    ...     [file.name for file in Path(folder).iterdir()]
    ['answer.txt']
    """
    target = Path(os.path.realpath(path))
    _clear(target.parent)
    ending = target.suffix if len(target.suffix) <= _LONGEST_ENDING else ""
    draft = target.with_name(f"{_start()}{os.getpid()}-{token_hex(4)}.draft{ending}")
    try:
        yield draft
        if target.exists():
            shutil.copymode(target, draft)
        _replace(target, draft)
    finally:
        draft.unlink(missing_ok=True)


def _replace(target: Path, draft: Path) -> None:
    """Put the draft in place; Windows refuses while somebody reads or replaces the file."""
    for _ in range(_TRIES if sys.platform == "win32" else 0):
        with suppress(PermissionError):
            draft.replace(target)
            return
        time.sleep(_SECONDS)
    draft.replace(target)


def _start() -> str:
    """Return how the drafts of this machine begin: folders may be shared with others."""
    return f".sparsecone-{crc32(platform.node().encode()):08x}-"


def _clear(folder: Path) -> None:
    """Remove the drafts of processes that are gone."""
    start = _start()
    for draft in folder.glob(f"{start}*.draft*"):
        number = draft.name.removeprefix(start).partition("-")[0]
        if number.isdigit() and not _is_running(int(number)):
            with suppress(OSError):
                draft.unlink()


def _is_running(process: int) -> bool:
    if os.name != "posix":
        # There a signal would end it instead of asking; such a draft stays.
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        pass
    return True
