"""Columns of B that W leaves free: a step of the dual that takes no product with the data.

Where w_j vanishes, b_j may be anything of a length up to lam; what it is follows from M <= eta I.
At the optimum (M - eta I) W = 0. With an orthonormal basis Q of the span of L and b_j = -Q e_j, the
row j of that is linear in e_j, so that

    e_j  ->  e_j + 2 ((M - eta I) Q)_j P_W

makes it vanish, with P_W the projection onto the range of W. What M then has above eta is
subtracted from B, columns that have become too long are clipped, and so on: a few rounds of
projections, after which the usual repairs of `sparsecone.certificate.dual_point` have little left
to do.

What a column has in the range of W is all but determined, while what it has outside may be traded
for that of others. So a column that is too long is shortened there first; then M is below eta in
the range of W, and what is left outside is subtracted once more, with columns that are shortened as
a whole.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from ..linalg.basis import whitened, whitening
from ..linalg.in_place import add_product
from ..linalg.rounding import TINY, norm, sum_error
from ..linalg.types import Array
from ..model.problem import Point
from .dual_point import Excess
from .span import SpanPart

# The part of the largest score below which a column is free.
FREE = 0.03
# Directions of W whose squared length is below this fraction of the largest are none of its range.
VANISHING = 1e-4
# The squared length beside the directions there are up to which another one is not new.
NOT_NEW = 1e-6


@dataclass(frozen=True)
class FreeColumns:
    """Columns b_j - Q d_j in the place of those at a point.

    All that is subtracted lies in few directions of the span: those of L, and those in which M
    exceeded eta. Rows of D are held in coordinates of these.

    Attributes
    ----------
    point : Point
        Where the multipliers are taken.
    start : SpanPart
        M - eta I with the columns at the point.
    turn : ndarray of shape (rank, n_directions)
        The directions in the basis Q, orthonormal; those of L come first.
    given : ndarray of shape (n_features, rank of L)
        -Q'b_j at the point, one a row, in coordinates of the first directions.
    span : ndarray of shape (rank of L, rank of W)
        Q'U with U a basis of the range of W, in the same coordinates.
    free : ndarray of bool of shape (n_features,)
        Which columns are free.
    rows : ndarray of shape (n_features, n_directions)
        D, of rows d_j, in coordinates of all directions.
    part : SpanPart
        M - eta I with the columns as they are now.
    """

    point: Point
    start: SpanPart
    turn: Array
    given: Array
    span: Array
    free: Array
    rows: Array
    part: SpanPart

    @classmethod
    def of(cls, point: Point, part: SpanPart) -> Self | None:
        """Return the columns at a point, or None where none is free."""
        scores = np.sqrt(point.squared_scores)
        free = scores <= FREE * scores.max(initial=0.0)
        if point.problem.lam == 0.0 or not free.any():
            return None
        turn, inside = np.linalg.qr(part.basis.T @ point.L)
        given = point.problem.lam * (point.L / point.smooth_scores[:, None]) @ inside.T
        span = inside @ whitened(point.lengths, VANISHING).transform
        return cls(point, part, turn, given, span, free, np.zeros_like(given), part)

    def cancelled(self) -> Self:
        """Return the columns with which the free rows of (M - eta I) W vanish, shortened."""
        return self._with(self._cancelled(self.rows.copy()))

    def subtracted(self, excess: Excess, *, inside_first: bool) -> Self:
        """Return the same less what M has above eta.

        Parameters
        ----------
        excess : Excess
            The eigenpairs of M above eta, with their coordinates.
        inside_first : bool
            Whether columns keep what they have in the range of W as they are shortened.
        """
        assert excess.coordinates is not None
        wider = self._towards(excess.coordinates)
        along = wider.turn.T @ excess.coordinates
        rows = wider.rows.copy()
        add_product(rows, excess.vectors * excess.values, along.T)
        return wider._with(wider._cancelled(rows), inside_first=inside_first)

    def _towards(self, directions: Array) -> Self:
        """Return the same with further directions, as far as they are new."""
        new = directions - self.turn @ (self.turn.T @ directions)
        new = new @ whitening(new.T @ new, NOT_NEW, unit=1.0).transform
        rows = np.zeros((len(self.rows), self.rows.shape[1] + new.shape[1]))
        rows[:, : self.rows.shape[1]] = self.rows
        return replace(self, turn=np.column_stack([self.turn, new]), rows=rows)

    def _cancelled(self, rows: Array) -> Array:
        """Add to rows what cancels the free rows of (M - eta I) W, in place; return them."""
        r = len(self.span)
        image = self.part.times(self.turn[:, :r] @ self.span)
        rows[:, :r] += 2.0 * ((image * self.free[:, None]) @ self.span.T)
        return rows

    def _with(self, columns: Array, *, inside_first: bool = False) -> Self:
        """Return the columns with these rows, which are used up, shortened where too long."""
        lam, r = self.point.problem.lam, len(self.span)
        columns[:, :r] += self.given
        # A product may vanish or overflow, where a power raises an error; then it divides nothing.
        most = lam * lam
        least = max(most, TINY)
        squares = np.einsum("jk,jk->j", columns, columns)
        if inside_first:
            inside = columns[:, :r] @ self.span
            within = np.einsum("jk,jk->j", inside, inside)
            kept = lam / np.sqrt(np.maximum(within, least))
            room = np.maximum(most - kept**2 * within, 0.0)
            # Where all is inside, what is left of the rest is rounding.
            outside = np.maximum(squares - within, max(1e-14 * most, TINY))
            shares = np.sqrt(np.minimum(1.0, room / outside))
            columns *= shares[:, None]
            columns[:, :r] += ((kept - shares)[:, None] * inside) @ self.span.T
        else:
            columns *= (lam / np.sqrt(np.maximum(squares, least)))[:, None]
        columns[:, :r] -= self.given
        return replace(self, rows=columns, part=self.start.changed(columns, self.turn))

    @property
    def diagonal(self) -> Array:
        """The diagonal of D Q'."""
        return np.asarray(np.einsum("jk,jk->j", self.rows, self.part.basis @ self.turn))

    def products(self, vectors: Array) -> Array:
        """Return D Q' times some vectors."""
        return np.asarray(self.rows @ (self.turn.T @ (self.part.basis.T @ vectors)))

    def squares(self, squares: Array) -> Array:
        """Return bounds of the squared lengths, from those at the point."""
        rows, point, lam = self.rows, self.point, self.point.problem.lam
        r, (k, m) = self.given.shape[1], self.turn.shape
        added = np.einsum("jk,jk->j", rows, rows)
        crossed = 2.0 * np.einsum("jk,jk->j", rows[:, :r], self.given)
        # -Q'b_j is off by the rounding of products of L with itself and with Q.
        sizes = np.sqrt(np.einsum("jk,jk->j", point.L, point.L)) / point.smooth_scores
        sizes *= lam * norm(point.L)
        # The directions are not quite orthonormal, nor is Q.
        turned = norm(self.turn.T @ self.turn - np.eye(m)) + sum_error(k) * m
        rounding = (sum_error(len(rows)) + turned) * (lam + sizes + np.sqrt(added)) ** 2
        rounding += self.part.skew * added
        return np.asarray(np.maximum(squares + crossed + added, 0.0) + rounding)
