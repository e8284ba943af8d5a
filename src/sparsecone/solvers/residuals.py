"""The data term inside the alternating directions: kept as it is, or split into residuals."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..model.losses import Robust
from ..model.problem import Point, Problem

Array = NDArray[Any]

# Over-relaxation of the alternating directions, between 1 and 2.
RELAXATION = 1.6


class FixedData:
    """The squared loss: `tr(Y S Y') - 2 tr(S Y)` belongs to the Y step."""

    curvature = 1.0
    v: Array | None = None

    def __init__(self, problem: Problem) -> None:
        self.trace = problem.samples.trace
        self.gram = problem.samples.gram_matrix

    def pull(self) -> Array:
        """Return the linear term of the Y step."""
        return self.gram

    def push(self, Y: Array) -> None:
        """Nothing depends on Y."""

    def balance(self) -> None:
        """There is no penalty of its own."""

    def dual(self, rows: Array, spectrum: Array, basis: Array) -> tuple[float, float, Array | None]:
        """Return <A, X'> and |A|^2 / 4 for A = 2 (I - Y) X'."""
        cross = float(np.einsum("jk,jk,k->", rows, basis, spectrum))
        square = float(np.einsum("jk,jk,k->", rows, rows, spectrum))
        return 2.0 * (self.trace - cross), self.trace - 2.0 * cross + square, None


class SplitData:
    """The robust loss: residuals R with multipliers of their own, and the offset."""

    def __init__(self, problem: Problem, start: Point | None) -> None:
        assert isinstance(problem.loss, Robust)
        self.loss = problem.loss
        self.X = problem.samples.centred_rows()
        norms = np.sqrt(problem.samples.squared_norms + self.loss.delta)
        self.rho = 1.0 / float(norms.mean())
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
        lengths = shrink_lengths(norms, self.loss.delta, self.rho)
        self.R = shifted * (lengths / np.maximum(norms, 1e-300))[:, None]
        self.U = shifted - self.R
        self.primal, self.change = residuals - self.R, self.R - previous

    def balance(self) -> None:
        """Bring primal and dual residuals together."""
        factor = balancing_factor(self.primal, self.R, self.change, self.U)
        self.rho *= factor
        self.U /= factor

    def dual(self, rows: Array, spectrum: Array, basis: Array) -> tuple[float, float, Array | None]:
        """Return <A, X'> and |a_i|^2 for the multipliers of the last Y step."""
        del rows, spectrum, basis
        lengths = np.einsum("ij,ij->i", self.multipliers, self.multipliers)
        return float(np.vdot(self.multipliers, self.X)), 0.0, lengths


def relaxed(value: Array, copy: Array) -> Array:
    """Return the over-relaxed value that the next copy follows."""
    return np.asarray(RELAXATION * value + (1.0 - RELAXATION) * copy)


def balancing_factor(primal: Array, copy: Array, change: Array, multipliers: Array) -> float:
    """Return the factor of a penalty that balances the relative residuals of a copy.

    The primal residual is relative to the copy, the dual one (the change of the copy) to the scaled
    multipliers; within a factor of four of each other, or where one vanishes, the penalty stays.
    """
    sizes = [float(np.linalg.norm(array)) for array in (primal, multipliers, copy, change)]
    if min(sizes) == 0.0:
        return 1.0
    ratio = np.sqrt((sizes[0] / sizes[2]) * (sizes[1] / sizes[3]))
    return float(np.clip(ratio, 0.2, 5.0)) if not 0.5 <= ratio <= 2.0 else 1.0


def shrink_lengths(norms: Array, delta: float, rho: float) -> Array:
    """Minimise `sqrt(t^2 + delta) + rho/2 (t - norm)^2` for every norm, by Newton's iteration."""
    t = np.maximum(norms - 1.0 / rho, 0.0)
    for _ in range(60):
        roots = np.sqrt(t**2 + delta)
        step = (t / roots + rho * (t - norms)) / (delta / roots**3 + rho)
        t = np.clip(t - step, 0.0, norms)
        if np.all(np.abs(step) <= 1e-14 * (norms + np.sqrt(delta))):
            break
    return t
