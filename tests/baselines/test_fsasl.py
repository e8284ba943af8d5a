"""FSASL: a descent that keeps its constraint."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from sparsecone.baselines.fsasl import FSASL


@pytest.mark.parametrize("shape", [(60, 20), (40, 90)])
@pytest.mark.parametrize("alpha", [0.1, 1.0])
@pytest.mark.parametrize("gamma", [0.01, 1.0, 100.0])
def test_the_objective_never_rises_and_projected_samples_stay_orthonormal(shape, alpha, gamma):
    X = np.random.default_rng(0).normal(1.0, size=shape)
    fitted = FSASL(n_clusters=4, alpha=alpha, gamma=gamma, tol=0.0, max_iter=15).fit(X)
    assert np.all(np.diff(fitted.objective_) <= 1e-10 * fitted.objective_[:-1])
    U = (X - X.mean(axis=0)) @ fitted.projection_
    np.testing.assert_allclose(U.T @ U, np.eye(4), atol=1e-8)
    np.testing.assert_allclose(fitted.scores_, np.linalg.norm(fitted.projection_, axis=1))


def test_clusters_lead_noise():
    X = np.random.default_rng(0).normal(size=(90, 12))
    X[:, 4] += 8 * np.repeat([0, 1, 2], 30)
    X[:, 9] += 8 * np.repeat([0, 1, 0], 30)
    assert set(FSASL(n_features_to_select=2, n_clusters=2).fit(X).selected_) == {4, 9}


def test_more_columns_than_the_rank():
    X = np.repeat(np.random.default_rng(0).normal(size=(30, 2)), 4, axis=1)
    with pytest.raises(ValueError, match=r"2 independent directions only.*lower n_clusters"):
        FSASL(n_clusters=4).fit(X)


def test_wide_data_need_no_square_of_the_features():
    X = np.random.default_rng(0).normal(size=(30, 5000))
    tracemalloc.start()
    FSASL(n_clusters=3, max_iter=3).fit(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5000 * 5000 * 8 / 5
