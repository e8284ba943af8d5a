from __future__ import annotations

import numpy as np
import pytest

from sparsecone.baselines.projections.nonnegative import fit_embedding, reconstruction_weights


@pytest.fixture(name="X")
def samples():
    return np.random.default_rng(0).normal(size=(50, 8))


@pytest.mark.parametrize("n_neighbors", [4, 12])
def test_weights_sum_to_one_a_row(X, n_neighbors):
    weights = reconstruction_weights(X, n_neighbors)
    np.testing.assert_allclose(weights.sum(axis=1), 1)
    assert weights.nnz == 50 * n_neighbors


def test_weights_rebuild_best(X):
    weights = reconstruction_weights(X, 4)
    best = np.sum((X - weights @ X) ** 2, axis=1)
    rng = np.random.default_rng(1)
    for _ in range(20):
        other = weights.copy()
        change = 0.01 * rng.normal(size=(50, 4))
        other.data += (change - change.mean(axis=1, keepdims=True)).ravel()
        assert np.all(np.sum((X - other @ X) ** 2, axis=1) > best)


def test_a_sample_amid_its_neighbours_is_rebuilt():
    X = np.array([[0.0, 0, 0], [1, 0, 0], [-1, 0, 0], [0, 9, 0], [0, 9, 1], [0, 8, 1]])
    np.testing.assert_allclose(
        reconstruction_weights(X, 2)[[0]].toarray()[0], [0, 0.5, 0.5, 0, 0, 0]
    )


def test_duplicates_rebuild_each_other():
    X = np.repeat(np.random.default_rng(0).normal(size=(5, 8)), 3, axis=0)
    weights = reconstruction_weights(X, 4)
    np.testing.assert_allclose(weights.sum(axis=1), 1)
    np.testing.assert_allclose(weights @ X, X, atol=1e-6)
    only_duplicates = reconstruction_weights(X, 2)
    np.testing.assert_allclose(only_duplicates.data, 0.5)


def test_the_objective_is_that_of_the_formula_and_falls(X):
    start = np.random.default_rng(1).uniform(size=(8, 3))
    fit = fit_embedding(X, start, alpha=1000.0, max_iter=20)
    excess = fit.V.T @ fit.V - np.eye(3)
    value = np.abs(X @ fit.V).sum() + 250 * np.sum(excess**2)
    assert fit.objective[-1] == pytest.approx(value)
    assert fit.objective.size == 20
    assert fit.objective[-1] < fit.objective[0]
    assert np.all(fit.V >= 0)


def test_wide_data_need_no_square_of_the_features():
    """Rows of zeros change nothing but which side is the smaller."""
    wide = np.random.default_rng(0).normal(size=(10, 30))
    tall = np.vstack([wide, np.zeros((25, 30))])
    start = np.random.default_rng(1).uniform(size=(30, 3))
    fits = [fit_embedding(R, start, alpha=1000.0, max_iter=5) for R in (wide, tall)]
    np.testing.assert_allclose(fits[0].V, fits[1].V, rtol=1e-6, atol=1e-12)
