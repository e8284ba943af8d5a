"""The data term inside the alternating directions: kept as it is, or split into residuals."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..certificate.dual_point import Lengths
from ..data import Rows
from ..linalg.rounding import norm, sum_error
from ..linalg.types import Array
from ..model.losses import Robust
from ..model.problem import Point, Problem

# Over-relaxation of the alternating directions, between 1 and 2.
RELAXATION = 1.6


class DualData(NamedTuple):
    """The multipliers A of the samples as a dual point needs them, with errors.

    Attributes
    ----------
    product : ndarray of shape (n_features, n_features)
        A X.
    product_error : float
        How far it may be off, in the spectral norm.
    inner, quadratic : float
        <A, X'> and |A|^2 / 4.
    inner_error, quadratic_error : float
        How far these may be off.
    lengths : Lengths or None
        Bounds of |a_i|^2, where the loss bounds them.
    """

    product: Array
    product_error: float
    inner: float
    inner_error: float
    quadratic: float = 0.0
    quadratic_error: float = 0.0
    lengths: Lengths | None = None


def squared_dual(gram: Array, trace: float, error: float, Y: Array) -> DualData:
    """Return the dual data of A = 2 (I - Y) X' for a scatter matrix and its error."""
    d = len(gram)
    moved = Y @ gram
    cross, square = float(np.trace(moved)), float(np.vdot(moved, Y))
    size, spread = norm(Y), 1.0 + float(np.sqrt(d)) * norm(Y)
    off = error * spread + sum_error(d) * trace * (1.0 + size)
    return DualData(
        product=2.0 * (gram - moved),
        product_error=2.0 * (error * (1.0 + size) + sum_error(d) * trace * (1.0 + size)),
        inner=2.0 * (trace - cross),
        inner_error=2.0 * off,
        quadratic=trace - 2.0 * cross + square,
        quadratic_error=2.0 * off * (1.0 + size),
    )


class FixedData:
    """The squared loss: `tr(Y S Y') - 2 tr(S Y)` belongs to the Y step."""

    curvature = 1.0
    v: Array | None = None

    def __init__(self, problem: Problem) -> None:
        self.samples = problem.samples
        self.gram = problem.samples.gram_matrix

    def pull(self) -> Array:
        """Return the linear term of the Y step."""
        return self.gram

    def push(self, Y: Array) -> None:
        """Nothing depends on Y."""

    def balance(self) -> None:
        """There is no penalty of its own."""

    def dual(self, Y: Array) -> DualData:
        """Return the dual data of the last Y step."""
        return squared_dual(self.gram, self.samples.trace, self.samples.gram_error, Y)


class SplitData:
    """The robust loss: residuals R with multipliers of their own, and the offset."""

    def __init__(self, problem: Problem, start: Point | None) -> None:
        assert isinstance(problem.loss, Robust)
        assert isinstance(problem.samples, Rows)
        self.loss, self.samples = problem.loss, problem.samples
        self.X = problem.samples.centred_rows()
        norms = np.sqrt(problem.samples.squared_norms + self.loss.delta)
        self.rho = 1.0 / (float(norms.mean()) or 1.0)
        self.v = np.zeros(self.X.shape[1]) if self.loss.recenter else None
        self.R = self.X.copy()
        self.U = np.zeros_like(self.X)
        self.multipliers = self.U
        if start is not None:
            self.R -= (self.X @ start.L) @ start.L.T
            if start.v is not None:
                self.R -= start.v

    @property
    def curvature(self) -> float:
        """Weight of y S y' in the Y step."""
        return 0.5 * self.rho

    def pull(self) -> Array:
        """Return the linear term of the Y step, after the best offset."""
        self.wanted = self.X - self.R + self.U
        if self.v is not None:
            self.v = self.wanted.mean(axis=0)
            self.wanted -= self.v
        return np.asarray(0.5 * self.rho * (self.wanted.T @ self.X))

    def push(self, Y: Array) -> None:
        """Update the residuals and their multipliers after the Y step."""
        reconstruction = self.X @ Y.T
        self.multipliers = self.rho * (self.wanted - reconstruction)
        residuals = self.X - reconstruction
        if self.v is not None:
            residuals -= self.v
        previous = self.R
        shifted = self.U + relaxed(residuals, self.R)
        norms = np.sqrt(np.einsum("ij,ij->i", shifted, shifted))
        lengths = self.loss.shrink(norms, self.rho)
        self.R = shifted * (lengths / np.maximum(norms, 1e-300))[:, None]
        self.U = shifted - self.R
        self.primal, self.change = residuals - self.R, self.R - previous

    def balance(self) -> None:
        """Bring primal and dual residuals together."""
        factor = balancing_factor(self.primal, self.R, self.change, self.U)
        self.rho *= factor
        self.U /= factor

    def dual(self, Y: Array) -> DualData:
        """Return the dual data of the last Y step, with multipliers that sum to zero."""
        del Y
        A, X, samples = self.multipliers, self.X, self.samples
        n, d = X.shape
        size, mean = norm(A), 0.0
        if self.v is not None:
            mean = norm(A.mean(axis=0)) * (1.0 + sum_error(n)) + sum_error(n) * size
        lengths = np.sqrt(np.einsum("ij,ij->i", A, A)) * (1.0 + sum_error(d)) + mean
        off = size * (
            sum_error(n + d) * float(np.sqrt(samples.sizes.sum()))
            + float(np.sqrt(n)) * samples.centre_error
        )
        return DualData(
            product=A.T @ X,
            product_error=off,
            inner=float(np.vdot(A, X)),
            inner_error=off,
            lengths=Lengths.of(samples, lengths**2),
        )


def relaxed(value: Array, copy: Array) -> Array:
    """Return the over-relaxed value that the next copy follows."""
    return np.asarray(RELAXATION * value + (1.0 - RELAXATION) * copy)


def balancing_factor(primal: Array, copy: Array, change: Array, multipliers: Array) -> float:
    """Return the factor of a penalty that balances the relative residuals of a copy.

    The primal residual is relative to the copy, the dual one (the change of the copy) to the scaled
    multipliers; within a factor of four of each other, or where one vanishes, the penalty stays.
    """
    sizes = [norm(array) for array in (primal, multipliers, copy, change)]
    if min(sizes) == 0.0:
        return 1.0
    ratio = np.sqrt((sizes[0] / sizes[2]) * (sizes[1] / sizes[3]))
    return float(np.clip(ratio, 0.2, 5.0)) if not 0.5 <= ratio <= 2.0 else 1.0
