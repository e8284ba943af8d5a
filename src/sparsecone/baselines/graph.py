"""Neighbour graphs: a few numbers a sample, and no n x n array that is larger than the samples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.neighbors import NearestNeighbors
from sklearn.utils import gen_batches

from ..linalg.types import Array
from .single_precision import neighbours_in_single_precision, squared_differences

BATCH_ENTRIES = 2**18
# Groups of samples for each neighbour that is looked for among all pairs.
GROUPS = 4
# Up to so many features a tree finds the neighbours faster than products of all pairs, and up to
# so many samples for each neighbour double precision does: measured on normal samples.
FEATURES, SAMPLES = 32, 128


@dataclass(frozen=True)
class Neighbours:
    """The nearest neighbours of every sample, nearest first.

    A sample is never its own neighbour; a duplicate of it may be.

    Attributes
    ----------
    indices : ndarray of shape (n_samples, n_neighbors)
        Which samples they are.
    find_distances : callable
        Returns their Euclidean distances.
    products : ndarray of shape (n_samples, n_samples) or None
        X X', X centred, where it is no larger than X and was formed to find them.
    """

    indices: NDArray[np.intp]
    find_distances: Callable[[], Array]
    products: Array | None = None

    @cached_property
    def distances(self) -> Array:
        """Their Euclidean distances, an array like `indices`, found when they are asked for."""
        return self.find_distances()


def nearest_neighbours(X: Any, n_neighbors: int) -> Neighbours:
    """Find the nearest neighbours of every sample.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        The samples.
    n_neighbors : int
        How many neighbours; fewer than there are samples.

    Returns
    -------
    Neighbours
        Indices and distances.
    """
    if n_neighbors >= X.shape[0]:
        raise ValueError(
            f"{n_neighbors} nearest neighbours need at least {n_neighbors + 1} samples, got "
            f"n_samples={X.shape[0]}: lower n_neighbors or give more samples."
        )
    if not sp.issparse(X):
        if X.shape[0] > SAMPLES * n_neighbors and X.shape[1] > FEATURES:
            nearest = neighbours_in_single_precision(X, n_neighbors)
            if nearest is not None:
                return Neighbours(nearest, partial(_distances, X, nearest))
        # The search expands |x - y|^2, which loses all digits where the mean is large.
        X = X - X.mean(axis=0)
        if X.shape[0] <= X.shape[1]:
            return _nearest_of_all_pairs(X @ X.T, n_neighbors)
    search = NearestNeighbors(n_neighbors=n_neighbors).fit(X)
    distances, indices = search.kneighbors()
    return Neighbours(indices, lambda: distances.astype(np.float64, copy=False))


def _distances(X: Array, indices: NDArray[np.intp]) -> Array:
    """Return the distances of every sample from some others."""
    samples = np.repeat(np.arange(len(X)), indices.shape[1])
    return np.sqrt(squared_differences(X, samples, indices.ravel())).reshape(indices.shape)


def _nearest_of_all_pairs(products: Array, n_neighbors: int) -> Neighbours:
    """Find neighbours from X X', X centred; of samples as far as each other the first.

    Samples are put into a few groups for each neighbour: no neighbour is farther than the
    n_neighbors-th of the least distances to the groups, and few others are as near.
    """
    n_samples, squares = len(products), products.diagonal().copy()
    indices = np.empty((n_samples, n_neighbors), dtype=np.intp)
    distances = np.empty(indices.shape)
    n_groups = min(n_samples, GROUPS * n_neighbors)
    groups = np.arange(n_groups) * n_samples // n_groups
    for rows in row_batches(n_samples, n_samples):
        squared = products[rows] * -2.0
        squared += squares
        squared += squares[rows, None]
        np.fill_diagonal(squared[:, rows], np.inf)
        least = np.minimum.reduceat(squared, groups, axis=1)
        least.partition(n_neighbors - 1, axis=1)
        candidates = np.flatnonzero(squared <= least[:, n_neighbors - 1, None])
        samples, found = candidates // n_samples, squared.ravel()[candidates]
        nearest = np.lexsort((found, samples))
        starts = np.searchsorted(samples, np.arange(len(squared)))
        chosen = nearest[starts[:, None] + np.arange(n_neighbors)]
        indices[rows], distances[rows] = candidates[chosen] % n_samples, found[chosen]
    return Neighbours(indices, lambda: np.sqrt(np.maximum(distances, 0.0)), products)


def heat_weights(neighbours: Neighbours, width: float) -> Array:
    """Return exp(-distance^2 / (2 width^2)) for every neighbour."""
    weights: Array = np.exp(-0.5 * (neighbours.distances / width) ** 2)
    return weights


def directed_graph(indices: NDArray[np.intp], weights: Array) -> sp.csr_array:
    """Return the sparse matrix whose row i holds the weights of the neighbours of sample i."""
    n_samples, n_neighbors = indices.shape
    starts = np.arange(0, n_samples * n_neighbors + 1, n_neighbors)
    shape = (n_samples, n_samples)
    # A copy, because sparse matrices change their arrays in place, as when zeros are dropped.
    return sp.csr_array((weights.ravel(), indices.ravel(), starts), shape=shape, copy=True)


def symmetric_graph(neighbours: Neighbours, weights: Array | None = None) -> sp.csr_array:
    """Join i and j where either is a neighbour of the other; there are no self-loops.

    Parameters
    ----------
    neighbours : Neighbours
        The neighbours of every sample.
    weights : ndarray of shape (n_samples, n_neighbors), default=None
        A symmetric function of the two samples, such as `heat_weights`; None for ones.

    Returns
    -------
    csr_array of shape (n_samples, n_samples)
        The symmetric weights.
    """
    if weights is None:
        weights = np.ones(neighbours.indices.shape)
    directed = directed_graph(neighbours.indices, weights)
    return directed.maximum(directed.T).tocsr()


def laplacian(graph: sp.csr_array) -> sp.csr_array:
    """Return the diagonal of the degrees minus the graph."""
    return sp.csr_array(sp.diags_array(graph.sum(axis=1)) - graph)


def incidence(graph: sp.csr_array) -> sp.csr_array:
    """Return B with one row an edge, sqrt(weight) (e_i - e_j), so that B'B is the Laplacian."""
    edges = sp.triu(graph, k=1, format="coo")
    root = np.sqrt(edges.data)
    row = np.arange(edges.nnz)
    entries = np.concatenate([root, -root])
    places = (np.concatenate([row, row]), np.concatenate([edges.row, edges.col]))
    return sp.csr_array((entries, places), shape=(edges.nnz, graph.shape[0]))


def row_batches(n_rows: int, entries_a_row: int) -> Iterator[slice]:
    """Cut rows into batches of two megabytes, which stay in the cache."""
    batches: Iterator[slice] = gen_batches(n_rows, max(1, BATCH_ENTRIES // max(1, entries_a_row)))
    return batches
