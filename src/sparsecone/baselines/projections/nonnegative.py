"""Neighbourhood embedding: non-negative projections that keep samples near their neighbours.

Find V >= 0 of least  ||R V||_1 + (alpha / 4) ||V' V - I||^2, where R = (I - A) X holds what the
weights A leave over when they rebuild every sample from its neighbours.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from ...linalg.types import Array
from ..graph import directed_graph, nearest_neighbours, row_batches
from .projection import Projection

# The weight of Z = R V in the augmented Lagrangian, and its updates of V a round.
FIRST_WEIGHT, GROWTH, LARGEST_WEIGHT = 10.0, 1.1, 1e10
UPDATES = 30
TINY = float(np.finfo(np.float64).tiny)


def reconstruction_weights(X: Array, n_neighbors: int, ridge: float | None = None) -> sp.csr_array:
    """Return the weights A that rebuild each sample best from its neighbours, one sum a row.

    Where there are more neighbours than features the weights are not unique and a ridge chooses;
    otherwise the ridge only keeps duplicates and collinear neighbours from breaking the solution.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The samples.
    n_neighbors : int
        Neighbours of a sample.
    ridge : float or None, default=None
        The ridge, relative to the sum of squared distances from the neighbours; None for the
        smallest that does.

    Returns
    -------
    csr_array of shape (n_samples, n_samples)
        Row i holds the weights of the neighbours of sample i.
    """
    n_samples, n_features = X.shape
    if ridge is None:
        ridge = 1e-3 if n_neighbors > n_features else 1e-12
    indices = nearest_neighbours(X, n_neighbors).indices
    weights = np.empty(indices.shape)
    # As many dimensions as the matrices: NumPy 1 takes one less for vectors.
    ones = np.ones((1, n_neighbors, 1))
    for batch in row_batches(n_samples, n_neighbors * n_features):
        local = X[indices[batch]] - X[batch, None, :]
        gram = local @ local.transpose(0, 2, 1)
        trace = np.trace(gram, axis1=1, axis2=2)[:, None, None]
        gram += np.where(trace > 0, ridge * trace, 1.0) * np.eye(n_neighbors)
        weights[batch] = np.linalg.solve(gram, ones)[..., 0]
    weights /= weights.sum(axis=1, keepdims=True)
    return directed_graph(indices, weights)


def fit_embedding(residual: Array, start: Array, *, alpha: float, max_iter: int) -> Projection:
    """Solve the problem of this module by an augmented Lagrangian.

    A variable Z = R V takes the absolute values (a soft threshold), a multiplier Y the constraint,
    and V is updated multiplicatively. There is no stop test.

    Parameters
    ----------
    residual : ndarray of shape (n_samples, n_features)
        The matrix R.
    start : ndarray of shape (n_features, n_columns)
        A positive V to start from; the result depends on it.
    alpha : float
        Weight of orthonormality.
    max_iter : int
        Number of rounds.

    Returns
    -------
    Projection
        V and the history of the objective.
    """
    V, weight = start.copy(), FIRST_WEIGHT
    Z = residual @ V
    Y = np.zeros_like(Z)
    # R' R V is outer V with outer = R' R where that is the smaller array, R' (R V) elsewhere.
    is_wide = residual.shape[1] > residual.shape[0]
    outer = residual.T if is_wide else residual.T @ residual
    objective = []
    for _ in range(max_iter):
        target, multiplier = weight * (residual.T @ Z), residual.T @ Y
        up = np.maximum(target, 0.0) + np.maximum(-multiplier, 0.0)
        down = np.maximum(-target, 0.0) + np.maximum(multiplier, 0.0)
        for _ in range(UPDATES):
            products = V.T @ V
            norms = np.maximum(np.sqrt(products.diagonal()), TINY)
            products /= np.outer(norms, norms)
            V /= norms
            image = weight * (residual @ V if is_wide else V)
            _multiply(V, up, down, alpha * products, alpha, outer, image)
        image = residual @ V
        shifted = image + Y / weight
        Z = np.sign(shifted) * np.maximum(np.abs(shifted) - 1 / weight, 0.0)
        Y += weight * (image - Z)
        weight = min(GROWTH * weight, LARGEST_WEIGHT)
        excess = V.T @ V - np.eye(V.shape[1])
        objective.append(np.abs(image).sum() + alpha / 4 * np.sum(excess**2))
    return Projection(V=V, objective=np.array(objective))


def _multiply(
    V: Array, up: Array, down: Array, inner: Array, alpha: float, outer: Array, image: Array
) -> None:
    """Multiply V by sqrt(b / a), where a - b is the gradient and a, b >= 0.

    The gradient is outer image + V inner + down - alpha V - up; a has its positive terms and b the
    negative ones. Rows are multiplied in batches that stay in the cache.
    """
    for rows in row_batches(*V.shape):
        pull, falls, rises = outer[rows] @ image, V[rows] @ inner, alpha * V[rows]
        falls += down[rows]
        rises += up[rows]
        falls += np.maximum(pull, 0.0)
        rises -= np.minimum(pull, 0.0)
        rises /= np.maximum(falls, TINY, out=falls)
        V[rows] *= np.sqrt(rises, out=rises)
