"""Limited-memory BFGS: SciPy's search for small problems, the recursion for large factors."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np
import scipy.optimize

from .types import Array


def minimise(
    function: Callable[[Array], tuple[float, Array]],
    start: Array,
    *,
    decrease: float,
    steps: int,
    pairs: int,
) -> Array:
    """Return where a function, given with its gradient, is least, by SciPy's search."""
    options = {"maxiter": steps, "maxcor": pairs, "ftol": decrease, "gtol": 0.0}
    found = scipy.optimize.minimize(function, start, jac=True, method="L-BFGS-B", options=options)
    return np.asarray(found.x)


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
