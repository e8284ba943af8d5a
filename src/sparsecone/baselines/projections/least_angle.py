"""Least angle regression of several targets at once.

With P_A y the projection of a target y on its chosen features A, the fit f moves towards P_A y by
the fraction g of the way at which another feature is as correlated with the residual as those of A:
the smallest g in (0, 1] with |c_j - g p_j| = (1 - g) C, where c = X'(y - f), p = X'(P_A y - f) and
C = |c_j| on A. That feature is chosen next. With orthonormal q_1, .., q_k that span A all of this
needs X'q_k alone, one product a step: X'P_A y is the sum of (q_i'y) X'q_i.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import scipy.linalg
from numpy.typing import NDArray
from sklearn.utils import gen_batches

from ...linalg.types import Array
from ..graph import row_batches

# The part of its squares that a feature must have beyond the chosen ones to be chosen.
DISTINCT = 1e-10


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
    products = targets.T @ X
    side: type[Side]
    if n_features > n_samples:
        # As many targets at once as have their vectors in the memory of X.
        side, base, batches = SampleSide, X, gen_batches(len(products), n_features // n_steps)
    else:
        side, base = FeatureSide, X.T @ X
        batches = row_batches(len(products), n_steps * n_features)
    paths = [Paths(side(base, len(products[some]), n_steps), products[some]) for some in batches]
    ends = [path.follow(n_steps) for path in paths]
    return np.concatenate(ends).T, max(path.n_chosen for path in paths)


class Side(Protocol):
    """The orthonormal vectors of each target, in the form that is cheaper."""

    def __init__(self, base: Array, n_targets: int, n_steps: int) -> None: ...

    def add(self, features: NDArray[np.intp]) -> tuple[Array, Array, Array]:
        """Add a feature x of each target to its vectors.

        Returns
        -------
        parts : ndarray of shape (n_targets, n_steps)
            The inner products q_i'x, zeros from the new vector on.
        products : ndarray of shape (n_targets, n_features)
            X'q of the new vector, zero where x is explained by the others.
        lengths : ndarray of shape (n_targets,)
            q'x of the new vector, zero there too.
        """


class FeatureSide:
    """X'q by Cholesky's factorisation of X'X, for at most as many features as samples."""

    def __init__(self, base: Array, n_targets: int, n_steps: int) -> None:
        self.gram, self.n_vectors = base, 0
        self.products = np.empty((n_targets, n_steps, len(base)))

    def add(self, features: NDArray[np.intp]) -> tuple[Array, Array, Array]:
        """See `Side`."""
        targets, count = np.arange(features.size), self.n_vectors
        parts = np.zeros(self.products.shape[:2])
        parts[:, :count] = self.products[targets, :count, features]
        new = self.gram[features]
        for target in targets:
            new[target] -= parts[target, :count] @ self.products[target, :count]
        lengths = _lengths(new[targets, features], self.gram[features, features])
        new *= _inverse(lengths)[:, None]
        self.products[:, count] = new
        self.n_vectors += 1
        return parts, new, lengths


class SampleSide:
    """The vectors q themselves, for more features than samples."""

    def __init__(self, base: Array, n_targets: int, n_steps: int) -> None:
        self.X, self.n_vectors = base, 0
        self.vectors = np.empty((n_targets, n_steps, len(base)))

    def add(self, features: NDArray[np.intp]) -> tuple[Array, Array, Array]:
        """See `Side`."""
        new = np.ascontiguousarray(self.X[:, features].T)
        own = np.sum(new**2, axis=1)
        parts = np.zeros(self.vectors.shape[:2])
        others = self.vectors[:, : self.n_vectors]
        for _ in range(2):
            change = np.matmul(others, new[:, :, None])[:, :, 0]
            new -= np.matmul(change[:, None], others)[:, 0]
            parts[:, : self.n_vectors] += change
        lengths = _lengths(np.sum(new**2, axis=1), own)
        new *= _inverse(lengths)[:, None]
        self.vectors[:, self.n_vectors] = new
        self.n_vectors += 1
        return parts, new @ self.X, lengths


@dataclass
class Paths:
    """The paths of some targets; `products` has a row X'y for each."""

    side: Side
    products: Array
    n_chosen: int = field(default=0, init=False)

    def follow(self, n_steps: int) -> Array:
        """Return the coefficients after so many steps, a row a target."""
        b, targets = self.products, np.arange(len(self.products))
        fitted, goal = np.zeros_like(b), np.zeros_like(b)
        parts_of_fit, parts_of_goal = np.zeros((2, len(b), n_steps))
        triangle = np.zeros((len(b), n_steps, n_steps))
        taken = np.zeros(b.shape, dtype=bool)
        chosen = np.empty((len(b), n_steps), dtype=np.intp)
        left = np.abs(b).max(axis=1)
        latest = np.abs(b).argmax(axis=1)
        for step in range(n_steps):
            parts, new, length = self.side.add(latest)
            triangle[:, :, step], triangle[:, step, step] = parts, length
            chosen[:, step], taken[targets, latest] = latest, True
            along = (b[targets, latest] - np.sum(parts * parts_of_goal, axis=1)) * _inverse(length)
            parts_of_goal[:, step] = along
            goal += along[:, None] * new
            share, latest = _next(b - fitted, goal - fitted, left, taken)
            fitted += share[:, None] * (goal - fitted)
            parts_of_fit += share[:, None] * (parts_of_goal - parts_of_fit)
            left *= 1.0 - share
        ends = np.zeros_like(b)
        for target in targets:
            used = np.flatnonzero(triangle[target].diagonal())
            self.n_chosen = max(self.n_chosen, used.size)
            ends[target, chosen[target, used]] = scipy.linalg.solve_triangular(
                triangle[target][np.ix_(used, used)], parts_of_fit[target, used]
            )
        return ends


def _next(c: Array, p: Array, left: Array, taken: Array) -> tuple[Array, NDArray[np.intp]]:
    """Return the fraction of the way to go, and the feature that ends it, for each target."""
    C = left[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.minimum(_crossing(C - c, C - p), _crossing(C + c, C + p))
    shares[taken] = np.inf
    latest = np.argmin(shares, axis=1)
    return np.minimum(shares[np.arange(len(c)), latest], 1.0), latest


def _crossing(distance: Array, speed: Array) -> Array:
    """Return when a distance that shrinks at a speed is gone, never where it does not."""
    return np.where(speed > 0.0, np.maximum(distance, 0.0) / speed, np.inf)


def _lengths(squares: Array, own: Array) -> Array:
    return np.sqrt(np.where(squares > DISTINCT * own, squares, 0.0))


def _inverse(lengths: Array) -> Array:
    return np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0.0)
