"""What every fit of a projection returns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...linalg.types import Array


@dataclass(frozen=True)
class Projection:
    """A projection and how it was reached.

    Attributes
    ----------
    V : ndarray of shape (n_features, n_columns)
        The projection.
    objective : ndarray of shape (n_iter,)
        The objective after every iteration.
    """

    V: Array
    objective: Array

    @property
    def scores(self) -> Array:
        """The norms of the rows of V."""
        return np.asarray(np.linalg.norm(self.V, axis=1))
