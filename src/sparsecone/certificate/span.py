"""What M = sym(A X + B) has above eta on account of the span of a factor.

With an orthonormal basis Q of the span of L, (M - eta I) Q is minus half of the gradient in L, in
that basis: it is known without another product with the data. With R its part outside of the span
and mu the largest eigenvalue of M there,

    M - eta I  <=  Q (Q'MQ - eta I + R'R / c) Q'  +  (mu + c - eta) (I - QQ')    for every c > 0:

with c = eta - mu nothing outside the span exceeds eta, and R counts by its square. Where that room
is too small, c = |R| is the better choice.

Outside of the span M is 2S for the squared loss. So where the leading eigenvectors of S are known,
down to an eigenvalue well below eta / 2, the basis takes them in: then mu is known as well, nothing
outside exceeds eta, and a bound costs no more than a step.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from ..data import Spectrum, is_decomposed, most_vectors
from ..model.problem import Point, Problem
from .dual_point import Excess

Array = NDArray[Any]

# Directions of the factor whose squared length is below this fraction of the largest are dropped,
# and eigenvectors of which no more is left outside the span.
SHORTEST = 1e-10
# How far down eigenvectors are taken in, as a part of eta, and how many.
LEVEL = 0.6
MOST_VECTORS = 256


@dataclass(frozen=True)
class SpanPart:
    """M - eta I applied to the span of a factor, and of leading eigenvectors where they are known.

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
    def of(cls, point: Point, spectrum: Spectrum | None = None) -> SpanPart:
        """Return the part of a point, in a basis that takes in the eigenvectors of a spectrum."""
        transform, _ = orthonormal(point)
        basis = point.L @ transform
        image = -0.5 * (point.gradient[:, : point.L.shape[1]] @ transform)
        if spectrum is not None:
            basis, image = _extended(point, spectrum, basis, image)
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


def _extended(point: Point, spectrum: Spectrum, basis: Array, image: Array) -> tuple[Array, Array]:
    """Return a basis with the eigenvectors in it, and (M - eta I) times that."""
    vectors, (left, right) = spectrum.vectors, low_rank_part(point)
    inside = basis.T @ vectors
    rest_image = vectors * (2.0 * spectrum.values - point.problem.eta)
    rest_image -= image @ inside
    rest_image -= left @ (0.5 * (right.T @ vectors))
    rest_image -= right @ (0.5 * (left.T @ vectors))
    rest = vectors - basis @ inside
    lengths, directions = np.linalg.eigh(rest.T @ rest)
    used = lengths > SHORTEST
    transform = directions[:, used] / np.sqrt(lengths[used])
    return (
        np.column_stack([basis, rest @ transform]),
        np.column_stack([image, rest_image @ transform]),
    )


def known_spectrum(problem: Problem) -> tuple[Spectrum, float] | None:
    """Return leading eigenpairs of S, and how far below eta the others of 2S are, if far enough."""
    samples = problem.samples
    if problem.loss.needs_rows or problem.eta <= 0.0 or not is_decomposed(samples):
        return None
    most = min(MOST_VECTORS, most_vectors(samples))
    spectrum = samples.leading(0.5 * LEVEL * problem.eta, most=most)
    # An eigenvector that is dropped from the basis may still count by the length that was left.
    above = 2.0 * (spectrum.floor + SHORTEST * float(spectrum.values.max(initial=0.0)))
    room = problem.eta - above
    far = room >= 0.5 * (1.0 - LEVEL) * problem.eta
    return (spectrum, room) if far else None


def low_rank_part(point: Point) -> tuple[Array, Array]:
    """Return [L v] and [C h]: M = X' diag(omega) X - sym([L v] [C h]')."""
    C = point.data.H + point.problem.lam * (point.L / point.smooth_scores[:, None])
    if point.v is None or point.data.h is None:
        return point.L, C
    return np.column_stack([point.L, point.v]), np.column_stack([C, point.data.h])


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
