"""What one pass over the cells tells: means and variances, and whether these are counts."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..data import RunningMoments
from ..linalg.types import Array
from .source import Cells, Rows

# Entries of a block that are looked at: a few thousand tell counts from logarithms.
LOOKED_AT = 100_000


def summarised(cells: Cells, batches: Iterable[Rows], counts: str) -> list[RunningMoments]:
    """Return the moments of each batch; warn where counts are given as logarithms, or not."""
    found = []
    whole = positive = True
    largest = 0.0
    for rows in batches:
        running = RunningMoments(cells.matrix.shape[1], diagonal=True)
        for block in cells.blocks(rows):
            running.add(block)
            some = _some(block)
            whole &= bool((some == np.rint(some)).all())
            positive &= bool((some >= 0).all())
            largest = max(largest, float(some.max(initial=0)))
        found.append(running)
    if counts == "log" and whole and positive and largest > 1:
        _warn(
            f"{cells.name} holds whole numbers only, as raw counts do, and is taken for logarithms "
            'as it is: give counts="raw", or normalise and take logarithms first.'
        )
    if counts == "raw" and not whole:
        _warn(
            f'{cells.name} holds fractions, and counts="raw" takes it for raw counts: give the '
            'layer that has the counts, or counts="log" for logarithms.'
        )
    return found


def means_and_variances(batches: Iterable[RunningMoments]) -> dict[str, Array]:
    """Return the columns of all cells."""
    first, *others = batches
    total = RunningMoments(first.mean.size, diagonal=True)
    for running in (first, *others):
        total.merge(running)
    return {"means": total.mean, "variances": total.variances / max(total.n_samples - 1, 1)}


def _some(block: Any) -> Array:
    """Return some entries of a block, from all over it."""
    values = np.asarray(block.data if sp.issparse(block) else block).ravel()
    return values[:: max(1, values.size // LOOKED_AT)]


def _warn(message: str) -> None:
    warnings.warn(message, UserWarning, stacklevel=4)
