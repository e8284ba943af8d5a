from __future__ import annotations

from functools import partialmethod

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.feature_selection import SelectKBest

from sparsecone.baselines.laplacian_score import LaplacianScore, laplacian_score

import shared

# Four points on a line, each joined to its nearest neighbour: a path with degrees 1, 2, 2, 1.
POSITIONS = np.array([0.0, 1.0, 3.0, 7.0])
LINE = np.column_stack([POSITIONS, 0.01 * np.array([1, -1, 1, -1]), np.full(4, 0.1)])


def test_four_points_by_hand():
    """Position: (1 + 4 + 16) / 31.5 with weighted mean 2.5; the alternating one: 12 / 6."""
    scores = LaplacianScore(n_neighbors=1).fit(LINE).scores_
    np.testing.assert_allclose(scores, [-21 / 31.5, -2, -np.inf])


def test_four_points_with_self_loops_by_hand():
    """The degrees are 2, 3, 3, 2 and the weighted mean of the position is 2.6."""
    scores = laplacian_score(LINE, n_neighbors=1, self_loops=True)
    np.testing.assert_allclose(scores, [-21 / 60.4, -12 / 10, -np.inf])


def test_two_samples():
    np.testing.assert_allclose(laplacian_score([[0.0, 1], [1.0, 1]], n_neighbors=1), [-2, -np.inf])


@pytest.mark.parametrize("dataset", ["Isolet", "PIE"])
def test_original_program(dataset):
    X, _ = shared.load(dataset.lower())
    golden = shared.golden(f"LaplacianScore_matlab__{dataset}__binary_k5")
    np.testing.assert_allclose(
        1 + laplacian_score(X), golden["one_minus_laplacian_score"], rtol=1e-10
    )


@pytest.mark.parametrize("dataset", ["Isolet", "PIE"])
@pytest.mark.parametrize("weights", ["binary", "heat"])
def test_package_with_self_loops(dataset, weights):
    X, _ = shared.load(dataset.lower())
    golden = shared.golden(f"lap_score__{dataset}__{weights}_k5")
    scores = laplacian_score(X, weights=weights, self_loops=True)
    # Isolet's heat scores are near 1e-8, and the package takes them as 1 less a number near 1.
    np.testing.assert_allclose(-scores, golden["laplacian_score"], rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("layout", [sp.csr_array, sp.csc_matrix, sp.coo_array])
@pytest.mark.parametrize("weights", ["binary", "heat"])
def test_sparse_scores_are_the_dense_ones(layout, weights):
    X = np.maximum(np.random.default_rng(0).normal(-0.5, size=(80, 30)), 0)
    X[:, 3], X[:, 5] = 0.0, 0.1
    dense = LaplacianScore(weights=weights).fit(X).scores_
    sparse = LaplacianScore(weights=weights).fit(layout(X)).scores_
    np.testing.assert_allclose(sparse, dense, rtol=1e-12)
    assert np.all(np.isinf(dense) == np.isin(np.arange(30), [3, 5]))


def narrow_array(matrix, toarray, *args, **options):
    """Make an array of distances, or of few features, and of nothing as wide as the data."""
    assert matrix.shape[1] <= 1000, "densified"
    return toarray(matrix, *args, **options)


def test_wide_sparse_data_are_never_densified(monkeypatch):
    for kind in (sp.csr_array, sp.csr_matrix):
        monkeypatch.setattr(kind, "toarray", partialmethod(narrow_array, kind.toarray))
    X = sp.random_array(
        (200, 100_000), density=1e-3, format="csr", random_state=np.random.default_rng(0)
    )
    assert LaplacianScore(n_features_to_select=10).fit_transform(X).shape == (200, 10)


def test_scores_do_not_depend_on_the_batches(monkeypatch):
    X = np.random.default_rng(0).normal(size=(80, 30))
    whole = laplacian_score(X)
    monkeypatch.setattr("sparsecone.baselines.graph.BATCH_ENTRIES", 100)
    np.testing.assert_allclose(laplacian_score(X), whole, rtol=1e-13)


def test_a_heat_kernel_that_vanishes_is_told():
    with pytest.raises(ValueError, match=r"width=1e-06 is far\s+below .* Raise width"):
        laplacian_score(np.random.default_rng(0).normal(size=(20, 3)), weights="heat", width=1e-6)


def test_select_k_best_takes_the_smoothest():
    X = np.random.default_rng(0).normal(size=(60, 6))
    best = SelectKBest(laplacian_score, k=2).fit(X).get_support(indices=True)
    assert set(best) == set(LaplacianScore(n_features_to_select=2).fit(X).selected_)


def test_moons_lead_small_noise(two_moons):
    assert set(LaplacianScore().fit(two_moons(noise=0.1)).selected_[:2]) == {0, 1}
