"""Fewer eigenvectors at first, where they are costly, and more once a bound is not enough.

The bound of `Spectral` is the better the more eigenvectors it takes in: what leaves their span
counts by its square, divided by how far all others are below eta. Where many eigenvalues crowd
below eta that distance grows slowly, and near the optimum little leaves the span.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..data import Remembers, smaller_side
from ..data.spectrum import SMALL
from ..model.problem import Point
from .dual_point import Excess
from .spectral import LEVEL, Spectral, Strategy, largest_number, spectral

# How far down eigenvectors are taken in at first, as a part of eta, and the part of all that would
# be taken in up to which these are fewer.
FIRST_LEVEL = 0.85
FEWER = 2.0 / 3.0


class Widening:
    """`Spectral` with fewer eigenvectors, until it is told that these are not enough.

    Parameters
    ----------
    point : Point
        Where the eigenvectors are found.
    narrow : Spectral
        The strategy with fewer of them.
    tol : float
        The relative gap that is wanted.
    """

    is_cheap = True

    def __init__(self, point: Point, narrow: Spectral, tol: float) -> None:
        self.point, self.known, self.tol = point, narrow, tol
        self.is_wide = False

    @property
    def n_vectors(self) -> int:
        """The number of eigenvectors that are known."""
        return self.known.n_vectors

    def excess(self, point: Point, margins: Sequence[float] = ()) -> Excess:
        """Return what exceeds eta."""
        return self.known.excess(point, margins)

    def widen(self) -> bool:
        """Take in more eigenvectors; return whether there were any."""
        before, self.is_wide = self.is_wide, True
        if before:
            return False
        wide = spectral(self.point, self.known.exact, self.tol)
        if wide is None:
            return False
        self.known = wide
        return True


def widening(point: Point, exact: Strategy, tol: float) -> Widening | None:
    """Return the strategy for the squared loss where fewer eigenvectors are much fewer."""
    samples, eta = point.problem.samples, point.problem.eta
    if smaller_side(samples) <= SMALL or not isinstance(samples, Remembers):
        return None
    curvatures = 2.0 * samples.eigenvalues().values
    few, all_of_them = (
        min(int(np.count_nonzero(curvatures > level * eta)), largest_number(samples))
        for level in (FIRST_LEVEL, LEVEL)
    )
    if few > FEWER * all_of_them:
        return None
    narrow = spectral(point, exact, tol, FIRST_LEVEL)
    return None if narrow is None else Widening(point, narrow, tol)
