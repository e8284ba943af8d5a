from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from sparsecone.baselines.graph import (
    heat_weights,
    incidence,
    laplacian,
    nearest_neighbours,
    symmetric_graph,
)


@pytest.fixture(name="X")
def samples():
    return np.random.default_rng(0).normal(size=(60, 20))


def distances_from_the_definition(X):
    distances = np.linalg.norm(X[:, None] - X[None], axis=2)
    np.fill_diagonal(distances, np.inf)
    return distances


@pytest.mark.parametrize("offset", [0.0, 1e7])
@pytest.mark.parametrize(("n_features", "n_neighbors"), [(20, 4), (60, 4), (90, 1), (90, 59)])
def test_neighbours_are_the_nearest_wherever_the_data_lie(offset, n_features, n_neighbors):
    X = np.random.default_rng(0).normal(size=(60, n_features))
    found = nearest_neighbours(X + offset, n_neighbors)
    expected, nearest = distances_from_the_definition(X), np.s_[:, :n_neighbors]
    np.testing.assert_array_equal(found.indices, np.argsort(expected, axis=1)[nearest])
    np.testing.assert_allclose(found.distances, np.sort(expected, axis=1)[nearest], rtol=1e-7)
    assert (found.products is None) == (n_features < 60)


@pytest.mark.parametrize("n_features", [30, 50])
def test_a_sample_is_never_its_own_neighbour_but_its_duplicate_may_be(n_features):
    X = np.repeat(np.random.default_rng(0).normal(size=(5, n_features)), 8, axis=0)
    found = nearest_neighbours(X, 3)
    assert not (found.indices == np.arange(40)[:, None]).any()
    np.testing.assert_array_equal(found.indices // 8, np.arange(40)[:, None] // 8 + [0, 0, 0])
    np.testing.assert_allclose(found.distances, 0, atol=1e-6)


def test_sparse_samples_have_the_neighbours_of_dense_ones(X):
    X[np.abs(X) < 1] = 0
    sparse, dense = nearest_neighbours(sp.csr_array(X), 4), nearest_neighbours(X, 4)
    np.testing.assert_array_equal(sparse.indices, dense.indices)
    np.testing.assert_allclose(sparse.distances, dense.distances)


@pytest.mark.parametrize("n_neighbors", [60, 61])
def test_too_many_neighbours_are_refused(X, n_neighbors):
    with pytest.raises(ValueError, match="n_samples=60: lower n_neighbors"):
        nearest_neighbours(X, n_neighbors)


def test_the_graph_joins_either_way_without_loops(X):
    nearest = np.argsort(distances_from_the_definition(X), axis=1)[:, :4]
    expected = np.zeros((60, 60))
    np.put_along_axis(expected, nearest, 1.0, axis=1)
    graph = symmetric_graph(nearest_neighbours(X, 4)).toarray()
    np.testing.assert_array_equal(graph, np.maximum(expected, expected.T))


def test_heat_weights_fall_with_the_squared_distance(X):
    neighbours = nearest_neighbours(X, 4)
    graph = symmetric_graph(neighbours, heat_weights(neighbours, 2.0)).tocoo()
    squares = np.sum((X[graph.row] - X[graph.col]) ** 2, axis=1)
    np.testing.assert_allclose(graph.data, np.exp(-squares / 8))


def test_the_incidence_matrix_is_a_root_of_the_laplacian(X):
    neighbours = nearest_neighbours(X, 4)
    graph = symmetric_graph(neighbours, heat_weights(neighbours, 3.0))
    edges = incidence(graph)
    np.testing.assert_allclose((edges.T @ edges).toarray(), laplacian(graph).toarray(), atol=1e-15)
    np.testing.assert_allclose(laplacian(graph).sum(axis=1), 0, atol=1e-14)
