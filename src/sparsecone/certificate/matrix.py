"""M = sym(A X + B) at a point as a matrix of low rank beside the data, and its rounding."""

from __future__ import annotations

import math

import numpy as np

from ..linalg.eigen import largest_eigenvalue
from ..linalg.rounding import norm, sum_error
from ..linalg.types import Array
from ..model.problem import Point


def low_rank_part(point: Point) -> tuple[Array, Array]:
    """Return [L v] and [C h]: M = X' diag(omega) X - sym([L v] [C h]')."""
    C = point.L * (point.problem.lam / point.smooth_scores)[:, None]
    C += point.data.H
    if point.v is None:
        return point.L, C
    assert point.data.h is not None
    return np.column_stack([point.L, point.v]), np.column_stack([C, point.data.h])


def apply(point: Point, left: Array, right: Array, x: Array) -> Array:
    """Return M x."""
    product = point.curvature_product(x)
    return np.asarray(product - 0.5 * (left @ (right.T @ x) + right @ (left.T @ x)))


def matrix_size(point: Point, left: Array, right: Array) -> float:
    """Return a bound of the norm of M."""
    return point.data.curvature + norm(left) * norm(right)


def matrix_rounding(point: Point, left: Array, right: Array) -> float:
    """Return how far M may be off for the multipliers that are taken at a point."""
    d, r = left.shape
    data = point.data
    low_rank = _spectral_norm(point, point.L) * data.H_error
    low_rank += sum_error(d + 2 * r) * norm(left) * norm(right)
    return data.matrix_rounding + low_rank + _offset_error(point)


def _offset_error(point: Point) -> float:
    """Return how far v h' may be off."""
    if point.v is None:
        return 0.0
    weight = point.problem.samples.relative_error * point.data.total_weight
    return point.data.matrix_rounding + weight * norm(point.v) ** 2


def gradient_error(point: Point, left: Array, right: Array) -> float:
    """Return how far half of the gradient in L may be off."""
    d, r = left.shape
    largest, length, image = _spectral_norm(point, left), norm(left), norm(right)
    # A = L'L and L'C are sums of d terms, what is multiplied by them of r.
    sums = sum_error(d) * length * image * (length + largest)
    sums += sum_error(3 * r) * image * (norm(point.A) + 2.0 * length * largest + 4.0)
    sums += sum_error(0) * point.problem.eta * length
    rounding = sums + _offset_error(point) * norm(point.L)
    return point.data.H_error * (1.0 + largest**2) + rounding


def _spectral_norm(point: Point, left: Array) -> float:
    """Return a bound of the largest singular value of L, or of [L v]."""
    if left.size == 0:
        return 0.0
    if left is point.L:
        gram, largest = point.A, max(float(point.lengths[0][-1]), 0.0)
    else:
        gram = left.T @ left
        largest = largest_eigenvalue(gram)
    return math.sqrt(largest + 2.0 * sum_error(len(left)) * float(gram.trace()))
