"""Limited-memory BFGS: the recursion, and a search by it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np

from .rounding import norm
from .types import Array

# The part of what the slope promises that a step must bring, and the shortest step tried.
SUFFICIENT, SHORTEST = 1e-4, 1e-6


def minimise(
    function: Callable[[Array], tuple[float, Array]],
    start: Array,
    *,
    decrease: float,
    steps: int,
    pairs: int,
) -> Array:
    """Return where a function, given with its gradient, is least.

    The search ends by a step that brings no more than the decrease, beside the value or beside one.
    The first step, which is no longer than one, is a guess that ends none. SciPy's search spends
    several times as long on a step as the function of a small problem takes.
    """
    x, (value, gradient) = start, function(start)
    first = 1.0 / max(norm(gradient), 1.0)
    memory = LimitedMemory(np.full_like(start, first), pairs)
    for count in range(steps):
        direction = memory.direction(gradient)
        slope, length = float(np.vdot(gradient, direction)), 1.0
        if slope >= 0.0:
            break
        new, new_gradient = function(x + direction)
        while new > value + SUFFICIENT * length * slope and length > SHORTEST:
            length *= shorter(length * slope, new - value)
            new, new_gradient = function(x + length * direction)
        if not new < value:
            break
        memory.update(length * direction, new_gradient - gradient)
        x, gain, value, gradient = x + length * direction, value - new, new, new_gradient
        if gain <= decrease * max(abs(value), 1.0) and count > 0:
            break
    return x


def shorter(promised: float, change: float) -> float:
    """Return by what to shorten a step: to the end of a parabola, within limits.

    That follows from the change that its slope promised and the one that it made.
    """
    return min(0.5, max(0.1, -0.5 * promised / (change - promised)))


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
        if curvature > 1e-12 * norm(step) * norm(change):
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
