"""What M = sym(A X + B) has above eta on account of the span of a factor.

With an orthonormal basis Q of the span of L, (M - eta I) Q is minus half of the gradient in L, in
that basis: it is known without another product with the data. With R its part outside of the span
and mu the largest eigenvalue of M there,

    M - eta I  <=  Q (Q'MQ - eta I + R'R / c) Q'  +  (mu + c - eta) (I - QQ')    for every c > 0:

with c = eta - mu nothing outside the span exceeds eta, and R counts by its square. Where that room
is too small, c = |R| is the better choice.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from .dual_point import Excess
from .problem import Point

Array = NDArray[Any]

# Directions of the factor whose squared length is below this fraction of the largest are dropped.
SHORTEST = 1e-10


@dataclass(frozen=True)
class SpanPart:
    """M - eta I applied to the span of a factor.

    Attributes
    ----------
    basis : ndarray of shape (n_features, rank)
        Q, orthonormal.
    inside : ndarray of shape (rank, rank)
        Q'(M - eta I)Q.
    square : ndarray of shape (rank, rank)
        R'R, with R = (I - QQ') M Q.
    """

    basis: Array
    inside: Array
    square: Array

    @classmethod
    def of(cls, point: Point) -> SpanPart:
        """Return the part of a point."""
        transform, _ = orthonormal(point)
        basis = point.L @ transform
        image = -0.5 * (point.gradient()[:, : point.L.shape[1]] @ transform)
        inside = basis.T @ image
        outside = image - basis @ inside
        return cls(basis, 0.5 * (inside + inside.T), outside.T @ outside)

    @cached_property
    def mixing(self) -> float:
        """The norm of R."""
        return float(np.sqrt(np.linalg.norm(self.square, 2))) if self.square.size else 0.0

    def excess(self, room: float) -> Excess:
        """Return what exceeds eta if nothing outside the span comes nearer to it than the room."""
        part = self.inside + self.square / max(room, np.finfo(float).tiny)
        found = dense_excess(part, 0.0)
        return Excess(found.values, self.basis @ found.vectors, 0.0)


def orthonormal(point: Point) -> tuple[Array, Array]:
    """Return T with orthonormal columns of L T, and the squared lengths of L along them."""
    lengths, directions = np.linalg.eigh(point.A)
    used = lengths > SHORTEST * max(float(lengths.max(initial=0.0)), np.finfo(float).tiny)
    return directions[:, used] / np.sqrt(lengths[used]), lengths[used]


def dense_excess(matrix: Array, eta: float) -> Excess:
    """Return all eigenpairs of a symmetric matrix above eta."""
    if matrix.size == 0:
        return Excess(np.zeros(0), np.zeros((0, 0)), 0.0)
    values, vectors = scipy.linalg.eigh(matrix, subset_by_value=(eta, np.inf))
    return Excess(values[::-1] - eta, vectors[:, ::-1], 0.0)
