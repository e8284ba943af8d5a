"""How far M exceeds eta where the leading eigenvectors of X' diag(omega) X are known.

Down to an eigenvalue well below eta the basis of the factor takes them in: nothing outside exceeds
eta, and a bound needs no decomposition. Weights that have changed since do not spoil it: with
c = max omega_i / omega0_i

    X' diag(omega) X  <=  c X' diag(omega0) X,

so what is outside of the span of the eigenvectors of the right-hand side is at most c times what it
was, and all that is to be computed anew is one product with those eigenvectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from ..data import Data, Remembers, Rows, Spectrum, Terms, most_vectors
from ..linalg.types import Array
from ..model.problem import Point
from .dual_point import Excess
from .span import SpanPart

# How far down eigenvectors are taken in, as a part of eta, how many, and how far below eta all
# others must be.
LEVEL = 0.75
MOST_VECTORS = 200
LEAST_ROOM = 0.1
# The same level where weights may grow.
WEIGHTED_LEVEL = 0.6
# The share of the tolerance that the error of an eigenvector is aimed at, and may be at most.
ERROR_SHARE = 0.1
LARGEST_SHARE = 1.0
# The same aim where all that is above eta costs its share of the whole objective.
WEIGHTED_ERROR_SHARE = 0.01


class Strategy(Protocol):
    """Finds how far M exceeds eta."""

    is_cheap: bool

    @property
    def n_vectors(self) -> int:
        """The number of eigenvectors that are known."""
        ...

    def excess(self, point: Point, margins: Sequence[float] = ()) -> Excess:
        """Return what exceeds eta.

        Parameters
        ----------
        point : Point
            Where the multipliers are taken.
        margins : sequence of float
            Where the eigenvalues of M exceed eta by no more than one of these they need not be
            known.
        """
        ...


@dataclass(frozen=True)
class Spectral:
    """The leading eigenpairs of X' diag(omega0) X are known, and what the others do not exceed.

    Attributes
    ----------
    spectrum : Spectrum
        The eigenpairs.
    weights : ndarray or None
        omega0, or what `Data.collect` keeps of it; None for the squared loss.
    exact : Strategy
        What to do where a factor makes the room too small.
    exactness : float
        The error of the eigenvectors that is aimed at, as a part of eta.
    """

    spectrum: Spectrum
    weights: Any
    exact: Strategy
    exactness: float
    is_cheap = True

    @property
    def n_vectors(self) -> int:
        """The number of eigenvectors that are known."""
        return self.spectrum.values.size

    def room(self, point: Point, left_out: float = 0.0) -> float:
        """Return how far below eta M is outside of the span of the eigenvectors.

        What is left out of that span counts as the eigenvalues below it do.
        """
        grown = largest_ratio(point.problem.samples, point.data.weights, self.weights)
        below = self.spectrum.floor + 2.0 * self.spectrum.error + left_out
        return point.problem.eta - grown * below

    def excess(self, point: Point, margins: Sequence[float] = ()) -> Excess:
        """Return what exceeds eta in the span of the factor and the eigenvectors."""
        image = None
        if point.data.weights is not self.weights:
            image = point.curvature_product(self.spectrum.vectors)
        part = SpanPart.of(point, self.spectrum, image, exactness=self.exactness)
        room = self.room(point, part.outside)
        if room <= 0.0:
            return self.exact.excess(point, margins)
        return replace(part.excess(room), proven=not point.problem.samples.is_measured)


class Tracked:
    """`Spectral` for a loss that weighs the samples: decomposed again where the weights have grown.

    Parameters
    ----------
    exact : Strategy
        What to do where too many eigenvectors would be needed.
    tol : float
        The relative gap that is wanted.
    """

    is_cheap = True

    def __init__(self, exact: Strategy, tol: float) -> None:
        self.exact, self.tol = exact, tol
        self.known: Spectral | None = None

    @property
    def n_vectors(self) -> int:
        """The number of eigenvectors that are known."""
        return 0 if self.known is None else self.known.n_vectors

    def excess(self, point: Point, margins: Sequence[float] = ()) -> Excess:
        """Return what exceeds eta."""
        least = LEAST_ROOM * point.problem.eta
        if self.known is None or self.known.room(point) < least:
            self.known = spectral(point, self.exact, self.tol)
        return (self.known or self.exact).excess(point, margins)


def spectral(
    point: Point, exact: Strategy, tol: float, level: float | None = None
) -> Spectral | None:
    """Return the strategy where few eigenpairs are enough, and exact enough, at a point.

    They are those down to a part of eta, as far as that is usual where no level is given.
    """
    samples, eta = point.problem.samples, point.problem.eta
    if level is None:
        level = LEVEL if point.data.weights is None else WEIGHTED_LEVEL
    spectrum = point.curvature_spectrum(level * eta, most=largest_number(samples))
    share = ERROR_SHARE if point.data.weights is None else WEIGHTED_ERROR_SHARE
    found = Spectral(spectrum, point.data.weights, exact, share * tol)
    known = spectrum.error + 2.0 * point.data.matrix_rounding <= LARGEST_SHARE * tol * eta
    if known and found.room(point) >= LEAST_ROOM * eta:
        return found
    # Pairs from single precision may be what is not exact enough.
    if isinstance(samples, Remembers) and _may_gain(samples, spectrum, eta) and samples.sharpen():
        return spectral(point, exact, tol, level)
    return None


def _may_gain(samples: Remembers, spectrum: Spectrum, eta: float) -> bool:
    """Return whether there would be enough room if pairs and eigenvalues were exact."""
    others = samples.eigenvalues().values[spectrum.values.size :]
    return 2.0 * float(others.max(initial=0.0)) <= (1.0 - LEAST_ROOM) * eta


def largest_number(samples: Data) -> int:
    """Return how many eigenvectors are taken in at most."""
    return min(MOST_VECTORS, most_vectors(samples))


def largest_ratio(samples: Data, weights: Any, before: Any) -> float:
    """Return the largest factor by which a weight has grown, at least one."""
    if weights is before:
        return 1.0
    if isinstance(weights, np.ndarray):
        return max(1.0, float((weights / before).max()))
    return max(1.0, samples.collect(_ratios, weights, before).largest)


def _ratios(rows: Rows, weights: Array, before: Array) -> Terms:
    del rows
    return Terms(largest=float((weights / before).max(initial=0.0)))
