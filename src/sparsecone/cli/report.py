"""The page about a result, and what it needs to know about images."""

from __future__ import annotations

import re
from typing import Any


def report_writer() -> Any:
    """Return the function that writes the page; its packages are needed from here on."""
    from ..report import write_report

    return write_report


def image_shape(text: str | None, *, n_features: int) -> tuple[int, int] | None:
    """Return rows and columns from a text such as 32x32, or say why they do not fit.

    Examples
    --------
    >>> image_shape("8x4", n_features=32)
    (8, 4)
    """
    if text is None:
        return None
    found = re.fullmatch(r"(\d+)x(\d+)", text.strip().lower())
    if found is None:
        raise ValueError(f"--image takes rows x columns, such as 32x32, got '{text}'.")
    rows, columns = int(found[1]), int(found[2])
    if rows * columns != n_features:
        raise ValueError(
            f"--image {text} has {rows * columns} pixels, but the file has {n_features} features."
        )
    return rows, columns
