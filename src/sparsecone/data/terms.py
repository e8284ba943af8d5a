"""What a pass over the rows of the data brings back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Terms:
    """Results of one block of rows, or of many blocks put together.

    Attributes
    ----------
    sums : tuple of float or ndarray
        What the blocks add up.
    largest : float
        What the blocks take the maximum of.
    rowwise : tuple
        One value a row for each entry. Where the rows live elsewhere these stay there, and are good
        only for passing them back to `collect`.
    """

    sums: tuple[Any, ...] = ()
    largest: float = -np.inf
    rowwise: tuple[Any, ...] = ()

    def __add__(self, other: Terms) -> Terms:
        """Return the terms of both blocks, without what belongs to single rows."""
        pairs = zip(self.sums, other.sums, strict=True)
        return Terms(tuple(a + b for a, b in pairs), max(self.largest, other.largest))


def in_order(parts: Iterable[Terms]) -> Terms:
    """Return the terms of consecutive blocks, put together as they come."""
    total: Terms | None = None
    rowwise = []
    for part in parts:
        total = Terms(part.sums, part.largest) if total is None else total + part
        rowwise.append(part.rowwise)
    assert total is not None
    columns = tuple(np.concatenate(column) for column in zip(*rowwise, strict=True))
    return Terms(total.sums, total.largest, columns)
