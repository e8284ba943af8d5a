"""Projection onto the cone of positive semidefinite matrices, from its smaller side."""

from __future__ import annotations

import numpy as np
import scipy.linalg

from .eigen import pairs_above
from .types import Array


class Cone:
    """Projects onto the PSD cone, decomposing whichever side had fewer eigenvalues last time."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.rank = size // 2

    def project(self, matrix: Array) -> Array:
        """Return the nearest PSD matrix to a symmetric one."""
        if self.rank <= self.size // 2:
            part, self.rank = positive_part(matrix)
            return part
        part, negative = positive_part(-matrix)
        self.rank = self.size - negative
        return np.asarray(matrix + part)

    def factor(self, matrix: Array) -> Array:
        """Return L with L L' equal to a PSD matrix, up to rounding."""
        values, vectors = scipy.linalg.eigh(matrix)
        keep = values > 1e-12 * max(float(values[-1]), 0.0)
        return np.asarray(vectors[:, keep] * np.sqrt(values[keep]))


def positive_part(matrix: Array) -> tuple[Array, int]:
    """Return the sum over the positive eigenvalues, and their number."""
    values, vectors = pairs_above(matrix, 0.0)
    return (vectors * values) @ vectors.T, int(values.size)
