"""What a step of least angle regression needs: correlations, and the coefficients in the end.

Arrays of one path have an axis of features, those of several one of paths before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from ...linalg.types import Array

Indices = NDArray[np.intp]

EPS = float(np.finfo(np.float64).eps)
# A correlation that might as well be zero, by which one may still divide.
NONE = 1e-150
# The part of its squares that a feature must have beyond the chosen ones to be chosen.
DISTINCT = 1e-10


@dataclass
class Correlations:
    """Those of features with what paths have not explained.

    Attributes
    ----------
    c : ndarray of shape (..., n_features)
        With what is left of the target.
    e : ndarray of shape (..., n_features)
        With what will be left at the end of the way.
    free : ndarray of shape (..., n_features)
        Whether a feature may be chosen.
    left : float or ndarray of shape (..., 1)
        That of the chosen features with what is left, by absolute value.
    """

    c: Array
    e: Array
    free: NDArray[np.bool_]
    left: Any

    @classmethod
    def of(cls, b: Array) -> Self:
        """Return those before the first step, from X'y."""
        left = np.abs(b).max(axis=-1, keepdims=b.ndim > 1)
        return cls(b.copy(), b.copy(), np.ones(b.shape, dtype=bool), left)

    def at(self, places: Indices) -> Self:
        """Return those of some features."""
        c, e, free = (np.take_along_axis(a, places, axis=-1) for a in (self.c, self.e, self.free))
        return type(self)(c, e, free, self.left)

    def speeds(self) -> Array:
        """Return 1 / g - 1 for every feature, which is largest for the one to be chosen."""
        ahead = self.c * self.e
        np.copysign(self.c, ahead, out=ahead)
        np.subtract(self.left, ahead, out=ahead)
        np.maximum(ahead, np.maximum(EPS * self.left, NONE), out=ahead)
        speeds = np.abs(self.e)
        speeds *= self.free
        speeds /= ahead
        return speeds

    def go_to(self, left: Any) -> None:
        """Go on the way until so much is left."""
        self.c -= self.e
        self.c *= left / np.maximum(self.left, NONE)
        self.c += self.e
        self.left = left


@dataclass
class Record:
    """The steps of one path.

    Attributes
    ----------
    chosen : ndarray of shape (n_steps,)
        The features.
    goal : ndarray of shape (n_steps,)
        q'y for the orthonormal vector q that each adds.
    left : ndarray of shape (n_steps,)
        The correlation at which each was chosen.
    triangle : ndarray of shape (n_steps, n_steps)
        A row is q'x of a feature x with all vectors; zero on the diagonal where x was not chosen,
        because nothing was left that others do not explain.
    """

    chosen: Indices
    goal: Array
    left: Array
    triangle: Array

    @classmethod
    def of(cls, n_steps: int) -> Self:
        """Return that of a path which has no steps yet."""
        goal, left = np.zeros((2, n_steps))
        return cls(np.zeros(n_steps, dtype=np.intp), goal, left, np.zeros((n_steps, n_steps)))

    def end(self, left: float, n_features: int) -> tuple[Array, int]:
        """Return all coefficients where so much is left, and how many features have one."""
        used, end = self.triangle.diagonal() > 0.0, np.zeros(n_features)
        fit = self.goal * (1.0 - left / np.maximum(self.left, NONE))
        self.triangle[~used, ~used] = 1.0
        solved = scipy.linalg.solve_triangular(self.triangle, fit, trans="T", lower=True)
        end[self.chosen[used]] = solved[used]
        return end, int(np.count_nonzero(used))
