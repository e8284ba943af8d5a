"""Least angle regression.

With P_A y the projection of a target y on its chosen features A, the fit f moves towards P_A y by
the fraction g of the way at which another feature is as correlated with the residual as those of A:
the smallest g in (0, 1] with |c_j - g (c_j - e_j)| = (1 - g) C, where c = X'(y - f),
e = X'(y - P_A y) and C = |c_j| on A; 1 / g - 1 is the largest of |e_j| / (C - sign(e_j) c_j). That
feature is chosen next. With orthonormal q_1, .., q_k that span A all of this needs X'q_k alone, one
product a step: X'P_A y is the sum of (q_i'y) X'q_i.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import scipy.linalg

from ...linalg.types import Array

# The part of its squares that a feature must have beyond the chosen ones to be chosen.
DISTINCT = 1e-10
EPS = float(np.finfo(np.float64).eps)
# A correlation that might as well be zero, by which one may still divide.
NONE = 1e-150


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


class Side(Protocol):
    """The orthonormal vectors of a path, in the form that is cheaper."""

    def add(self, feature: int, count: int) -> tuple[Array, Array, float]:
        """Add a feature x to the vectors, of which there are so many.

        Returns
        -------
        parts : ndarray of shape (count,)
            The inner products q_i'x.
        products : ndarray of shape (n_features,)
            X'q of the new vector, zero where x is explained by the others.
        length : float
            q'x of the new vector, zero there too.
        """


class FeatureSide:
    """X'q by Cholesky's factorisation of X'X, for at most as many features as samples."""

    def __init__(self, gram: Array, n_steps: int) -> None:
        self.gram = gram
        self.products = np.empty((n_steps, len(gram)))

    def add(self, feature: int, count: int) -> tuple[Array, Array, float]:
        """See `Side`."""
        others, new = self.products[:count], self.products[count]
        parts = others[:, feature].copy()
        np.subtract(self.gram[feature], parts @ others, out=new)
        length = _length(new[feature], self.gram[feature, feature])
        new *= 1.0 / length if length else 0.0
        return parts, new, length


class SampleSide:
    """The vectors q themselves, for more features than samples."""

    def __init__(self, X: Array, n_steps: int) -> None:
        self.X = X
        self.vectors = np.empty((n_steps, len(X)))

    def add(self, feature: int, count: int) -> tuple[Array, Array, float]:
        """See `Side`."""
        others, new = self.vectors[:count], self.vectors[count]
        new[:] = self.X[:, feature]
        own, parts = new @ new, np.zeros(count)
        for _ in range(2):
            change = others @ new
            new -= change @ others
            parts += change
        length = _length(new @ new, own)
        new *= 1.0 / length if length else 0.0
        return parts, new @ self.X, length


def _end(side: Side, b: Array, n_steps: int) -> tuple[Array, int]:
    """Return the coefficients after so many steps, from b = X'y, and how many features have one."""
    c, e, to_go, free = b.copy(), b.copy(), np.zeros_like(b), np.ones_like(b)
    goal, remains = np.zeros((2, n_steps))
    triangle = np.zeros((n_steps, n_steps))
    chosen = np.empty(n_steps, dtype=np.intp)
    latest = int(np.abs(c).argmax())
    left = abs(float(c[latest]))
    for step in range(n_steps):
        parts, new, length = side.add(latest, step)
        triangle[step, :step], triangle[step, step] = parts, length
        chosen[step], free[latest] = latest, 0.0
        if length:
            goal[step] = (b[latest] - parts @ goal[:step]) / length
            change = goal[step] * new
            e -= change
            to_go += change
        remains[step], latest = _next(c, e, left, free)
        to_go *= remains[step]
        np.add(e, to_go, out=c)
        left *= remains[step]
    used = np.flatnonzero(triangle.diagonal())
    fit = goal * (1.0 - np.cumprod(remains[::-1])[::-1])
    end = np.zeros_like(b)
    end[chosen[used]] = scipy.linalg.solve_triangular(
        triangle[np.ix_(used, used)], fit[used], trans="T", lower=True
    )
    return end, used.size


def _next(c: Array, e: Array, left: float, free: Array) -> tuple[float, int]:
    """Return the fraction of the way that remains, and the feature that ends it."""
    ahead = left - np.sign(e) * c
    speeds = np.abs(e)
    speeds *= free
    speeds /= np.maximum(ahead, max(EPS * left, NONE), out=ahead)
    latest = int(speeds.argmax())
    speed = float(speeds[latest])
    return speed / (1.0 + speed), latest


def _length(squares: float, own: float) -> float:
    return float(np.sqrt(squares)) if squares > DISTINCT * own else 0.0
