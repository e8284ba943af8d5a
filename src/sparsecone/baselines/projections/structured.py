"""A neighbour graph with a wanted number of components, learned along with a projection."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from ...linalg.types import Array
from ..graph import nearest_neighbours
from ..spectral import laplacian_eigenvectors
from .affinities import Affinities, closed_form_affinities, nearest_affinities, squared_distances
from .dirichlet import EPS, dirichlet_form
from .projection import Projection
from .row_sparse import RowPenalty, fit_row_sparse

# Constants of the method: rounds before neighbours are taken in the learned space, the sums of
# eigenvalues that count as connected and as zero, and the inner loop for the projection.
ROUNDS_WITH_GIVEN_NEIGHBOURS = 5
CONNECTED, ZERO = 1e-9, 1e-11
INNER_ITERATIONS, INNER_TOL = 100, 1e-6


@dataclass(frozen=True)
class StructuredGraph:
    """What `fit_structured_graph` learned.

    Attributes
    ----------
    affinities : Affinities
        The graph.
    projection : Projection
        The projection, fitted to that graph.
    objective : ndarray of shape (n_rounds,)
        The objective after every round, at the weight mu of that round.
    """

    affinities: Affinities
    projection: Projection
    objective: Array


def fit_structured_graph(
    X: Array,
    penalty: RowPenalty,
    *,
    n_clusters: int,
    n_components: int,
    n_neighbors: int,
    max_iter: int,
) -> StructuredGraph:
    """Learn graph and projection in turn; `sparsecone.baselines.sogfs.SOGFS` has the objective.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The samples, no feature constant; centred and scaled here.
    penalty : RowPenalty
        The penalty of the projection.
    n_clusters, n_components, n_neighbors, max_iter : int
        As in `SOGFS`.

    Returns
    -------
    StructuredGraph
        Graph, projection and history.
    """
    X = X - X.mean(axis=0)
    X /= np.linalg.norm(X, axis=0)

    def project(laplacian: sp.csr_array) -> Projection:
        scatter = dirichlet_form(X, laplacian, n_components)
        return fit_row_sparse(
            scatter, penalty, n_components, max_iter=INNER_ITERATIONS, atol=INNER_TOL
        )

    affinities, r = closed_form_affinities(X, n_neighbors)
    r = mu = max(r, EPS)
    laplacian = affinities.laplacian
    embedding = laplacian_eigenvectors(laplacian, n_clusters)[1]
    projection = project(laplacian)
    objective: list[float] = []
    for n_rounds in range(max_iter):
        points, indices = X @ projection.V, affinities.indices
        if n_rounds >= ROUNDS_WITH_GIVEN_NEIGHBOURS:
            indices = nearest_neighbours(points, n_neighbors).indices
        costs = squared_distances(points, indices) + mu * squared_distances(embedding, indices)
        affinities = nearest_affinities(costs, indices, r)
        laplacian = affinities.laplacian
        projection = project(laplacian)
        values, vectors = laplacian_eigenvectors(laplacian, n_clusters + 1)
        smallest = float(values[:n_clusters].sum())
        objective.append(
            projection.objective[-1] + r / 2 * np.sum(affinities.weights**2) + mu * smallest
        )
        if values.sum() < ZERO:
            mu /= 2
            continue
        embedding = vectors[:, :n_clusters]
        if smallest <= CONNECTED:
            break
        mu *= 2
    return StructuredGraph(affinities, projection, np.array(objective))
