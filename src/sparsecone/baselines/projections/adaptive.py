"""A projection and two structures of the samples that are learned with it.

With U = X V, minimise  |U - Z U|^2 + alpha sum |z_ij| + beta sum (|u_i - u_j|^2 p_ij + mu p_ij^2)
+ gamma sum_i |v^i|  over V with U'U = I, Z with a zero diagonal, and P whose rows are not negative
and sum to one. Each of the three is improved in turn; no step raises the value.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg
import scipy.sparse as sp

from ...linalg.types import Array
from ..graph import nearest_neighbours, row_batches
from .affinities import (
    Affinities,
    closed_form_affinities,
    nearest_affinities,
    squared_distances,
)
from .dirichlet import EPS
from .projection import Projection
from .row_sparse import RowPenalty

# Proximal steps that Z is given in a round.
STEPS = 10


@dataclass(frozen=True)
class AdaptiveStructure:
    """The problem of this module: X centred, and the weights of its terms."""

    X: Array
    alpha: float
    beta: float
    penalty: RowPenalty
    n_neighbors: int

    def fit(self, n_components: int, *, max_iter: int, tol: float) -> Projection:
        """Return the projection; Z starts from zero, P from the neighbours of the samples."""
        Z = sp.csr_array((len(self.X), len(self.X)))
        P, _ = closed_form_affinities(self.X, self.n_neighbors)
        weights = np.full(self.X.shape[1], self.penalty.gamma)
        V = self._project(Z, P, weights, n_components)
        P, mu = closed_form_affinities(self.X @ V, self.n_neighbors)
        mu = max(mu, EPS)
        objective: list[float] = []
        for _ in range(max_iter):
            U = self.X @ V
            Z = represent(U, Z, self.alpha)
            P = better_affinities(U, P, mu, self.n_neighbors)
            V = self._project(Z, P, self.penalty.slopes(V), n_components)
            objective.append(self.value(V, Z, P, mu))
            if len(objective) > 1 and objective[-2] - objective[-1] <= tol * objective[-1]:
                break
        return Projection(V=V, objective=np.array(objective))

    def value(self, V: Array, Z: sp.csr_array, P: Affinities, mu: float) -> float:
        """Return the objective."""
        U = self.X @ V
        spread = float(np.sum(squared_distances(U, P.indices) * P.weights))
        return (
            float(np.sum((U - Z @ U) ** 2))
            + self.alpha * float(abs(Z).sum())
            + self.beta * (spread + mu * float(np.sum(P.weights**2)))
            + self.penalty.value(V)
        )

    def _project(self, Z: sp.csr_array, P: Affinities, weights: Array, n_wanted: int) -> Array:
        """Return the V of least tr(U' M U) + sum_i weights_i |v^i|^2, M that of Z and P."""
        residual = sp.eye_array(len(self.X)) - Z
        M = residual.T @ residual + 2.0 * self.beta * P.laplacian
        return smallest_constrained(self.X, M, weights, n_wanted)


def smallest_constrained(X: Array, M: sp.csr_array, weights: Array, n_wanted: int) -> Array:
    """Return the V of least tr(V'X'M X V) + sum_i weights_i |v^i|^2 with V'X'X V = I.

    It is the eigenproblem of two matrices on the smaller side of X, features scaled by the roots of
    their weights.
    """
    root = 1.0 / np.sqrt(weights)
    B, Q = X * root, None
    if X.shape[1] > X.shape[0]:
        Q, triangle = np.linalg.qr(B.T)
        B = triangle.T
    size = B.shape[1]
    cost = B.T @ (M @ B) + np.eye(size)
    values, vectors = scipy.linalg.eigh(
        B.T @ B, (cost + cost.T) / 2, subset_by_index=[max(0, size - n_wanted), size - 1]
    )
    rank = int(np.count_nonzero(values > size * EPS * values[-1]))
    if rank < n_wanted:
        raise ValueError(
            f"The samples vary in {rank} independent directions only, fewer than the {n_wanted} "
            "asked for: lower n_clusters."
        )
    vectors = vectors / np.sqrt(values)
    return np.asarray(root[:, None] * (vectors if Q is None else Q @ vectors))


def represent(U: Array, Z: sp.csr_array, alpha: float) -> sp.csr_array:
    """Return Z after proximal steps on |U - Z U|^2 + alpha sum |z_ij|, for U'U = I.

    The gradient has the Lipschitz constant 2, so that no step raises the value. Rows are worked on
    in batches: all that is kept of them is sparse.
    """
    n_samples = len(U)
    for _ in range(STEPS):
        residual = U - Z @ U
        rows = []
        for batch in row_batches(n_samples, n_samples):
            step = Z[batch].toarray() + residual[batch] @ U.T
            step[np.arange(len(step)), np.arange(batch.start, batch.start + len(step))] = 0.0
            rows.append(sp.csr_array(np.sign(step) * np.maximum(np.abs(step) - alpha / 2, 0.0)))
        Z = sp.csr_array(sp.vstack(rows))
    return Z


def better_affinities(U: Array, P: Affinities, mu: float, n_neighbors: int) -> Affinities:
    """Return rows of least sum_j |u_i - u_j|^2 p_ij + mu p_ij^2 over the nearest, or the old ones.

    A row that is better than the new one, for it reaches farther, is kept.
    """
    indices = nearest_neighbours(U, n_neighbors).indices
    new = nearest_affinities(squared_distances(U, indices), indices, mu)
    costs = [
        np.sum(squared_distances(U, rows.indices) * rows.weights + mu * rows.weights**2, axis=1)
        for rows in (P, new)
    ]
    keep = (costs[0] < costs[1])[:, None]
    return Affinities(
        indices=np.where(keep, P.indices, new.indices),
        weights=np.where(keep, P.weights, new.weights),
    )
