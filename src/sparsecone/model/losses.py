"""The losses of the model family, as functions of the residual norms.

With `t_i = |x_i - W x_i - v|` the data term is `sum_i phi(t_i)`. Its gradient with respect to the
reconstruction of sample i has the length `omega_i t_i`, where `omega_i = phi'(t_i) / t_i`.

A solver may smooth a loss that has a kink: `weights` and `smooth_value` then belong to the smoothed
one, while `value` and `conjugate`, and with them every certificate, are those of the loss itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

import numpy as np

from ..data import Data
from ..linalg.rounding import TINY
from ..linalg.types import Array
from .data_term import DataTerm, Image, squared_data_term, weighted_data_term

# The least smoothing of residuals beside the mean square of the samples.
LEAST_SMOOTHING = 1e-40


@dataclass(frozen=True)
class Squared:
    """phi(t) = t^2: SPCA-PSD. The data enter through S = X'X alone."""

    recenter = False
    needs_rows: ClassVar[Literal[False]] = False
    delta = smoothing = 0.0

    def data_term(
        self, data: Data, L: Array, v: Array | None, image: Image | None, *, gram: bool
    ) -> DataTerm:
        """Return the data term at W = L L', from 2 S L where that is known."""
        del v, gram
        return squared_data_term(data, L, image)

    def nearby(self, data: Data, term: DataTerm, L: Array, image: Image) -> DataTerm:
        """Return the data term at a factor whose image is known."""
        del term
        return squared_data_term(data, L, image)

    def unit(self, scale: float) -> float:
        """Return what the loss is multiplied by if the samples are multiplied by a scale."""
        return scale**2

    def softened(self, smoothing: float) -> Self:
        """Return the loss itself: it is smooth."""
        del smoothing
        return self


@dataclass(frozen=True)
class Robust:
    """phi(t) = sqrt(t^2 + delta): CSPCA-PSD, and with `recenter` AW-SPCA-PSD.

    Parameters
    ----------
    delta : float
        Smoothing of the objective, in the units of a squared residual; the models have none.
    recenter : bool
        Whether an offset v is learned with W.
    smoothing : float
        What a solver adds to delta.
    """

    delta: float = 0.0
    recenter: bool = False
    smoothing: float = 0.0
    needs_rows: ClassVar[Literal[True]] = True

    def value(self, squared_residuals: Array) -> float:
        """Return the sum of phi."""
        return float(np.sqrt(squared_residuals + self.delta).sum())

    def smooth_value(self, squared_residuals: Array) -> float:
        """Return the sum of the smoothed phi, which the weights belong to."""
        return float(np.sqrt(squared_residuals + self._total).sum())

    def weights(self, squared_residuals: Array) -> Array:
        """Return omega, one weight a sample."""
        return np.asarray(1.0 / np.sqrt(squared_residuals + self._total))

    def conjugate(self, squared_lengths: Array) -> float:
        """Return the sum of phi* of the lengths of the multipliers, which are at most one."""
        return -float(np.sqrt(self.delta * np.maximum(1.0 - squared_lengths, 0.0)).sum())

    def shrink(self, norms: Array, rho: float) -> Array:
        """Return the minimisers t of `phi(t) + rho/2 (t - norm)^2`, by Newton's iteration."""
        t = np.maximum(norms - 1.0 / rho, 0.0)
        if self.delta == 0.0:
            return t
        for _ in range(60):
            roots = np.sqrt(t**2 + self.delta)
            step = (t / roots + rho * (t - norms)) / (self.delta / roots**3 + rho)
            t = np.clip(t - step, 0.0, norms)
            if np.all(np.abs(step) <= 1e-14 * (norms + np.sqrt(self.delta))):
                break
        return t

    def data_term(
        self, data: Data, L: Array, v: Array | None, image: Image | None, *, gram: bool
    ) -> DataTerm:
        """Return the data term at W = L L' and the offset v, in one pass over the rows."""
        del image
        return weighted_data_term(data, self, L, v, gram=gram and v is None)

    def nearby(self, data: Data, term: DataTerm, L: Array, image: Image) -> DataTerm:
        """Return what majorises the data term at a factor whose image is known for the weights."""
        del data
        return term.majorised(L, image)

    def unit(self, scale: float) -> float:
        """Return what the loss is multiplied by if the samples are multiplied by a scale."""
        return scale

    def softened(self, smoothing: float) -> Self:
        """Return the same loss with another smoothing by the solver."""
        return replace(self, smoothing=smoothing)

    @property
    def _total(self) -> float:
        return max(self.delta + self.smoothing, float(np.finfo(float).tiny))


Loss = Squared | Robust


def least_smoothing(data: Data) -> float:
    """Return the least smoothing of residuals, a tiny part of their rounding.

    A residual that vanishes must not have a weight whose square overflows.
    """
    return max(LEAST_SMOOTHING * data.trace / data.n_samples, TINY)
