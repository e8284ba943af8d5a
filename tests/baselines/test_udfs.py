"""UDFS against its formula and reference runs.

The reference run of scikit-feature as published is not among them: it takes the neighbours of
another sample than the one at hand, and so minimises something else. `UDFS_corrected` is the same
program with that one index put right.
"""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from scipy.stats import spearmanr

from sparsecone.baselines.udfs import UDFS, discriminative_laplacian

import shared


@pytest.mark.parametrize(("n_features", "offset"), [(6, 0.0), (50, 0.0), (50, 1e6)])
def test_the_matrix_is_that_of_the_formula(n_features, offset):
    """With more features than samples it is formed from the products of all pairs."""
    X = np.random.default_rng(0).normal(size=(30, n_features))
    expected = np.zeros((n_features, n_features))
    centring = np.eye(5) - 1 / 5
    for i in range(30):
        group = np.argsort(np.linalg.norm(X - X[i], axis=1))[:5]
        local = centring @ X[group]
        expected += local.T @ np.linalg.inv(local @ local.T + 0.3 * np.eye(5)) @ local
    found = X.T @ discriminative_laplacian(X + offset, 4, 0.3).toarray() @ X
    tolerance = {"rtol": 1e-8, "atol": 1e-8} if offset else {"rtol": 1e-10, "atol": 1e-12}
    np.testing.assert_allclose(found, expected, **tolerance)


def test_a_small_ridge_has_all_digits_of_samples_that_lie_close_together():
    X = np.random.default_rng(0).normal(size=(30, 50)) * 1e-6
    X[:15] += 1.0
    found = discriminative_laplacian(X, 4, 1e-14).toarray()[:15, :15]
    expected = discriminative_laplacian(X[:15] * 1e6, 4, 1e-2).toarray() * 1e12
    np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-3 * np.abs(expected).max())


@pytest.mark.parametrize(
    ("name", "mu"),
    [
        ("UDFS_matlab__Isolet__gamma10_lamda1000_k5", 1000.0),
        ("UDFS_matlab__PIE__gamma10_lamda10_k5", 10.0),
        ("UDFS_corrected__PIE__gamma10_k5", 10.0),
    ],
)
def test_published_program(name, mu):
    X, _ = shared.load(name.split("__")[1].lower())
    golden = shared.golden(name)
    fitted = UDFS(n_clusters=int(golden["n_clusters"]), gamma=10.0, mu=mu, tol=0.0).fit(X)
    length = min(fitted.n_iter_, golden["objective"].size)
    # The corrected package smooths nothing, which costs it gamma times the sum of sqrt(eps).
    np.testing.assert_allclose(fitted.objective_[:length], golden["objective"][:length], rtol=1e-6)
    np.testing.assert_allclose(fitted.scores_, golden["scores"], atol=1e-6)
    assert len(set(fitted.selected_[:50]) & set(golden["ranking"][:50])) >= 49
    # Scores of 1e-9 still follow from the formula, but only the program computes them alike.
    kept = slice(None) if "matlab" in name else golden["scores"] > 1e-6
    assert spearmanr(fitted.scores_[kept], golden["scores"][kept]).statistic >= 0.999


def test_wide_data_need_no_square_of_the_features():
    X = np.random.default_rng(0).normal(size=(30, 5000))
    tracemalloc.start()
    UDFS(n_clusters=3, max_iter=3).fit(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5000 * 5000 * 8 / 5


@pytest.mark.parametrize("shape", [(60, 20), (25, 90)])
@pytest.mark.parametrize("gamma", [0.01, 1.0, 100.0])
def test_the_objective_never_rises_and_the_columns_stay_orthonormal(shape, gamma):
    X = np.random.default_rng(0).normal(size=shape)
    fitted = UDFS(n_clusters=4, gamma=gamma, mu=1.0).fit(X)
    assert np.all(np.diff(fitted.objective_) <= 1e-9 * fitted.objective_[-1])
    V = fitted.projection_
    np.testing.assert_allclose(V.T @ V, np.eye(4), atol=1e-12)
    np.testing.assert_allclose(fitted.scores_, np.linalg.norm(V, axis=1))


def test_more_clusters_than_features_that_vary():
    X = np.random.default_rng(0).normal(size=(30, 6))
    X[:, :3] = 1.0
    with pytest.raises(ValueError, match=r"n_clusters=4 .* not constant, 3 of n_features=6"):
        UDFS(n_clusters=4).fit(X)


def test_a_ridge_that_makes_no_difference():
    X = np.random.default_rng(0).normal(size=(30, 6))
    with pytest.raises(ValueError, match=r"mu=1e-20 vanishes .* raise mu"):
        UDFS(mu=1e-20).fit(X)


def test_two_samples():
    X = np.array([[0.0, 0, 1], [1.0, 2, 1]])
    fitted = UDFS(n_clusters=1, n_neighbors=1).fit(X)
    np.testing.assert_allclose(np.sum(fitted.scores_**2), 1)
    assert fitted.scores_[2] == 0


def test_moons_lead_where_noise_is_wider_than_the_neighbourhoods(two_moons):
    """The method keeps what varies little among neighbours, and so prefers small noise."""
    assert set(UDFS(mu=1.0).fit(two_moons(noise=0.3)).selected_[:2]) == {0, 1}
    assert set(UDFS(mu=1.0).fit(two_moons(noise=0.01)).selected_[:2]).isdisjoint({0, 1})
