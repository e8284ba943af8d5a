"""Least angle regression.

With P_A y the projection of a target y on its chosen features A, the fit f moves towards P_A y by
the fraction g of the way at which another feature is as correlated with the residual as those of A:
the smallest g in (0, 1] with |c_j - g (c_j - e_j)| = (1 - g) C, where c = X'(y - f),
e = X'(y - P_A y) and C = |c_j| on A; 1 / g - 1 is the largest of |e_j| / (C - sign(e_j) c_j). That
feature is chosen next. With orthonormal q_1, .., q_k that span A all of this needs X'q_k alone, one
product a step: X'P_A y is the sum of (q_i'y) X'q_i.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from ...linalg.types import Array
from .path_sides import FeatureSide, SampleSide, Side

EPS = float(np.finfo(np.float64).eps)
# A correlation that might as well be zero, by which one may still divide.
NONE = 1e-150
# Chosen features are left out of the products once they are this part of all.
LEFT_OUT = 0.125


def least_angle_ends(X: Array, targets: Array, n_steps: int) -> tuple[Array, int]:
    """Return the ends of least angle regressions, and the number of steps of the longest.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The features; centred.
    targets : ndarray of shape (n_samples, n_targets)
        What each path predicts; centred.
    n_steps : int
        Steps of each path. A feature that the chosen ones explain is passed over in its step.

    Returns
    -------
    coefficients : ndarray of shape (n_features, n_targets)
        The coefficients at the end of each path.
    n_iter : int
        The largest number of features of a path.
    """
    n_samples, n_features = X.shape
    side: Side = SampleSide(X, n_steps)
    if n_features <= n_samples:
        side = FeatureSide(X.T @ X, n_steps)
    ends = [_end(side, products, n_steps) for products in targets.T @ X]
    return np.column_stack([end for end, _ in ends]), max(n_chosen for _, n_chosen in ends)


@dataclass
class Correlations:
    """Those of the features that are left with what a path has not explained.

    Attributes
    ----------
    c : ndarray of shape (n_left,)
        With what is left of the target.
    e : ndarray of shape (n_left,)
        With what will be left at the end of the way.
    free : ndarray of shape (n_left,)
        One, and zero for the chosen features.
    features : ndarray of shape (n_left,)
        Which features they are.
    """

    c: Array
    e: Array
    free: Array
    features: NDArray[np.intp]

    @classmethod
    def of(cls, b: Array) -> Self:
        """Return those before the first step, from X'y."""
        return cls(b.copy(), b.copy(), np.ones_like(b), np.arange(b.size))

    def keep(self, kept: NDArray[np.intp]) -> None:
        """Leave out all features but some."""
        self.c, self.e, self.free = self.c[kept], self.e[kept], self.free[kept]
        self.features = self.features[kept]

    def move(self, left: float) -> tuple[float, int]:
        """Go until another feature is as correlated as the chosen ones, by `left`.

        Returns
        -------
        remains : float
            The fraction of the way that remains.
        latest : int
            The place of that feature.
        """
        ahead = np.sign(self.e)
        ahead *= self.c
        np.subtract(left, ahead, out=ahead)
        np.maximum(ahead, max(EPS * left, NONE), out=ahead)
        speeds = np.abs(self.e)
        speeds *= self.free
        speeds /= ahead
        latest = int(speeds.argmax())
        speed = float(speeds[latest])
        remains = speed / (1.0 + speed)
        self.c -= self.e
        self.c *= remains
        self.c += self.e
        return remains, latest


def _end(side: Side, b: Array, n_steps: int) -> tuple[Array, int]:
    """Return the coefficients after so many steps, from b = X'y, and how many features have one."""
    side.start()
    now, n_left_out = Correlations.of(b), 0
    goal, remains = np.zeros((2, n_steps))
    triangle = np.zeros((n_steps, n_steps))
    chosen = np.empty(n_steps, dtype=np.intp)
    latest = int(np.abs(b).argmax())
    left = abs(float(b[latest]))
    for step in range(n_steps):
        parts, new, length = side.add(latest, step)
        triangle[step, :step], triangle[step, step] = parts, length
        chosen[step], now.free[latest] = now.features[latest], 0.0
        if length:
            # What is left of x'y is q'y times q'x.
            goal[step] = now.e[latest] / length
            now.e -= goal[step] * new
        remains[step], latest = now.move(left)
        left *= remains[step]
        if step + 1 - n_left_out > LEFT_OUT * b.size:
            kept = np.flatnonzero(now.free)
            latest, n_left_out = int(np.searchsorted(kept, latest)), step + 1
            side.forget(kept, step + 1)
            now.keep(kept)
    used = np.flatnonzero(triangle.diagonal())
    fit = goal * (1.0 - np.cumprod(remains[::-1])[::-1])
    end = np.zeros_like(b)
    end[chosen[used]] = scipy.linalg.solve_triangular(
        triangle[np.ix_(used, used)], fit[used], trans="T", lower=True
    )
    return end, used.size
