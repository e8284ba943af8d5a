"""What M = sym(A X + B) has above eta on account of the span of a factor.

With an orthonormal basis Q of the span of L, (M - eta I) Q is minus half of the gradient in L, in
that basis: it is known without another product with the data. With R its part outside of the span
and mu the largest eigenvalue of M there,

    M - eta I  <=  Q (Q'MQ - eta I + R'R / c) Q'  +  (mu + c - eta) (I - QQ')    for every c > 0:

with c = eta - mu nothing outside the span exceeds eta, and R counts by its square. Where that room
is too small, c = |R| is the better choice.

Outside of the span M is X' diag(omega) X. So where the leading eigenvectors of S are known for the
squared loss, down to an eigenvalue well below eta / 2, the basis takes them in: then mu is known as
well, nothing outside exceeds eta, and a bound costs no more than a step.

What is computed instead of Q, MQ and R is off by little; `error` bounds how much larger M - eta I
may be on that account than the right-hand side.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..data import Spectrum
from ..linalg.basis import whitened
from ..linalg.eigen import largest_eigenvalue, pairs_above
from ..linalg.in_place import add_product
from ..linalg.rounding import TINY, eigen_error, norm, sum_error
from ..linalg.types import Array
from ..model.problem import Point
from .dual_point import Excess
from .matrix import gradient_error, low_rank_part, matrix_size
from .span_basis import extended, improved, with_offset

# Directions of the factor whose squared length is below this fraction of the largest are left out.
SHORTEST = 1e-7
# The least room beside the part that leaves the span.
NARROWEST = 1e-16
# The part of other errors that a basis which is not quite orthonormal may add.
SKEWED = 0.1


class Change(NamedTuple):
    """Rows of D in few coordinates: D = rows turn', and Q'rows."""

    rows: Array
    turn: Array
    within: Array


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
    error : float
        How far `inside` and R may be off, in the spectral norm.
    outside : float
        What M may have outside of the span besides X' diag(omega) X.
    given : ndarray of shape (n_features, rank)
        R before the change.
    skew : float
        How far Q'Q may be from the identity.
    change : Change or None
        How columns of B have changed since R was known.
    square_error : float
        How far R'R may be off on that account.
    """

    basis: Array
    inside: Array
    square: Array
    error: float
    outside: float
    given: Array
    skew: float
    change: Change | None = None
    square_error: float = 0.0

    @classmethod
    def of(
        cls,
        point: Point,
        spectrum: Spectrum | None = None,
        spectrum_image: Array | None = None,
        *,
        exactness: float = 1e-5,
        offset: bool = False,
    ) -> SpanPart:
        """Return the part of a point, in a basis that takes in the eigenvectors of a spectrum.

        Parameters
        ----------
        point : Point
            The factor.
        spectrum : Spectrum or None
            Eigenpairs of X' diag(omega) X, maybe for earlier weights.
        spectrum_image : ndarray or None
            X' diag(omega) X times the eigenvectors, where the weights have changed.
        exactness : float
            The error of an image that is aimed at, as a part of the weights; where it would be
            larger it takes a product with the data. None are taken if this is infinite.
        offset : bool
            Whether the basis takes in the offset, which M has outside of the span of L as well.
        """
        white = whitened(point.lengths, SHORTEST)
        left, right = low_rank_part(point)
        basis = point.L @ white.transform
        image = -0.5 * (point.gradient[:, : point.L.shape[1]] @ white.transform)
        # The image of a short direction is known less exactly, by its length.
        errors = gradient_error(point, left, right) / np.sqrt(white.lengths)
        errors = improved(point, left, right, basis, image, errors, exactness)
        if offset and point.v is not None:
            basis, image, errors = with_offset(point, basis, image, errors)
        dropped = right[:, : len(white.dropped)] @ white.dropped
        outside = norm(point.L @ white.dropped) * norm(dropped)
        if spectrum is not None and spectrum.values.size:
            given = basis, image, errors, exactness
            added = spectrum, spectrum_image
            basis, image, errors, left_out = extended(point, added, left, right, given)
            del given
            outside += left_out
        size = matrix_size(point, left, right)
        return cls._computed(basis, image, norm(errors), outside, size)

    @classmethod
    def _computed(
        cls, basis: Array, image: Array, error: float, outside: float, size: float
    ) -> SpanPart:
        """Return the part for a basis that is orthonormal up to what is measured here."""
        d, k = basis.shape
        gram = basis.T @ basis
        gram[np.diag_indices_from(gram)] -= 1.0
        if norm(gram) * size > SKEWED * (error + outside):
            # A step of Newton's towards the inverse root of the Gram matrix squares the distance.
            basis, image = basis - basis @ (0.5 * gram), image - image @ (0.5 * gram)
            gram = basis.T @ basis
            gram[np.diag_indices_from(gram)] -= 1.0
        skew = norm(gram) + sum_error(d) * k
        inside, length = basis.T @ image, norm(image)
        # What is left of the image is all that is needed of it.
        add_product(image, basis, inside, -1.0)
        error += skew * (size + 3.0 * length) + sum_error(d + k) * 2.0 * length
        inside = 0.5 * (inside + inside.T)
        return cls(basis, inside, image.T @ image, error, outside, image, skew)

    def changed(self, rows: Array, turn: Array | None = None) -> SpanPart:
        """Return the part for B - Q D' with D = `rows @ turn.T`: M changes by -(Q D' + D Q') / 2.

        The turn has orthonormal columns, as many as the rows; it is the identity if it is None.
        What leaves the span is not formed: a few products with it are all that is needed.
        """
        d, k = self.basis.shape
        turn = np.eye(k) if turn is None else turn
        within, joined, own = self.basis.T @ rows, self.leaving.T @ rows, rows.T @ rows
        own -= within.T @ within
        added, moved = within @ turn.T, (joined - 0.25 * (turn @ own)) @ turn.T
        inside = self.inside - 0.5 * (added + added.T)
        square = self.square - 0.5 * (moved + moved.T)
        unit, length = 4.0 * self.skew + 4.0 * sum_error(d + k) * np.sqrt(k), norm(rows)
        # R'Q vanishes but for rounding, and for how far Q is from orthonormal.
        most = max(float(self.square.trace()), 0.0) + k * self.square_error
        size = length + norm(self.inside) + math.sqrt(most) + self.error
        return replace(
            self,
            inside=inside,
            square=square,
            error=self.error + unit * length,
            given=self.leaving,
            change=Change(rows, turn, within),
            square_error=self.square_error + unit * size**2,
        )

    @cached_property
    def leaving(self) -> Array:
        """R."""
        if self.change is None:
            return self.given
        rows, turn, within = self.change
        leaving = self.given.copy()
        add_product(leaving, rows, turn.T, -0.5)
        add_product(leaving, self.basis, within @ turn.T, 0.5)
        return leaving

    def times(self, columns: Array) -> Array:
        """Return (M - eta I) Q times a few columns."""
        inside, change = self.inside @ columns, self.change
        if change is None:
            return self.given @ columns + self.basis @ inside
        turned = change.turn.T @ columns
        inside += 0.5 * (change.within @ turned)
        return self.given @ columns - 0.5 * (change.rows @ turned) + self.basis @ inside

    @cached_property
    def mixing(self) -> float:
        """What the norm of R does not exceed, but for the error."""
        if not self.square.size:
            return 0.0
        return float(np.sqrt(largest_eigenvalue(self.square) + self.square_error))

    def excess(self, room: float) -> Excess:
        """Return what exceeds eta if nothing outside the span comes nearer to it than the room."""
        # A room that would make squares overflow is taken to be larger, and the difference counts.
        given, room = room, max(room, NARROWEST * self.mixing, TINY)
        part = self.inside + self.square / room
        values, vectors = pairs_above(part, 0.0)
        crossed = (2.0 * self.mixing + self.error) * self.error / room
        solved = eigen_error(len(part), norm(part)) if part.size else 0.0
        rest = self.error + crossed + solved + max(room - given, 0.0) + self.square_error / room
        found = self.basis @ vectors
        return Excess(values, found, rest, part=self, room=given, coordinates=vectors)
