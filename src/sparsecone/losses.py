"""The two losses of the model family, as functions of the residual norms.

With `t_i = |x_i - W x_i - v|` the data term is `sum_i phi(t_i)`. Its gradient with respect to the
reconstruction of sample i has the length `omega_i t_i`, where `omega_i = phi'(t_i) / t_i`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


@dataclass(frozen=True)
class Squared:
    """phi(t) = t^2: SPCA-PSD. The data enter through S = X'X alone."""

    recenter = False
    needs_rows = False


@dataclass(frozen=True)
class Robust:
    """phi(t) = sqrt(t^2 + delta): CSPCA-PSD, and with `recenter` AW-SPCA-PSD.

    Parameters
    ----------
    delta : float
        Smoothing, in the units of a squared residual.
    recenter : bool
        Whether an offset v is learned with W.
    """

    delta: float
    recenter: bool = False
    needs_rows = True

    def value(self, squared_residuals: Array) -> float:
        """Return the sum of phi."""
        return float(np.sqrt(squared_residuals + self.delta).sum())

    def weights(self, squared_residuals: Array) -> Array:
        """Return omega, one weight a sample."""
        return np.asarray(1.0 / np.sqrt(squared_residuals + self.delta))

    def dual_value(self, inner: float, squared_lengths: Array, scale: float) -> float:
        """Return the dual objective at `scale` times the multipliers a_i.

        Parameters
        ----------
        inner : float
            <A, X'>.
        squared_lengths : ndarray of shape (n_samples,)
            |a_i|^2, at most `1 / scale^2`.
        scale : float
            Common factor of all multipliers.
        """
        slack = np.maximum(1.0 - scale**2 * squared_lengths, 0.0)
        return scale * inner + float(np.sqrt(self.delta * slack).sum())


Loss = Squared | Robust
