"""The optimum of tiny problems by a general convex solver, from the formula alone."""

from __future__ import annotations

from typing import Any

import cvxpy as cp
import numpy as np
from numpy.typing import NDArray

# What W may be: on the cone, symmetric, or any matrix.
SETS = {"psd": {"PSD": True}, "symmetric": {"symmetric": True}, "any": {}}


def optimum(
    X: NDArray[Any],
    lam: float,
    eta: float,
    *,
    delta: float | None = None,
    offset: bool = False,
    over: str = "psd",
) -> float:
    """Return the optimal value: squared loss for `delta=None`, else the robust one."""
    n, d = X.shape
    X = X - X.mean(axis=0)
    W = cp.Variable((d, d), **SETS[over])
    residuals = X - X @ W.T
    if offset:
        v = cp.Variable((1, d))
        residuals = residuals - np.ones((n, 1)) @ v
    if delta is None:
        loss = cp.sum_squares(residuals)
    else:
        loss = cp.sum(cp.norm(cp.hstack([residuals, np.full((n, 1), np.sqrt(delta))]), axis=1))
    problem = cp.Problem(cp.Minimize(loss + lam * cp.sum(cp.norm(W, axis=0)) + eta * cp.trace(W)))
    problem.solve(solver=cp.CLARABEL)
    assert problem.status == cp.OPTIMAL
    return float(problem.value)
