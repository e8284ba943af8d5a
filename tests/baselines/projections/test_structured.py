from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components
from sklearn.datasets import make_blobs

from sparsecone.baselines.projections.row_sparse import RowPenalty
from sparsecone.baselines.projections.structured import fit_structured_graph


@pytest.fixture(scope="module")
def blobs():
    """Return three separated blobs in two of eight features; the others are noise."""
    centers = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]])
    X, labels = make_blobs(90, centers=centers, cluster_std=0.5, random_state=0)
    return np.hstack([X, np.random.default_rng(0).normal(size=(90, 6))]), labels


@pytest.fixture(scope="module")
def fit(blobs):
    penalty = RowPenalty(gamma=0.01, p=1.0)
    sizes = {"n_clusters": 3, "n_components": 2, "n_neighbors": 5, "max_iter": 50}
    return fit_structured_graph(blobs[0], penalty, **sizes)


def test_the_graph_ends_with_exactly_as_many_components_as_clusters(fit, blobs):
    n_components, found = connected_components(fit.affinities.graph, directed=False)
    assert n_components == 3
    assert len(set(zip(found, blobs[1], strict=True))) == 3
    assert fit.objective.size < 50


def test_affinities_sum_to_one_over_k_neighbours(fit):
    assert fit.affinities.weights.shape == (90, 5)
    assert np.all(fit.affinities.weights >= 0)
    np.testing.assert_allclose(fit.affinities.weights.sum(axis=1), 1)


def test_the_projection_stays_orthonormal_and_its_objective_falls(fit):
    V = fit.projection.V
    np.testing.assert_allclose(V.T @ V, np.eye(2), atol=1e-12)
    assert np.all(np.diff(fit.projection.objective) <= 1e-12)


def test_the_informative_features_lead(fit):
    assert set(np.argsort(-fit.projection.scores)[:2]) == {0, 1}


def test_the_last_objective_is_that_of_the_formula(fit, blobs):
    """With as many components as clusters, the term of F vanishes."""
    X = blobs[0] - blobs[0].mean(axis=0)
    X /= np.linalg.norm(X, axis=0)
    V, S = fit.projection.V, fit.affinities.graph
    weights = S.tocoo()
    points = X @ V
    energy = np.sum(weights.data * np.sum((points[weights.row] - points[weights.col]) ** 2, axis=1))
    rest = fit.objective[-1] - energy / 2 - 0.01 * np.linalg.norm(V, axis=1).sum()
    squares = np.sum(fit.affinities.weights**2)
    neighbours = np.sort(np.sum((X[:, None] - X) ** 2, axis=2), axis=1)[:, 1:7]
    r = np.mean(5 * neighbours[:, 5] - neighbours[:, :5].sum(axis=1)) / 2
    assert rest == pytest.approx(r / 2 * squares, rel=1e-5)
