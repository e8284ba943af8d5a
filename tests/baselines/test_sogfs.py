from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components
from sklearn.datasets import make_blobs

from sparsecone.baselines.sogfs import SOGFS

import shared


@pytest.mark.parametrize("gamma", ["0.01", "0.1"])
def test_published_program(gamma):
    X = shared.load("isolet")[0][::3, ::6]
    golden = shared.golden(f"SOGFS__Isolet_520x103__gamma{gamma}_k5")
    assert X.sum() == pytest.approx(float(golden["X_sum"]))
    fitted = SOGFS(n_clusters=26, gamma=float(gamma), p=1.0).fit(X)
    np.testing.assert_allclose(fitted.scores_, golden["scores"], atol=1e-6)
    np.testing.assert_array_equal(np.argsort(fitted.ranking_)[:50], golden["ranking"][:50])
    assert connected_components(fitted.graph_, directed=False)[0] == 26


@pytest.mark.parametrize("n_features", [10, 200])
def test_three_blobs_give_three_components(n_features):
    X, _ = make_blobs(60, n_features, centers=3, random_state=0)
    graph = SOGFS(n_clusters=3).fit(X).graph_
    assert connected_components(graph, directed=False)[0] == 3


def test_columns_stay_orthonormal_in_the_number_asked_for():
    X = np.random.default_rng(0).normal(size=(40, 12))
    for n_components, expected in ((None, 3), (5, 5)):
        V = SOGFS(n_clusters=4, n_components=n_components, max_iter=8).fit(X).projection_
        np.testing.assert_allclose(V.T @ V, np.eye(expected), atol=1e-12)


def test_scores_do_not_depend_on_the_scale_of_features():
    X = np.random.default_rng(0).normal(size=(40, 12))
    scaled = X * np.logspace(-3, 3, 12) + 7.0
    first, second = (SOGFS(max_iter=5).fit(data).scores_ for data in (X, scaled))
    np.testing.assert_allclose(second, first, atol=1e-6)


def test_moons_lead(two_moons):
    assert set(SOGFS(gamma=0.01).fit(two_moons(noise=0.1)).selected_[:2]) == {0, 1}


def test_one_sample_short_of_the_next_neighbour():
    X = np.random.default_rng(0).normal(size=(6, 3))
    with pytest.raises(ValueError, match="n_samples=6: lower n_neighbors"):
        SOGFS(n_neighbors=5).fit(X)


def test_as_many_clusters_as_samples():
    X = np.random.default_rng(0).normal(size=(10, 30))
    with pytest.raises(ValueError, match="n_clusters=10 must be below n_samples=10"):
        SOGFS(n_clusters=10).fit(X)


def test_more_components_than_features():
    X = np.random.default_rng(0).normal(size=(30, 3))
    with pytest.raises(ValueError, match=r"4 components .* must not exceed"):
        SOGFS(n_clusters=5).fit(X)
