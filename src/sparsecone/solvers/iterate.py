"""What a solver yields."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..certificate.mixture import Proof
from ..model.problem import Point


@dataclass(frozen=True)
class Iterate:
    """One step of a solver: a point where it has one to show, a bound where it has a new one.

    Attributes
    ----------
    point : Point or None
        A feasible point.
    bound : float
        A lower bound on the optimum, its rounding subtracted.
    proof : Proof or None
        What proves the bound, where it is of use to others.
    proven : bool
        Whether the bound is proven, and not only all but certain.
    later : callable or None
        Returns what the step has to show at a cost of its own, where it turns out to be the last.
    growth : float
        How many times longer than this step the next one is going to take.
    """

    point: Point | None = None
    bound: float = -np.inf
    proof: Proof | None = None
    proven: bool = True
    later: Callable[[], Iterate] | None = None
    growth: float = 1.0
