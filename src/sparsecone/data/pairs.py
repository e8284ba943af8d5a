"""What is known of the eigenvalues of S = X'X, and its leading eigenpairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..linalg.rounding import TINY
from ..linalg.types import Array

# Eigenvalues below this fraction of the largest are zero.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Eigenvalues:
    """All eigenvalues of S that its smaller side has, the largest first.

    Attributes
    ----------
    values : ndarray of shape (size,)
        The eigenvalues.
    error : float
        How far each of the leading ones may be above that.
    spread : float
        The root of the sum of squares of what all others may be above that and the error.
    n_leading : int or None
        How many lead; None for all.
    """

    values: Array
    error: float
    spread: float = 0.0
    n_leading: int | None = None

    def slack(self, counts: Array) -> Array:
        """Return what the sum of so many first ones may be off by besides the error of each.

        So may a sum of functions of them whose slopes are at most one.
        """
        leading = self.values.size if self.n_leading is None else self.n_leading
        return np.asarray(self.spread * np.sqrt(np.maximum(counts - leading, 0)))


@dataclass(frozen=True)
class Spectrum:
    """Eigenvalues in descending order, with their eigenvectors as columns.

    Attributes
    ----------
    values : ndarray of shape (k,)
        The eigenvalues.
    vectors : ndarray of shape (n_features, k)
        The eigenvectors.
    floor : float
        No eigenvalue above it is missing, but for the error.
    residual : float
        Error of the decomposition, in the spectral norm; infinite where the pairs are approximate.
    is_projected : bool
        Whether X X' was decomposed: X'v is an eigenvector of X'X for every eigenvector v. A
        residual r of v becomes X'r, which the length of X'v divides.
    """

    values: Array
    vectors: Array
    floor: float
    residual: float = np.inf
    is_projected: bool = False

    @property
    def error(self) -> float:
        """The matrix has these pairs, and no others above the floor, but for this spectral norm."""
        if not self.is_projected or self.values.size == 0:
            return self.residual
        ratio = float(self.values[0]) / max(float(self.values[-1]), TINY)
        return self.residual * float(np.sqrt(ratio))

    def times(self, factor: float) -> Spectrum:
        """Return the spectrum of a multiple of the matrix."""
        values, floor, residual = factor * self.values, factor * self.floor, factor * self.residual
        return Spectrum(values, self.vectors, floor, residual, self.is_projected)

    def covers(self, threshold: float, most: int | None) -> bool:
        """Return whether what is asked for is part of this."""
        return threshold >= self.floor or (most is not None and most <= self.values.size)

    def above(self, threshold: float, most: int | None = None) -> Spectrum:
        """Return the pairs above the threshold and above rounding, at most so many."""
        least = max(threshold, ROUNDING * float(self.values.max(initial=0.0)))
        count = int(np.count_nonzero(self.values > least))
        if most is None or count <= most:
            floor = max(threshold, self.floor)
        else:
            count, floor = most, float(self.values[most - 1])
        # What rounding hides is not above the threshold, but for the error.
        floor = max(floor, least) if count < self.values.size else floor
        values, vectors = self.values[:count], self.vectors[:, :count]
        return Spectrum(values, vectors, floor, self.residual, self.is_projected)
