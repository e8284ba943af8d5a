"""Pseudo-labels, centres and a projection under norms that are not squared.

Minimise  sum_i |x_i - f_i C| + nu |R F|^2 + alpha sum_i |x_i V - f_i| + beta sum_i |v^i|
+ (gamma / 2) |F'F - I|^2  over V, C and F >= 0. Every norm |e| is sqrt(|e|^2 + eps) and lies below
its tangent in |e|^2: with weights s_i, t_i and w_i, the slopes of the three sums, what remains is
quadratic in V, in C and, but for the last term, in F.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from ...linalg.types import Array
from .nonnegative import reconstruction_weights
from .projection import Projection
from .pseudo_labels import PseudoLabels
from .regression import Regression
from .row_sparse import RowPenalty


@dataclass(frozen=True)
class RobustLabels:
    """The problem of this module; `residual` is R = I - A."""

    X: Array
    residual: sp.csr_array
    alpha: float
    beta: float
    nu: float
    gamma: float

    def fit(self, start: Array, *, max_iter: int, tol: float) -> tuple[Array, Projection]:
        """Return the pseudo-labels and the projection, from given pseudo-labels."""
        F = start
        centres = np.linalg.lstsq(F, self.X, rcond=None)[0]
        V = Regression(self.X).weighted(np.full(self.X.shape[1], self.beta))(F)
        objective: list[float] = []
        for _ in range(max_iter):
            F, centres, V = self._round(F, centres, V)
            objective.append(self.value(F, centres, V))
            if len(objective) > 1 and objective[-2] - objective[-1] <= tol * abs(objective[-1]):
                break
        return F, Projection(V=V, objective=np.array(objective))

    def value(self, F: Array, centres: Array, V: Array) -> float:
        """Return the objective."""
        norms = RowPenalty(gamma=1.0, p=1.0)
        return (
            norms.value(self.X - F @ centres)
            + self.nu * float(np.sum((self.residual @ F) ** 2))
            + self.alpha * norms.value(self.X @ V - F)
            + self.beta * norms.value(V)
            + PseudoLabels(np.zeros_like, self.gamma).excess(F)
        )

    def _round(self, F: Array, centres: Array, V: Array) -> tuple[Array, Array, Array]:
        """Minimise the tangents at the present point, over F, then C, then V."""
        norms = RowPenalty(gamma=1.0, p=1.0)
        s = norms.slopes(self.X - F @ centres)[:, None]
        t = self.alpha * norms.slopes(self.X @ V - F)[:, None]
        inner = centres @ centres.T

        def apply(G: Array) -> Array:
            smoothed = self.residual.T @ (self.residual @ G)
            return np.asarray(s * (G @ inner) + t * G + self.nu * smoothed)

        pull = s * (self.X @ centres.T) + t * (self.X @ V)
        F = PseudoLabels(apply, self.gamma, pull).improve(F)
        root_s, root_t = np.sqrt(s), np.sqrt(t)
        centres = np.linalg.lstsq(root_s * F, root_s * self.X, rcond=None)[0]
        solve = Regression(root_t * self.X).weighted(self.beta * norms.slopes(V))
        return F, centres, solve(root_t * F)


def local_learning(X: Array, n_neighbors: int) -> sp.csr_array:
    """Return I - A, A the ridge regressions that predict each sample's labels from its neighbours'.

    A linear function with an intercept, fitted to the neighbours with a ridge on its slope, has at
    the sample the value that the weights of locally linear embedding of the same ridge give.
    """
    weights = reconstruction_weights(X, n_neighbors, ridge=1.0)
    return sp.csr_array(sp.eye_array(len(X)) - weights)
