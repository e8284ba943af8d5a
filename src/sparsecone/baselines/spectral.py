"""Spectra of neighbour graphs: sparse matrices, few eigenvectors, and the number of clusters."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import LinearOperator, eigsh

from ..linalg.types import Array
from .graph import heat_weights, laplacian, nearest_neighbours, symmetric_graph

# The largest number of clusters that is ever guessed.
MOST_CLUSTERS = 10
# Up to so many samples all eigenvalues at once cost less than Lanczos' method takes to start.
DENSE = 250


@dataclass(frozen=True)
class SpectralGraph:
    """A symmetric graph G with degrees g, as the methods of spectral clustering see it."""

    graph: sp.csr_array

    @classmethod
    def of(
        cls,
        X: Any,
        n_neighbors: int,
        *,
        weights: str = "binary",
        width: float = 1.0,
        self_loops: bool = False,
    ) -> Self:
        """Return the graph of nearest neighbours, or say that its heat kernel vanishes."""
        neighbours = nearest_neighbours(X, n_neighbors)
        heat = heat_weights(neighbours, width) if weights == "heat" else None
        graph = symmetric_graph(neighbours, heat)
        if not np.all(graph.sum(axis=1) > 0):
            raise ValueError(
                f"Weights of the heat kernel are zero in floating point: width={width} is far "
                f"below the distances of neighbours, up to {neighbours.distances.max():.3g}. "
                "Raise width, scale the features, or use weights='binary'."
            )
        return cls(graph + sp.eye_array(graph.shape[0], format="csr") if self_loops else graph)

    @cached_property
    def roots(self) -> Array:
        """The roots of the degrees."""
        return np.sqrt(self.graph.sum(axis=1))

    @cached_property
    def normalised(self) -> sp.csr_array:
        """The normalised Laplacian I - diag(g)^-1/2 G diag(g)^-1/2."""
        scale = sp.diags_array(1.0 / self.roots)
        return sp.csr_array(scale @ laplacian(self.graph) @ scale)

    def embedding(self, n_wanted: int) -> tuple[Array, Array]:
        """Return the smallest non-trivial solutions of L y = value diag(g) y, y' diag(g) y = 1.

        Trivial is the constant y alone. Where there are several components y is constant on each
        for the value zero; then y tells the largest of them from the rest first.
        """
        n_components, labels = connected_components(self.graph, directed=False)
        largest = np.argsort(-np.bincount(labels), kind="stable")[: min(n_components - 1, n_wanted)]
        flat = (labels[:, None] == largest) * self.roots[:, None]
        null = np.linalg.qr(np.column_stack([self.roots, flat]))[0]
        values, vectors = eigenvectors_beyond(self.normalised, null, n_wanted - largest.size)
        values = np.concatenate([np.zeros(largest.size), values])
        return values, np.hstack([null[:, 1:], vectors]) / self.roots[:, None]

    def n_clusters(self, wanted: int | None) -> int:
        """Return the number of clusters: the one given, or that before the largest gap of values.

        Guessed is the c in 2, .., 10 of largest difference of the c-th and the (c+1)-th smallest
        eigenvalue of the normalised Laplacian.
        """
        n_samples = self.roots.size
        if wanted is None:
            most = min(MOST_CLUSTERS, n_samples - 2)
            return 2 + int(np.argmax(np.diff(self.embedding(most)[0]))) if most > 2 else 1
        if wanted >= n_samples:
            raise ValueError(f"n_clusters={wanted} must be below n_samples={n_samples}.")
        return wanted


def laplacian_eigenvectors(laplacian: sp.csr_array, n_wanted: int) -> tuple[Array, Array]:
    """Return the smallest eigenvalues of a graph Laplacian, and their eigenvectors.

    The zero eigenvalue is as frequent as the graph has components, and its eigenvectors are known:
    constant on each.

    Parameters
    ----------
    laplacian : csr_array of shape (n_samples, n_samples)
        As from `laplacian`.
    n_wanted : int
        How many; fewer than there are samples.

    Returns
    -------
    values : ndarray of shape (n_wanted,)
        Eigenvalues, ascending.
    vectors : ndarray of shape (n_samples, n_wanted)
        Orthonormal eigenvectors.
    """
    n_components, labels = connected_components(laplacian, directed=False)
    sizes = np.bincount(labels)[: min(n_components, n_wanted)]
    flat = (labels[:, None] == np.arange(sizes.size)) / np.sqrt(sizes)
    values, vectors = eigenvectors_beyond(laplacian, flat, n_wanted - sizes.size)
    return np.concatenate([np.zeros(sizes.size), values]), np.hstack([flat, vectors])


def eigenvectors_beyond(laplacian: sp.csr_array, null: Array, n_wanted: int) -> tuple[Array, Array]:
    """Return the smallest eigenvalues of a Laplacian and their vectors, the known ones left out.

    Lanczos is blind to multiple eigenvalues: `null`, orthonormal, holds all vectors of the zero.
    """
    if n_wanted == 0:
        return np.empty(0), np.empty((len(null), 0))
    # Eigenvalues are at most twice the largest degree: this moves the known ones out of the way.
    top = 3.0 * laplacian.diagonal().max()
    if len(null) <= max(DENSE, 10 * (n_wanted + null.shape[1])):
        shifted = laplacian.toarray() + top * (null @ null.T)
        values, vectors = scipy.linalg.eigh(shifted, subset_by_index=[0, n_wanted - 1])
        return values, vectors
    moved = LinearOperator(
        laplacian.shape, matvec=lambda v: laplacian @ v + top * (null @ (null.T @ v)), dtype=float
    )
    start = np.random.default_rng(0).standard_normal(len(null))
    values, vectors = eigsh(moved, k=n_wanted, which="SA", v0=start)
    return values, vectors
