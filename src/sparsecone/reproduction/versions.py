"""Versions of the library and of what its numbers depend on: no verdict mixes them."""

from __future__ import annotations

from collections.abc import Sequence

from .cell import Row

#: What must be equal for rows to stand in one verdict.
VERSIONED = ("sparsecone", "numpy", "scipy", "scikit-learn")


def version_of(row: Row) -> tuple[str, ...]:
    """Return the versions of the library and of what its numbers depend on."""
    return tuple(str(row["machine"].get(name, "unknown")) for name in VERSIONED)


def newest_version(rows: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """Return the rows of the newest version among some, and all others.

    Examples
    --------
    >>> old, new = ({"machine": {"sparsecone": version}} for version in ("0.9.0", "0.10.0"))
    >>> newest_version([old, new]) == ([new], [old])
    True
    """
    if not rows:
        return [], []
    newest = max({version_of(row) for row in rows}, key=lambda v: tuple(map(_numbers, v)))
    parts: tuple[list[Row], list[Row]] = ([], [])
    for row in rows:
        parts[version_of(row) != newest].append(row)
    return parts


def _numbers(version: str) -> tuple[int, ...]:
    """Return a version in an order of numbers; what is none comes first."""
    parts = version.split("+")[0].split(".")
    return tuple(int(part) if part.isdigit() else -1 for part in parts)
