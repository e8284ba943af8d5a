"""Eigenvectors of graphs, beyond what their components tell."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg
from sklearn.datasets import make_blobs

from sparsecone.baselines.graph import laplacian, nearest_neighbours, symmetric_graph
from sparsecone.baselines.spectral import SpectralGraph, laplacian_eigenvectors


def five_blobs(n_samples, gap=50.0):
    return make_blobs(n_samples, centers=np.arange(5)[:, None] * [gap, 0], random_state=0)[0]


@pytest.mark.parametrize("n_samples", [60, 400])
@pytest.mark.parametrize("n_wanted", [3, 8])
def test_smallest_eigenvalues_with_the_multiple_zero_of_five_components(n_samples, n_wanted):
    X = five_blobs(n_samples)
    matrix = laplacian(symmetric_graph(nearest_neighbours(X, 6)))
    values, vectors = laplacian_eigenvectors(matrix, n_wanted)
    np.testing.assert_allclose(values, np.linalg.eigvalsh(matrix.toarray())[:n_wanted], atol=1e-12)
    np.testing.assert_allclose(matrix @ vectors, vectors * values, atol=1e-10)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(n_wanted), atol=1e-10)


@pytest.mark.parametrize("n_samples", [60, 400])
@pytest.mark.parametrize("gap", [3.0, 50.0])
def test_the_embedding_is_smoothest_beside_the_constant(n_samples, gap):
    """The eigenvalues are those of the pencil of Laplacian and degrees, less the first zero."""
    graph = symmetric_graph(nearest_neighbours(five_blobs(n_samples, gap), 6))
    spectral = SpectralGraph(graph)
    values, vectors = spectral.embedding(7)
    degrees = graph.sum(axis=1)
    pencil = scipy.linalg.eigvalsh(laplacian(graph).toarray(), np.diag(degrees))
    np.testing.assert_allclose(values, pencil[1:8], atol=1e-10)
    np.testing.assert_allclose(
        laplacian(graph) @ vectors, degrees[:, None] * vectors * values, atol=1e-8
    )
    np.testing.assert_allclose(vectors.T @ (degrees[:, None] * vectors), np.eye(7), atol=1e-9)
    np.testing.assert_allclose(degrees @ vectors, 0, atol=1e-9)


def test_fewer_vectors_than_components_tell_the_largest_apart():
    X = np.concatenate([five_blobs(60), five_blobs(200)[:80]])
    values, vectors = SpectralGraph.of(X, 4).embedding(2)
    assert not values.any()
    assert len(np.unique(np.round(vectors, 12), axis=0)) == 3


@pytest.mark.parametrize("gap", [12.0, 50.0])
def test_the_number_of_clusters_is_read_off_the_eigenvalues(gap):
    assert SpectralGraph.of(five_blobs(300, gap), 6).n_clusters(None) == 5
    assert SpectralGraph.of(five_blobs(300, gap), 6).n_clusters(3) == 3


def test_more_clusters_than_samples_allow():
    with pytest.raises(ValueError, match="n_clusters=20 must be below n_samples=20"):
        SpectralGraph.of(five_blobs(20), 3).n_clusters(20)


def test_a_heat_kernel_that_vanishes_is_told():
    with pytest.raises(ValueError, match=r"width=1e-06 is far\s+below .* Raise width"):
        SpectralGraph.of(five_blobs(40), 3, weights="heat", width=1e-6)
