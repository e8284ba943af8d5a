"""The places of the largest numbers among many."""

from __future__ import annotations

import numpy as np

from .types import Array

# Groups of the numbers, beside how many are sought.
GROUPS = 2


def largest_places(values: Array, count: int) -> Array:
    """Return the places of the `count` largest values, in no order.

    Among the largest of each of some groups the one at `count` is no larger than the one at `count`
    of all: few values reach it, and only those are looked at together.

    Examples
    --------
    >>> sorted(largest_places(np.array([3.0, 1.0, 4.0, 1.0, 5.0]), 2).tolist())
    [2, 4]
    """
    n_groups = GROUPS * count
    if values.size < 2 * n_groups:
        return _split(values, count)
    # Neighbours are alike, and in different groups.
    whole = values[: values.size // n_groups * n_groups].reshape(-1, n_groups)
    heads = np.partition(whole.max(axis=0), n_groups - count)
    places = np.flatnonzero(values >= heads[n_groups - count])
    return places[_split(values[places], count)]


def _split(values: Array, count: int) -> Array:
    return np.argpartition(-values, count - 1)[:count]
