"""Pairs of a matrix in a span that is all but invariant, and what they say of all others."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from ..linalg.eigen import largest_eigenvalue
from ..linalg.rounding import norm
from ..linalg.types import Array


@dataclass(frozen=True)
class Ritz:
    """Pairs of a matrix G in a span, from which G leads out by little.

    Attributes
    ----------
    values, vectors : ndarray of shape (k,) and (size, k)
        The pairs, the largest first.
    residuals : ndarray of shape (size, k)
        R = G U - U diag(values).
    given : ndarray of shape (size, k)
        The vectors from single precision that the span is made of.
    lost : float
        What it has lost of them, squared, weighed by their eigenvalues.
    outside : float
        What G does not exceed outside of the span.
    """

    values: Array
    vectors: Array
    residuals: Array
    given: Array
    lost: float
    outside: float

    @classmethod
    def nothing(cls, size: int) -> Self:
        """Return no pairs."""
        none = np.zeros((size, 0))
        return cls(np.zeros(0), none, none, none, 0.0, np.inf)

    def first(self, count: int) -> Self:
        """Return the first pairs, and all that the span is made of."""
        vectors, residuals = self.vectors[:, :count], self.residuals[:, :count]
        return replace(self, values=self.values[:count], vectors=vectors, residuals=residuals)

    @cached_property
    def inside(self) -> Array:
        """U'R: rounding, and how pairs that were found one after the other are joined."""
        return np.asarray(self.vectors.T @ self.residuals)

    def residual(self, count: int) -> float:
        """Return the spectral norm of the first columns of R."""
        columns = self.residuals[:, :count]
        return math.sqrt(largest_eigenvalue(columns.T @ columns)) if count else 0.0

    @cached_property
    def error(self) -> float:
        """How far the eigenvalues of G are from the values and those outside of the span."""
        return self.residual(self.values.size) + norm(self.inside)

    def floor(self, count: int) -> float:
        """Return what G does not exceed outside of the span of the first vectors."""
        others = self.values[count:]
        return max(float(others.max(initial=0.0)), self.outside) + self.error
