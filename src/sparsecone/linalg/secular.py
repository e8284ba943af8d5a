"""The row step of the alternating directions: a secular equation a row."""

from __future__ import annotations

import numpy as np

from .types import Array

# Steps to the roots at most, and the last of them beside where they are: the next would be its
# square.
MOST_STEPS = 60
CLOSE = 1e-7


def shrink_rows(linear: Array, curvatures: Array, lam: float) -> Array:
    """Return the rows y of least `sum_k h_k y_k^2 - 2 b_k y_k + lam |y|`, b those of `linear`.

    Zero where |b| <= lam / 2; otherwise y = t b / (t h + lam / 2), with t = |y| the root of
    F(t) = sum_k (b_k / (t h_k + lam / 2))^2 = 1. Newton's iteration on 1 / sqrt(F) - 1, which is
    concave and nearly linear, comes from the left and takes a handful of steps. It starts where
    all h_k are their mean, weighed by b_k^2: F is convex in h, so the root is not before that.
    """
    norms = np.linalg.norm(linear, axis=1)
    rows = np.zeros_like(linear)
    active = np.flatnonzero(norms > 0.5 * lam)
    b = linear[active]
    if lam == 0.0:
        rows[active] = b / curvatures
    elif active.size:
        t = _roots(b, norms[active], curvatures, 0.5 * lam)
        rows[active] = b * (t[:, None] / (t[:, None] * curvatures + 0.5 * lam))
    return rows


def _roots(b: Array, norms: Array, curvatures: Array, shift: float) -> Array:
    """Return the t > 0 of every row with sum_k (b_k / (t h_k + shift))^2 = 1."""
    ratios = b / norms[:, None]
    t = (norms - shift) / (np.square(ratios, out=ratios) @ curvatures)
    inverse = np.empty_like(b)
    for _ in range(MOST_STEPS):
        np.multiply.outer(t, curvatures, out=inverse)
        inverse += shift
        np.reciprocal(inverse, out=inverse)
        np.multiply(b, inverse, out=ratios)
        F = np.einsum("jk,jk->j", ratios, ratios)
        np.square(ratios, out=ratios)
        ratios *= inverse
        step = (F - np.sqrt(F) * F) / (ratios @ curvatures)
        t -= step
        if np.all(np.abs(step) <= CLOSE * t):
            break
    return t
