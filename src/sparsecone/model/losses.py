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

    def slack(self, squared_lengths: Array, scales: Array) -> Array:
        """Return what the smoothing adds to <A, X'> in the dual, at each scale of the multipliers.

        Parameters
        ----------
        squared_lengths : ndarray of shape (n_samples,)
            |a_i|^2, at most `1 / scale^2`.
        scales : ndarray
            Common factors of all multipliers.
        """
        sums = [np.sqrt(np.maximum(1.0 - s**2 * squared_lengths, 0.0)).sum() for s in scales]
        return np.sqrt(self.delta) * np.asarray(sums)


Loss = Squared | Robust
