"""From the options about memory and time to the limits of a reader."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any


def limits_of(file: Path, max_memory: str | None, max_seconds: float | None) -> dict[str, Any]:
    """Return parameters of `load_file`; native readers always have a process of their own."""
    from ..files.isolation import NATIVE
    from ..files.wanted import kind_of

    return {
        "isolated": kind_of(file) in NATIVE,
        "max_memory": bytes_of(max_memory),
        "max_seconds": max_seconds,
    }


def bytes_of(given: str | None) -> int | None:
    """Return a size from its text.

    Examples
    --------
    >>> [bytes_of(text) for text in ("16GB", "1.5 MB", "512")]
    [16000000000, 1500000, 512]
    """
    if given is None:
        return None
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(|[kMGT])B?", given.strip())
    if found is None:
        raise ValueError(f"--max-memory must be a size such as 16GB, got {given!r}.")
    number, unit = found.groups()
    return int(float(number) * 1000 ** " kMGT".index(unit or " "))
