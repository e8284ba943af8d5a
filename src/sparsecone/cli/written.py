"""What a command has written so far: what an error may say of it."""

from __future__ import annotations

from contextvars import ContextVar
from pathlib import Path

_written: ContextVar[list[Path] | None] = ContextVar("written", default=None)


def start() -> None:
    """Forget what an earlier command wrote."""
    _written.set([])


def note(path: Path) -> None:
    """Remember a file, or a folder that keeps what was done."""
    _written.set([*(_written.get() or ()), path])


def told() -> str:
    """Return what was written, as the rest of a sentence."""
    paths = _written.get()
    return f"written so far: {', '.join(map(str, paths))}" if paths else "nothing was written"
