"""Whether features are measured on scales that can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

# From such a ratio of ranges on, the features of small range have no say.
_RATIO = 1000.0


def scale_note(X: Any, names: Sequence[str]) -> str | None:
    """Return a warning if the ranges of some features are a thousand times those of others.

    Constant features have no range. Sparse data are counts of one kind, and have one scale.

    Examples
    --------
    >>> scale_note(np.array([[170.0, 20000.0], [180.0, 90000.0]]), ["height", "income"])[:56]
    "Note: 'income' ranges over 7e+04, 'height' over only 10:"
    """
    if not isinstance(X, np.ndarray):
        return None
    ranges = np.ptp(X, axis=0)
    varying = np.flatnonzero(ranges > 0.0)
    if varying.size < 2:
        return None
    low, high = (int(varying[pick(ranges[varying])]) for pick in (np.argmin, np.argmax))
    if ranges[high] <= _RATIO * ranges[low]:
        return None
    return (
        f"Note: '{names[high]}' ranges over {ranges[high]:.3g}, '{names[low]}' over only "
        f"{ranges[low]:.3g}: the first outweighs the second whatever it says. --scale standard "
        "gives all features the same weight."
    )
