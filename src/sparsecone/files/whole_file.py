"""Output files that appear whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path


@contextmanager
def whole_file(path: str | PathLike[str]) -> Iterator[Path]:
    """Yield a path to write to; what is there at the end takes the place of `path` in one step.

    If anything goes wrong before, `path` stays as it was and nothing is left beside it.

    Parameters
    ----------
    path : str or path-like
        The file to make or to replace.

    Yields
    ------
    Path
        A file in the same folder, with the same ending.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with whole_file(Path(folder) / "answer.txt") as draft:
    ...         _ = draft.write_text("42")
    ...     [file.name for file in Path(folder).iterdir()]
    ['answer.txt']
    """
    target = Path(path)
    draft = target.with_name(f".{os.getpid()}.draft.{target.name}")
    try:
        yield draft
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
