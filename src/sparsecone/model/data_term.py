"""The data term at a point, with what gradient and certificate need of it, and its rounding.

The squared loss is tr S - 2 tr(L'SL) + tr(L'SL A) with A = L'L: one product with S. A loss that
weighs the samples takes one pass over them, in which each brings

    |r_i|^2 = |x_i|^2 - 2 |p_i|^2 + p_i A p_i' + 2 v'(W x_i - x_i) + |v|^2,      p_i = L'x_i.

Rounding: with f = |L| (Frobenius), inner products of length d and relative error e leave |r_i|^2
off by at most `e (s + |v|)(s + |v| + 4 f (|p_i| + |A p_i| + |L'v|))`, where s^2 is the size of the
sample (at least |x_i|^2). A residual that is small beside that is computed entry by entry, and off
by at most e (s + |v|)(1 + 2 f |W|^1/2). What is left of the mean adds (1 + |W|) times its length.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple, Protocol, Self

import numpy as np

from ..data import Data, Rows, Terms
from ..data.products import TILE
from ..linalg.rounding import sum_error
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


class Image(NamedTuple):
    """X' diag(omega) X L, and how far it may be off in the norm of Frobenius."""

    values: Array
    error: float

    def times(self, *transforms: Array) -> Image:
        """Return the image of L T, of L T C and so on, multiplied from the left."""
        values, together = self.values, np.eye(self.values.shape[1])
        absolute = together
        for transform in transforms:
            values, together = values @ transform, together @ transform
            absolute = absolute @ np.abs(transform)
        size = _norm(self.values) * _norm(absolute)
        rounding = len(transforms) * sum_error(len(together)) * size
        return Image(values, self.error * float(np.linalg.norm(together, 2)) + rounding)


@dataclass(frozen=True)
class DataTerm:
    """The data term at a point.

    Attributes
    ----------
    value : float
        The sum of phi.
    smooth_value : float
        The same for the loss as the solver has smoothed it, to which weights and gradient belong.
    H : ndarray of shape (n_features, rank)
        X' diag(omega) X L.
    H_error : float
        How far H may be off in the norm of Frobenius.
    weights : ndarray of shape (n_samples,) or None
        omega, or what `Data.collect` keeps of it; None for the constant weight 2 of the squared
        loss.
    total_weight : float
        The sum of omega.
    h : ndarray of shape (n_features,) or None
        X' omega, where there is an offset.
    projected_weights : ndarray of shape (rank,) or None
        P' omega, where there is an offset.
    inner : float
        <A, X'> for the multipliers a_i = omega_i (x_i - W x_i - v).
    quadratic : float
        sum_i omega_i |r_i|^2 / 2: what the squared loss subtracts from <A, X'> in the dual.
    curvature : float
        The trace of X' diag(omega) X.
    rounding : float
        How far `value` may be off.
    inner_rounding : float
        How far `inner` may be off.
    matrix_rounding : float
        How far X' diag(omega) X as a matrix may be off, in the spectral norm.
    longest : float
        What no |a_i|^2 exceeds; infinite where that was not looked for.
    gram : ndarray of shape (n_features, n_features) or None
        X' diag(omega) X, where it was asked for.
    is_majorised : bool
        Whether the weights are those of another point, so that the values are too large.
    """

    value: float
    smooth_value: float
    H: Array
    H_error: float
    weights: Any
    total_weight: float
    h: Array | None
    projected_weights: Array | None
    inner: float
    quadratic: float
    curvature: float
    rounding: float
    inner_rounding: float
    matrix_rounding: float
    longest: float = np.inf
    gram: Array | None = None
    is_majorised: bool = False

    @property
    def image(self) -> Image:
        """H and its error."""
        return Image(self.H, self.H_error)

    def majorised(self, L: Array, image: Image) -> Self:
        """Return what majorises the data term at another factor, whose image is known.

        With the weights as they are, `phi(t) <= phi(t_i) + omega_i (t^2 - t_i^2) / 2`.
        """
        explained = L.T @ image.values
        lost = float(np.trace(explained))
        inner = self.curvature - lost
        quadratic = 0.5 * (inner - lost + float(np.vdot(explained, L.T @ L)))
        value = self.smooth_value + quadratic - self.quadratic
        return replace(
            self,
            value=value,
            smooth_value=value,
            H=image.values,
            H_error=image.error,
            inner=inner,
            quadratic=quadratic,
            longest=1.0,
            is_majorised=True,
        )

    def turned(self, rotation: Array) -> Self:
        """Return the same for the factor L R, R orthogonal."""
        projected = self.projected_weights
        projected = None if projected is None else projected @ rotation
        return replace(self, H=self.H @ rotation, projected_weights=projected)


def squared_data_term(data: Data, L: Array, image: Image | None) -> DataTerm:
    """Return the data term of the squared loss."""
    A, error = L.T @ L, data.gram_error
    factor = _norm(L)
    if image is None:
        image = Image(2.0 * data.gram_product(L), 2.0 * error * factor)
    B = L.T @ image.values
    explained, trace = float(np.trace(B)), data.trace
    value = trace - explained + 0.5 * float(np.vdot(B, A))
    off = image.error * factor
    return DataTerm(
        value=value,
        smooth_value=value,
        H=image.values,
        H_error=image.error,
        weights=None,
        total_weight=2.0 * data.n_samples,
        h=None,
        projected_weights=None,
        inner=2.0 * trace - explained,
        quadratic=value,
        curvature=2.0 * trace,
        rounding=error + off * (1.0 + _norm(A)),
        inner_rounding=2.0 * error + off,
        matrix_rounding=2.0 * error,
    )


def weighted_data_term(
    data: Data, loss: RowLoss, L: Array, v: Array | None, *, gram: bool
) -> DataTerm:
    """Return the data term of a loss that weighs the samples, in one pass over them."""
    found = data.collect(partial(row_terms, loss=loss, L=L, v=v, gram=gram))
    value, smooth, back, projected, total, inner, quadratic, curvature = found.sums[:8]
    rounding, inner_rounding, matrix_rounding = found.sums[8:]
    r = L.shape[1]
    return DataTerm(
        value=value,
        smooth_value=smooth,
        H=back @ L if gram else back[:, :r],
        H_error=matrix_rounding * _norm(L),
        weights=found.rowwise[0],
        total_weight=total,
        h=None if v is None else back[:, r],
        projected_weights=projected,
        inner=inner,
        quadratic=quadratic,
        curvature=curvature,
        rounding=rounding + sum_error(data.n_samples) * value,
        inner_rounding=inner_rounding + sum_error(data.n_samples) * abs(inner),
        matrix_rounding=matrix_rounding,
        longest=found.largest,
        gram=back if gram else None,
    )


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
    size, factor, spread = np.sqrt(rows.sizes), _norm(L), 1.0 + _norm(A)
    reach = np.sqrt(squares) + np.sqrt(np.einsum("ik,ik->i", PA, PA))
    if v is not None:
        Lv = L.T @ v
        squared += 2.0 * (P @ Lv - q) + v @ v
        size = size + _norm(v)
        reach = reach + _norm(Lv)
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
        off = off + sum_error(rows.n_features) * (lengths + _norm(mean))
        lengths = np.sqrt(np.maximum(squared, 0.0)) + 2.0 * off
    return Terms(largest=float((lengths**2).max(initial=0.0)), rowwise=(lengths**2,))


def _norm(array: Array) -> float:
    return float(np.linalg.norm(array))
