"""Weighted ridge regression on all features: the step that row-sparse regressions repeat.

With positive weights w the minimiser of |X V - T|^2 + sum_i w_i |v^i|^2 is
V = (X'X + diag(w))^-1 X'T = diag(w)^-1 X' (X diag(w)^-1 X' + I)^-1 T; it is solved on the smaller
side, and the weights, which may span fifteen orders of magnitude, enter by their inverses.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from ...linalg.types import Array
from .krylov import Operator


@dataclass(frozen=True)
class Regression:
    """Regressions on the columns of X, an n x d array."""

    X: Array

    @cached_property
    def _gram(self) -> Array:
        return self.X.T @ self.X

    def weighted(self, weights: Array) -> Operator:
        """Return the map of targets T to the coefficients V."""
        X, (n_samples, n_features) = self.X, self.X.shape
        if n_features > n_samples:
            scaled = X / weights
            factor = _factor(scaled @ X.T)
            return lambda T: scaled.T @ cho_solve(factor, T, check_finite=False)
        root = 1.0 / np.sqrt(weights)
        factor = _factor(root[:, None] * self._gram * root)

        def solve(T: Array) -> Array:
            inner = cho_solve(factor, root[:, None] * (X.T @ T), check_finite=False)
            return np.asarray(root[:, None] * inner)

        return solve


def _factor(matrix: Array) -> Any:
    """Return the Cholesky factor of a positive semidefinite matrix plus the identity."""
    matrix.flat[:: len(matrix) + 1] += 1.0
    return cho_factor(matrix, overwrite_a=True, check_finite=False)
