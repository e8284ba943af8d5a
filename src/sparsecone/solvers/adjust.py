"""Changes of a point on the way: a growing factor, less smoothing, features that have vanished."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..certificate import Certificate
from ..linalg.basis import whitened
from ..linalg.rounding import norm
from ..model.data_term import Image
from ..model.losses import least_smoothing
from ..model.problem import Point
from ..model.valued_point import valued_by_rows
from .row_step import VANISHING

# The share of the tolerance that the last smoothing may cost.
SMOOTHING_SHARE = 0.1
# The share of the tolerance that taking features out of the factor may cost.
PRUNING_SHARE = 1e-3
# The squared scores up to which they are taken out, in multiples of the smoothing: first those that
# are small, then those that are none.
SMALL = (100.0, 1.0)
# The factor by which the smoothing of residuals shrinks at once, at most.
MOST_TIGHTENED = 1e-2
# The part of the largest excess from which on the factor grows by a direction.
LARGE_EXCESS = 0.2
# How often the step by which the factor grows is shortened, and by which factor.
LONGEST_SEARCH = 4
SHORTER = 0.1


def last_smoothing(point: Point, tol: float) -> float:
    """Return the eps at which the smoothing costs at most its share of the tolerance."""
    problem = point.problem
    if problem.lam == 0.0:
        return 0.0
    value = max(min(point.value, problem.zero.value), 0.0)
    root = SMOOTHING_SHARE * tol * value / (problem.lam * problem.samples.n_features)
    # Scores are about one at most: a larger smoothing is as good as none.
    return min(root, 1e50) ** 2


def tightened(point: Point, tol: float) -> Point:
    """Return the point with residuals smoothed by no more than a share of the tolerance.

    What the smoothing costs is at most linear in its root.
    """
    problem, cost = point.problem, point.data.smooth_value - point.data.value
    allowed = SMOOTHING_SHARE * tol * point.value
    if not problem.loss.needs_rows or cost <= allowed:
        return point
    least = least_smoothing(problem.samples)
    if problem.loss.smoothing <= least:
        return point
    factor = max((0.5 * allowed / cost) ** 2, MOST_TIGHTENED)
    smoothing = max(factor * problem.loss.smoothing, least)
    tight = replace(problem, loss=problem.loss.softened(smoothing))
    return tight.evaluate(point.L, point.v, eps=point.eps)


def pruned(point: Point, tol: float) -> Point:
    """Return the point without features that only the smoothing keeps, nor columns that vanish."""
    problem, white = point.problem, whitened(point.lengths, VANISHING)
    kept = white.transform * np.sqrt(white.lengths)
    for smoothings in SMALL:
        keep = point.squared_scores > smoothings * point.eps
        if keep.all() and white.dropped.shape[1] == 0:
            break
        L = (point.L * keep[:, None]) @ kept
        if problem.loss.needs_rows:
            found: Point = valued_by_rows(problem, L, point.v)
        else:
            found = problem.evaluate(L, eps=point.eps)
        if found.value <= point.value * (1.0 + PRUNING_SHARE * tol):
            return found
    return point


def grow(point: Point, certificate: Certificate) -> Point | None:
    """Return the point with the certificate's directions added, if that decreases the objective.

    Along u u' it falls by the excess, and its curvature is about 2 u'Su + lam u' diag(1/G) u.
    """
    excess, problem = certificate.excess, point.problem
    if excess.values.size == 0:
        return None
    values, added = excess.values, excess.vectors
    if not problem.loss.needs_rows:
        large = values >= LARGE_EXCESS * values[0]
        values, added = values[large], added[:, large]
    image = point.curvature_product(added)
    curvatures = np.einsum("jk,jk->k", added, image)
    curvatures += problem.lam * np.einsum("jk,j,jk->k", added, 1.0 / point.smooth_scores, added)
    squares = values / np.maximum(curvatures, np.finfo(float).tiny)
    for _ in range(LONGEST_SEARCH):
        lengths = np.sqrt(np.minimum(squares, 1.0))
        L = np.column_stack([point.L, lengths * added])
        if not problem.loss.needs_rows:
            off = point.data.H_error + point.data.matrix_rounding * norm(lengths)
            both = np.column_stack([point.data.H, lengths * image])
            larger = point.with_image(L, Image(both, off))
        elif point.v is None:
            larger = point.nearby(L)
        else:
            larger = problem.evaluate(L, point.v, eps=point.eps)
        if larger.smooth_value <= point.smooth_value + point.noise:
            return larger
        squares *= SHORTER
    return None
