"""What one pass over the cells tells: means and variances, and whether these are counts."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..data import RunningMoments
from ..linalg.types import Array
from .source import Cells, Rows

# Entries of a block that are looked at: a few thousand tell counts from logarithms.
LOOKED_AT = 100_000


@dataclass(frozen=True)
class Summary:
    """Means and variances of the genes over the cells that are used."""

    means: Array
    variances: Array


def summarised(cells: Cells, rows: Rows, counts: str) -> Summary:
    """Return means and variances; warn where counts are given as logarithms, or the reverse."""
    running = RunningMoments(cells.matrix.shape[1], diagonal=True)
    whole = positive = True
    largest = 0.0
    for block in cells.blocks(rows):
        running.add(block)
        some = _some(block)
        whole &= bool((some == np.rint(some)).all())
        positive &= bool((some >= 0).all())
        largest = max(largest, float(some.max(initial=0)))
        if counts == "raw" and _values(block).min(initial=0) < 0:
            raise ValueError(f"{cells.name} has negative values, which are no counts.")
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
    return Summary(running.mean, running.variances / max(running.n_samples - 1, 1))


def _values(block: Any) -> Array:
    return np.asarray(block.data if sp.issparse(block) else block)


def _some(block: Any) -> Array:
    """Return some entries of a block, from all over it."""
    values = _values(block).ravel()
    return values[:: max(1, values.size // LOOKED_AT)]


def _warn(message: str) -> None:
    warnings.warn(message, UserWarning, stacklevel=4)
