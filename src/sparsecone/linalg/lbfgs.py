"""Limited-memory BFGS on arrays of any shape, with a diagonal start matrix."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


class LimitedMemory:
    """The two-loop recursion.

    Parameters
    ----------
    scale : ndarray
        Diagonal of the start matrix, up to a factor that the last pair decides.
    memory : int
        Number of pairs kept.
    """

    def __init__(self, scale: Array, memory: int) -> None:
        self.scale = scale
        self.pairs: deque[tuple[Array, Array, float]] = deque(maxlen=memory)

    def update(self, step: Array, change: Array) -> None:
        """Take in a step and the change of the gradient along it, if the curvature is positive."""
        curvature = float(np.vdot(step, change))
        if curvature > 1e-12 * float(np.linalg.norm(step) * np.linalg.norm(change)):
            self.pairs.append((step, change, curvature))

    def direction(self, gradient: Array) -> Array:
        """Return the quasi-Newton direction, minus the inverse Hessian times the gradient."""
        q = -gradient
        factors = []
        for step, change, curvature in reversed(self.pairs):
            factor = float(np.vdot(step, q)) / curvature
            q -= factor * change
            factors.append(factor)
        if self.pairs:
            _, change, curvature = self.pairs[-1]
            q *= self.scale * (curvature / float(np.vdot(change, self.scale * change)))
        else:
            q *= self.scale
        for (step, change, curvature), factor in zip(self.pairs, reversed(factors), strict=True):
            q += (factor - float(np.vdot(change, q)) / curvature) * step
        return q
