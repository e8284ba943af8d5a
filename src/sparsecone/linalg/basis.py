"""An orthonormal basis of the span of a factor, from its small Gram matrix."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .rounding import TINY
from .types import Array

# Directions whose squared length is below this fraction of the largest are dropped.
SHORTEST = 1e-10


class Whitening(NamedTuple):
    """L T is orthonormal for T = `transform`; `lengths` are squared, along its columns.

    The directions that are too short to be trusted are `dropped`, an orthonormal matrix.
    """

    transform: Array
    lengths: Array
    dropped: Array


def whitening(gram: Array, shortest: float = SHORTEST, *, unit: float | None = None) -> Whitening:
    """Return the transform that makes a factor with the Gram matrix L'L orthonormal.

    Directions are dropped whose squared length is below `shortest` times the largest, or times the
    given unit.
    """
    return whitened(np.linalg.eigh(gram), shortest, unit=unit)


def whitened(
    pairs: tuple[Array, Array], shortest: float = SHORTEST, *, unit: float | None = None
) -> Whitening:
    """Return the same from the eigenpairs of L'L."""
    lengths, directions = pairs
    unit = float(lengths.max(initial=0.0)) if unit is None else unit
    used = lengths > shortest * max(unit, TINY)
    transform = directions[:, used] / np.sqrt(lengths[used])
    return Whitening(transform, lengths[used], directions[:, ~used])
