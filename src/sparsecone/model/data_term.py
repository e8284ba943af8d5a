"""The data term at a point, with what gradient and certificate need of it, and its rounding.

The squared loss is tr S - 2 tr(L'SL) + tr(L'SL A) with A = L'L: one product with S. A loss that
weighs the samples takes one pass over them (`sparsecone.model.row_terms`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple, Self

import numpy as np

from ..data import Data
from ..linalg.rounding import norm, spectral_bound, sum_error
from ..linalg.types import Array
from .row_terms import RowLoss, row_terms


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
        size = norm(self.values) * norm(absolute)
        rounding = len(transforms) * sum_error(len(together)) * size
        return Image(values, self.error * spectral_bound(together) + rounding)


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
    factor = norm(L)
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
        rounding=error + off * (1.0 + norm(A)),
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
        H_error=matrix_rounding * norm(L),
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
