"""Dense data without its constant features, which tell samples apart in no method.

A criterion that rewards smoothness would take them first, for they are smoothest of all; they are
left out of the fit instead, and score zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..linalg.types import Array


@dataclass(frozen=True)
class NonConstant:
    """The features that are not constant."""

    X: Array  #: Their columns.
    mask: NDArray[np.bool_]  #: Where they stand among all.

    @classmethod
    def of(cls, X: Array) -> Self:
        """Return the features of X that are not constant."""
        mask = X.min(axis=0) < X.max(axis=0)
        return cls(X=X if mask.all() else X[:, mask], mask=mask)

    def spread(self, rows: Array) -> Array:
        """Return the rows of all features: those given, and zeros for the constant ones."""
        spread = np.zeros((self.mask.size, *rows.shape[1:]))
        spread[self.mask] = rows
        return spread

    def require(self, n_wanted: int, name: str) -> None:
        """Say so where there are fewer features than columns asked of the projection."""
        n_varying = self.X.shape[1]
        if n_wanted > n_varying:
            raise ValueError(
                f"{name} must not exceed the number of features that are not constant, "
                f"{n_varying} of n_features={self.mask.size}: lower it."
            )
