"""What a block of rows adds to the data term of a loss that weighs the samples, and its rounding.

Each sample brings

    |r_i|^2 = |x_i|^2 - 2 |p_i|^2 + p_i A p_i' + 2 v'(W x_i - x_i) + |v|^2,      p_i = L'x_i.

Rounding: with f = |L| (Frobenius), inner products of length d and relative error e leave |r_i|^2
off by at most `e (s + |v|)(s + |v| + 4 f (|p_i| + |A p_i| + |L'v|))`, where s^2 is the size of the
sample (at least |x_i|^2). A residual that is small beside that is computed entry by entry, and off
by at most e (s + |v|)(1 + 2 f |W|^1/2). What is left of the mean adds (1 + |W|) times its length.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from ..data import Rows, Terms
from ..data.products import TILE
from ..linalg.rounding import norm, sum_error
from ..linalg.types import Array

# The part of its squared length below which a residual is computed entry by entry.
NEAR = 1e-3


class RowLoss(Protocol):
    """What a loss that weighs the samples tells, all as functions of squared residual norms."""

    def value(self, squared_residuals: Array) -> float:
        """Return the sum of phi."""
        ...

    def smooth_value(self, squared_residuals: Array) -> float:
        """Return the sum of phi as the solver has smoothed it."""
        ...

    def weights(self, squared_residuals: Array) -> Array:
        """Return omega."""
        ...

    def conjugate(self, squared_lengths: Array) -> float:
        """Return the sum of phi* of the lengths of the multipliers."""
        ...


def row_terms(rows: Rows, *, loss: RowLoss, L: Array, v: Array | None, gram: bool) -> Terms:
    """Return what a block of rows adds to the data term, with its omega.

    What is summed for H is X' diag(omega) X, or its product with L, and h beside it.
    """
    found = residuals(rows, L, v)
    P, squared = found.projected, found.squared
    omega = loss.weights(squared)
    inner = float(omega @ (rows.squared_norms - np.einsum("ik,ik->i", P, P) - found.along))
    weighted = P * omega[:, None]
    if gram:
        back = rows.weighted_gram(omega)
    else:
        back = rows.backproject(weighted if v is None else np.column_stack([weighted, omega]))
    value, lengths = loss.value(squared), np.sqrt(rows.sizes)
    off = max(loss.value(found.highest) - value, value - loss.value(found.lowest))
    inner_off = float(omega @ (found.inner_errors + 2.0 * found.shift * lengths))
    matrix_off = rows.relative_error * float(omega @ rows.sizes)
    matrix_off += 3.0 * rows.centre_error * float(omega @ lengths)
    sums = (
        *(value, loss.smooth_value(squared), back, weighted.sum(axis=0), float(omega.sum())),
        *(inner, 0.5 * float(omega @ squared), float(omega @ rows.squared_norms)),
        *(off, inner_off, matrix_off),
    )
    return Terms(sums, float((omega**2 * found.highest).max(initial=0.0)), rowwise=(omega,))


class Residuals(NamedTuple):
    """P = X L, X v, |r_i|^2 and its error, that of <a_i, x_i>, and what a shift of the mean adds.

    Where a sample is nearly reproduced its residual is computed entry by entry.
    """

    projected: Array
    along: Array
    squared: Array
    errors: Array
    inner_errors: Array
    shift: float

    @property
    def highest(self) -> Array:
        """What the squared residuals do not exceed."""
        return np.asarray((np.sqrt(self.squared + self.errors) + self.shift) ** 2)

    @property
    def lowest(self) -> Array:
        """What the squared residuals do not fall below."""
        least = np.sqrt(np.maximum(self.squared - self.errors, 0.0)) - self.shift
        return np.maximum(least, 0.0) ** 2


def residuals(rows: Rows, L: Array, v: Array | None) -> Residuals:
    """Return the residuals of a block of rows."""
    r, A = L.shape[1], L.T @ L
    P = rows.project(L if v is None else np.column_stack([L, v]))
    P, q = P[:, :r], P[:, r:].sum(axis=1)
    PA = P @ A
    squares = np.einsum("ik,ik->i", P, P)
    squared = rows.squared_norms - 2.0 * squares + np.einsum("ik,ik->i", PA, P)
    size, factor, spread = np.sqrt(rows.sizes), norm(L), 1.0 + norm(A)
    reach = np.sqrt(squares) + np.sqrt(np.einsum("ik,ik->i", PA, PA))
    if v is not None:
        Lv = L.T @ v
        squared += 2.0 * (P @ Lv - q) + v @ v
        size = size + norm(v)
        reach = reach + norm(Lv)
    inner_errors = rows.relative_error * size * (size + 4.0 * factor * reach)
    errors = inner_errors.copy()
    near = np.flatnonzero(squared < NEAR * size**2)
    for part in np.array_split(near, max(1, near.size * rows.n_features // TILE)):
        entries = rows.dense(part) - P[part] @ L.T - (0.0 if v is None else v)
        squared[part] = np.einsum("ij,ij->i", entries, entries)
        off = rows.relative_error * size[part] * (1.0 + 2.0 * factor * np.sqrt(spread))
        errors[part] = off * (2.0 * np.sqrt(squared[part]) + off)
    shift = rows.centre_error * spread
    return Residuals(P, q, np.maximum(squared, 0.0), errors, inner_errors, shift)


def multiplier_terms(
    rows: Rows, omega: Array, *, L: Array, v: Array | None, mean: Array | None
) -> Terms:
    """Return bounds of |a_i|^2, about the mean of all a_i where there is an offset."""
    found = residuals(rows, L, v)
    lengths = omega * np.sqrt(found.highest)
    if v is not None and mean is not None:
        along = rows.project(mean[:, None])[:, 0] - found.projected @ (L.T @ mean) - v @ mean
        squared = omega**2 * found.squared - 2.0 * omega * along + mean @ mean
        # What the residual and the mean are off by counts at most by its length.
        off = lengths - omega * np.sqrt(found.squared)
        off = off + sum_error(rows.n_features) * (lengths + norm(mean))
        lengths = np.sqrt(np.maximum(squared, 0.0)) + 2.0 * off
    return Terms(largest=float((lengths**2).max(initial=0.0)), rowwise=(lengths**2,))
