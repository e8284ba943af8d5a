"""NDFS against its objective."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from sklearn.cluster import KMeans

from sparsecone.baselines.ndfs import NDFS
from sparsecone.baselines.spectral import SpectralGraph


def objective(X, fitted):
    """The formula of the docstring, term by term, with dense matrices."""
    F, V = fitted.labels_, fitted.projection_
    N = SpectralGraph.of(X, fitted.n_neighbors).normalised.toarray()
    X = X - X.mean(axis=0)
    rows = np.linalg.norm(V, axis=1).sum()
    orthonormal = np.linalg.norm(F.T @ F - np.eye(F.shape[1])) ** 2
    regression = np.linalg.norm(X @ V - F) ** 2 + fitted.beta * rows
    return np.trace(F.T @ N @ F) + fitted.alpha * regression + fitted.gamma / 2 * orthonormal


@pytest.mark.parametrize("shape", [(60, 20), (40, 90)])
@pytest.mark.parametrize("beta", [0.01, 1.0, 10.0])
@pytest.mark.parametrize("gamma", [0.1, 10.0, 1e8])
def test_the_objective_is_that_of_the_formula_and_never_rises(shape, beta, gamma):
    X = np.random.default_rng(0).normal(1.0, size=shape)
    fitted = NDFS(n_clusters=4, beta=beta, gamma=gamma, tol=0.0, random_state=0).fit(X)
    assert np.all(np.diff(fitted.objective_) <= 1e-12 * fitted.objective_[:-1])
    assert fitted.objective_[-1] == pytest.approx(objective(X, fitted), rel=1e-5)
    assert fitted.labels_.min() >= 0
    np.testing.assert_allclose(fitted.scores_, np.linalg.norm(fitted.projection_, axis=1))


def test_v_is_the_best_for_the_labels():
    """At the end the gradient in V vanishes: 2 X'(XV - F) + beta v / |v| = 0."""
    X = np.random.default_rng(0).normal(size=(60, 10))
    fitted = NDFS(n_clusters=3, beta=0.5, tol=0.0, max_iter=2000, random_state=0).fit(X)
    V, centred = fitted.projection_, X - X.mean(axis=0)
    norms = np.linalg.norm(V, axis=1, keepdims=True)
    gradient = 2 * centred.T @ (centred @ V - fitted.labels_) + 0.5 * V / norms
    assert np.abs(gradient[norms[:, 0] > 1e-3]).max() < 1e-3


def test_seeds_are_kept():
    X = np.random.default_rng(0).normal(size=(60, 20))
    first, second = (NDFS(n_clusters=4, random_state=3).fit(X).scores_ for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_the_clusters_of_the_samples_are_a_start():
    X = np.random.default_rng(0).normal(size=(60, 20))
    fitted = NDFS(n_clusters=4, start="samples", random_state=3).fit(X)
    found = KMeans(4, n_init=10, random_state=3).fit(X - X.mean(axis=0)).labels_
    np.testing.assert_array_equal(fitted.labels_.argmax(axis=1), found)
    assert not np.allclose(fitted.scores_, NDFS(n_clusters=4, random_state=3).fit(X).scores_)


def test_clusters_lead_noise():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 12))
    X[:, 4] += 8 * np.repeat([0, 1, 2], 30)
    X[:, 9] += 8 * np.repeat([0, 1, 0], 30)
    fitted = NDFS(n_features_to_select=2, random_state=0).fit(X)
    assert set(fitted.selected_) == {4, 9}
    assert fitted.labels_.shape[1] == 3


def test_wide_data_need_no_square_of_the_features():
    X = np.random.default_rng(0).normal(size=(30, 5000))
    tracemalloc.start()
    NDFS(n_clusters=3, max_iter=3, random_state=0).fit(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5000 * 5000 * 8 / 5


def test_more_clusters_than_samples_allow():
    with pytest.raises(ValueError, match="n_clusters=20 must be below n_samples=20"):
        NDFS(n_clusters=20).fit(np.random.default_rng(0).normal(size=(20, 5)))
