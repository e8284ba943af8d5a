"""What a solver yields and what a solve returns."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .problem import Point

Array = NDArray[Any]


class Status(StrEnum):
    """How a solve ended. Only a certificate says converged."""

    CONVERGED = "converged"
    STALLED = "stalled"
    MAX_ITER = "max_iter"
    MAX_TIME = "max_time"


@dataclass(frozen=True)
class Iterate:
    """One step of a solver: a point where it has one to show, a bound where it has a new one."""

    point: Point | None = None
    bound: float = -np.inf


@dataclass(frozen=True)
class Record:
    """One row of the history: the best value and bound known after an iteration.

    Attributes
    ----------
    solver : str
        The solver at work.
    n_iter : int
        Iterations so far.
    elapsed : float
        Seconds so far.
    value : float
        The objective at this iteration.
    bound : float
        The best lower bound so far; 0 before the first.
    """

    solver: str
    n_iter: int
    elapsed: float
    value: float
    bound: float

    @property
    def gap(self) -> float:
        """Relative duality gap of this iteration."""
        return relative_gap(self.value, self.bound)

    def __str__(self) -> str:
        return (
            f"{self.solver:9s} {self.n_iter:5d}  value {self.value:.8g}  bound {self.bound:.8g}  "
            f"gap {self.gap:.1e}  {self.elapsed:.2f} s"
        )


@dataclass(frozen=True)
class Progress:
    """What a callback is given: the latest record and the best factor so far.

    Attributes
    ----------
    record : Record
        The latest row of the history.
    factor : ndarray of shape (n_features, rank)
        The best L so far, W = L L'.
    scores : ndarray of shape (n_features,)
        The feature scores it gives.
    """

    record: Record
    factor: Array
    scores: Array


@dataclass(frozen=True)
class Solution:
    """The result of a solve.

    Attributes
    ----------
    factor : ndarray of shape (n_features, rank)
        L with W = L L'.
    offset : ndarray of shape (n_features,) or None
        The learned offset of the centred samples, for AW-SPCA-PSD.
    scores : ndarray of shape (n_features,)
        Column norms of W.
    value : float
        The objective at W.
    bound : float
        A lower bound on the optimum, from the dual.
    status : Status
        `converged` exactly if `gap <= tol`.
    solver : str
        The solvers that ran, in order.
    n_iter : int
        Iterations of all solvers that ran.
    elapsed : float
        Seconds.
    history : tuple of Record
        One row an iteration.
    """

    factor: Array
    offset: Array | None
    scores: Array
    value: float
    bound: float
    status: Status
    solver: str
    n_iter: int
    elapsed: float
    history: tuple[Record, ...]

    @property
    def gap(self) -> float:
        """Relative duality gap: no W is better than this one by a larger fraction."""
        return relative_gap(self.value, self.bound)

    @property
    def rank(self) -> int:
        """Number of columns of the factor."""
        return int(self.factor.shape[1])


def relative_gap(value: float, bound: float) -> float:
    """Return (value - bound) / value, and 0 where both are 0."""
    if value <= bound:
        return 0.0
    return (value - bound) / value if value > 0.0 else np.inf
