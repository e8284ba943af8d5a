"""Neighbour graphs that are learned: affinities that sum to one a row, k of them not zero."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ...linalg.types import Array
from ..graph import directed_graph, laplacian, nearest_neighbours


@dataclass(frozen=True)
class Affinities:
    """A row of affinities a sample, over its k neighbours.

    Attributes
    ----------
    indices : ndarray of shape (n_samples, n_neighbors)
        Which samples the neighbours are.
    weights : ndarray of shape (n_samples, n_neighbors)
        Their affinities: not negative, summing to one a row.
    """

    indices: NDArray[np.intp]
    weights: Array

    @property
    def graph(self) -> sp.csr_array:
        """The symmetric graph (S + S') / 2."""
        directed = directed_graph(self.indices, self.weights)
        directed.eliminate_zeros()
        return ((directed + directed.T) / 2).tocsr()

    @property
    def laplacian(self) -> sp.csr_array:
        """The Laplacian of the symmetric graph."""
        return laplacian(self.graph)


def closed_form_affinities(X: Array, n_neighbors: int) -> tuple[Affinities, float]:
    """Return the affinities of least sum_j d_ij s_ij + r_i s_ij^2 with exactly k non-zeros a row.

    With d_i1 <= d_i2 <= ... the squared distances of sample i from the others, it is
    s_ij = (d_i,k+1 - d_ij) / (k d_i,k+1 - sum_h<=k d_ih), and r_i is half the denominator.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The samples.
    n_neighbors : int
        The number k; n_samples is at least k + 2.

    Returns
    -------
    affinities : Affinities
        The rows s_i; equal shares where the k + 1 nearest are all as far.
    r : float
        The mean of the r_i.
    """
    neighbours = nearest_neighbours(X, n_neighbors + 1)
    squared = neighbours.distances**2
    gaps = squared[:, -1:] - squared[:, :-1]
    total = gaps.sum(axis=1, keepdims=True)
    shares = np.full_like(gaps, 1.0 / n_neighbors)
    np.divide(gaps, total, out=shares, where=total > 0)
    affinities = Affinities(indices=neighbours.indices[:, :-1], weights=shares)
    return affinities, float(total.mean() / 2)


def nearest_affinities(costs: Array, indices: NDArray[np.intp], r: float) -> Affinities:
    """Return the affinities of least sum_j cost_ij s_ij + r s_ij^2 over the given neighbours."""
    return Affinities(indices=indices, weights=project_onto_simplex(-costs / (2 * r)))


def squared_distances(points: Array, indices: NDArray[np.intp]) -> Array:
    """Return |p_i - p_j|^2 of each point and its neighbours."""
    columns = [np.sum((points - points[column]) ** 2, axis=1) for column in indices.T]
    return np.column_stack(columns)


def project_onto_simplex(rows: Array) -> Array:
    """Return, for each row, the nearest point that is not negative and sums to one."""
    descending = -np.sort(-rows, axis=1)
    excess = np.cumsum(descending, axis=1) - 1.0
    levels = excess / np.arange(1, rows.shape[1] + 1)
    n_positive = np.count_nonzero(descending > levels, axis=1)
    level = np.take_along_axis(levels, n_positive[:, None] - 1, axis=1)
    return np.maximum(rows - level, 0.0)
