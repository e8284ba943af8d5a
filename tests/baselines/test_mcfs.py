"""MCFS against its definition."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from sklearn.linear_model import Lars

from sparsecone.baselines.mcfs import MCFS
from sparsecone.baselines.spectral import SpectralGraph


@pytest.mark.parametrize("shape", [(60, 30), (40, 90)])
@pytest.mark.parametrize("self_loops", [False, True])
def test_coefficients_are_those_of_one_regression_a_vector(shape, self_loops):
    X = np.random.default_rng(0).normal(2.0, size=shape)
    fitted = MCFS(n_features_to_select=8, n_clusters=3, self_loops=self_loops).fit(X)
    targets = SpectralGraph.of(X, 5, self_loops=self_loops).embedding(3)[1]
    expected = np.column_stack([Lars(n_nonzero_coefs=8).fit(X, y).coef_ for y in targets.T])
    np.testing.assert_allclose(fitted.coefficients_, expected, atol=1e-9)
    np.testing.assert_array_equal(fitted.scores_, np.abs(fitted.coefficients_).max(axis=1))
    assert np.all(np.count_nonzero(fitted.coefficients_, axis=0) == 8)
    assert fitted.n_iter_ == 8


@pytest.mark.parametrize("shape", [(60, 50), (40, 90)])
def test_paths_of_scikit_learn(shape):
    X = np.random.default_rng(0).normal(2.0, size=shape)
    fitted = MCFS(n_features_to_select=30, n_clusters=3, path="scikit-learn").fit(X)
    targets = SpectralGraph.of(X, 5).embedding(3)[1]
    expected = np.column_stack([Lars(n_nonzero_coefs=30).fit(X, y).coef_ for y in targets.T])
    np.testing.assert_allclose(fitted.coefficients_, expected, atol=1e-9)


@pytest.mark.parametrize("shape", [(60, 50), (40, 90)])
def test_the_lasso_has_its_conditions(shape):
    X = np.random.default_rng(0).normal(2.0, size=shape)
    fitted = MCFS(n_features_to_select=30, n_clusters=3, path="lasso").fit(X)
    X, targets = X - X.mean(axis=0), SpectralGraph.of(X, 5).embedding(3)[1]
    left = X.T @ (targets - targets.mean(axis=0) - X @ fitted.coefficients_)
    assert fitted.n_iter_ == 30
    for a, c in zip(fitted.coefficients_.T, left.T, strict=True):
        assert np.count_nonzero(a) == 30
        np.testing.assert_allclose(c[a != 0], np.sign(a[a != 0]) * np.abs(c).max(), rtol=1e-8)


def test_the_number_of_features_of_a_path_can_be_given():
    X = np.random.default_rng(0).normal(size=(60, 30))
    few = MCFS(n_features_to_select=20, n_clusters=2, n_nonzero=3).fit(X)
    assert np.all(np.count_nonzero(few.coefficients_, axis=0) == 3)


def test_a_path_ends_where_the_residual_is_gone():
    X = np.random.default_rng(0).normal(size=(20, 200))
    assert MCFS(n_features_to_select=100, n_clusters=2).fit(X).n_iter_ == 19


def test_moons_lead_small_noise(two_moons):
    fitted = MCFS(n_features_to_select=2).fit(two_moons(noise=0.1))
    assert set(fitted.selected_) == {0, 1}
    assert fitted.n_clusters_ == fitted.coefficients_.shape[1]


def test_wide_data_need_no_square_of_the_features():
    X = np.random.default_rng(0).normal(size=(30, 5000))
    tracemalloc.start()
    MCFS(n_features_to_select=10).fit(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5000 * 5000 * 8 / 5
