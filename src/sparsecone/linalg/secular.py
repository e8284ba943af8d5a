"""The row step of the alternating directions: a secular equation a row."""

from __future__ import annotations

import numpy as np

from .types import Array


def shrink_rows(linear: Array, curvatures: Array, lam: float) -> tuple[Array, Array]:
    """Minimise `sum_k h_k y_k^2 - 2 b_k y_k + lam |y|` for every row b of `linear`.

    Zero where |b| <= lam / 2; otherwise y = t b / (t h + lam / 2), with t = |y| the root of
    F(t) = sum_k (b_k / (t h_k + lam / 2))^2 = 1. Newton's iteration on 1 / sqrt(F) - 1, which is
    concave and nearly linear, starts left of the root and takes a handful of steps.

    Returns
    -------
    rows : ndarray
        The minimisers.
    multipliers : ndarray
        For every row minus a subgradient of lam |y|, at most lam long: 2 h y - 2 b.
    """
    norms = np.linalg.norm(linear, axis=1)
    rows = np.zeros_like(linear)
    active = np.flatnonzero(norms > 0.5 * lam)
    b = linear[active]
    if lam == 0.0:
        rows[active] = b / curvatures
    elif active.size:
        squares = b**2
        t = (norms[active] - 0.5 * lam) / curvatures.max()
        for _ in range(60):
            denominators = t[:, None] * curvatures + 0.5 * lam
            ratios = squares / denominators**2
            F = ratios.sum(axis=1)
            slope = (ratios / denominators) @ curvatures
            step = (F - np.sqrt(F) * F) / slope
            t = t - step
            if np.all(np.abs(step) <= 1e-13 * t):
                break
        rows[active] = b * (t[:, None] / (t[:, None] * curvatures + 0.5 * lam))
    return rows, 2.0 * (rows * curvatures - linear)
