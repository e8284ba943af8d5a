"""RUFS against its objective."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone.baselines.rufs import RUFS


@pytest.mark.parametrize("shape", [(60, 20), (40, 90)])
@pytest.mark.parametrize("beta", [0.01, 1.0, 10.0])
@pytest.mark.parametrize("gamma", [1.0, 1e8])
def test_the_objective_never_rises(shape, beta, gamma):
    X = np.random.default_rng(0).normal(1.0, size=shape)
    fitted = RUFS(n_clusters=4, beta=beta, gamma=gamma, tol=0.0, random_state=0).fit(X)
    assert np.all(np.diff(fitted.objective_) <= 1e-12 * fitted.objective_[:-1])
    assert fitted.labels_.min() >= 0
    np.testing.assert_allclose(fitted.scores_, np.linalg.norm(fitted.projection_, axis=1))


def test_seeds_are_kept():
    X = np.random.default_rng(0).normal(size=(60, 20))
    first, second = (RUFS(n_clusters=4, random_state=3).fit(X).scores_ for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_clusters_lead_noise_in_spite_of_outliers():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 12))
    X[:, 4] += 8 * np.repeat([0, 1, 2], 30)
    X[:, 9] += 8 * np.repeat([0, 1, 0], 30)
    X[::30, 2] += 40
    fitted = RUFS(n_features_to_select=2, n_clusters=3, random_state=0).fit(X)
    assert set(fitted.selected_) == {4, 9}


def test_more_clusters_than_samples_allow():
    with pytest.raises(ValueError, match="n_clusters=20 must be below n_samples=20"):
        RUFS(n_clusters=20).fit(np.random.default_rng(0).normal(size=(20, 5)))
