"""Non-negative pseudo-labels F, one column a cluster, nearly orthonormal.

They minimise  <F, M(F)> - 2 <F, B> + (gamma / 2) |F'F - I|^2  over F >= 0, where the linear map M
is symmetric and known by its products.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.cluster import KMeans

from ...linalg.types import Array
from .krylov import Operator

TINY = float(np.finfo(np.float64).tiny)
# What every sample has of every cluster at the start: a zero would stay one.
SHARE = 0.2
HALVINGS = 20


@dataclass(frozen=True)
class PseudoLabels:
    """The objective of this module.

    Attributes
    ----------
    apply : callable
        Maps F to M(F).
    gamma : float
        Weight of orthonormality.
    pull : ndarray of shape (n_samples, n_clusters) or 0.0
        The matrix B.
    """

    apply: Operator
    gamma: float
    pull: Array | float = 0.0

    def value(self, F: Array, image: Array) -> float:
        """Return the objective of F, given M(F)."""
        return float(np.sum(F * (image - 2.0 * self.pull))) + self.excess(F)

    def excess(self, F: Array) -> float:
        """Return what F pays for not being orthonormal."""
        return self.gamma / 2 * float(np.sum((F.T @ F - np.eye(F.shape[1])) ** 2))

    def improve(self, F: Array) -> Array:
        """Return F after one multiplicative update that does not raise the objective.

        Half the gradient is a - b with a, b >= 0, the positive and the negative part of M(F) - B
        with those of the penalty. F is multiplied by (b / a)^t and its columns are scaled to unit
        norm, as published with t = 1; M has negative entries, so that this alone may overshoot, and
        t is halved until it does not. F itself is returned where no t helps.
        """
        image = self.apply(F)
        slope = image - self.pull
        up = self.gamma * F + np.maximum(-slope, 0.0)
        down = self.gamma * (F @ (F.T @ F)) + np.maximum(slope, 0.0)
        ratio = up / np.maximum(down, TINY)
        before = self.value(F, image)
        for halving in range(HALVINGS):
            candidate = unit_columns(F * ratio ** (0.5**halving))
            if self.value(candidate, self.apply(candidate)) <= before:
                return candidate
        return F


def first_labels(
    points: Array, n_clusters: int, random_state: int | np.random.RandomState | None
) -> Array:
    """Return the clusters of k-means as pseudo-labels, all of them positive."""
    found = KMeans(n_clusters, n_init=10, random_state=random_state).fit(points).labels_
    return unit_columns((found[:, None] == np.arange(n_clusters)) + SHARE)


def unit_columns(F: Array) -> Array:
    """Return F with columns of unit norm."""
    return np.asarray(F / np.maximum(np.linalg.norm(F, axis=0), TINY))
