"""The controls, on dense and sparse data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.feature_selection import SelectKBest
from sklearn.utils.estimator_checks import parametrize_with_checks

from sparsecone.selectors.controls import AllFeatures, MaxVariance, RandomFeatures, variance_score

CONTROLS = [AllFeatures(), MaxVariance(), RandomFeatures(random_state=0)]
KINDS: list[Callable[[Any], Any]] = [np.asarray, sp.csr_array, sp.csc_matrix]


@pytest.fixture(name="X")
def counts() -> Any:
    rng = np.random.default_rng(0)
    return rng.poisson(0.5, size=(40, 6)) * np.array([1.0, 5.0, 2.0, 0.0, 3.0, 4.0])


@parametrize_with_checks(CONTROLS)
def test_scikit_learn_checks(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("control", CONTROLS, ids=lambda control: type(control).__name__)
def test_sparse_data_give_the_scores_of_dense(X: Any, control: Any, kind: Any) -> None:
    assert_allclose(clone(control).fit(kind(X)).scores_, clone(control).fit(X).scores_)


def test_all_features_are_selected_in_their_order(X: Any) -> None:
    assert_array_equal(AllFeatures().fit(X).selected_, np.arange(6))
    assert_array_equal(AllFeatures().fit_transform(X), X)


def test_scores_of_max_variance_are_variances(X: Any) -> None:
    assert_allclose(MaxVariance().fit(X).scores_, X.var(axis=0))


@pytest.mark.parametrize("kind", KINDS)
def test_a_constant_feature_has_variance_exactly_zero(kind: Any) -> None:
    assert_array_equal(variance_score(kind(np.full((7, 2), 0.1))), [0.0, 0.0])


@pytest.mark.parametrize("kind", KINDS)
def test_variance_score_in_select_k_best(X: Any, kind: Any) -> None:
    best = SelectKBest(variance_score, k=3).fit(kind(X)).get_support(indices=True)
    assert_array_equal(best, np.sort(np.argsort(-X.var(axis=0))[:3]))


def test_random_features_depend_on_the_seed_alone(X: Any) -> None:
    def ranking(seed: int) -> Any:
        return RandomFeatures(random_state=seed).fit(X).ranking_

    assert_array_equal(ranking(3), ranking(3))
    assert len({tuple(ranking(seed)) for seed in range(10)}) > 5


def test_random_features_select_each_feature_equally_often(X: Any) -> None:
    rng = np.random.RandomState(0)
    half = RandomFeatures(n_features_to_select=3, random_state=rng)
    counts = sum(half.fit(X).support_.astype(int) for _ in range(1000))
    # Binomial(1000, 1/2) has standard deviation 15.8: five of them.
    assert_allclose(counts, 500, atol=80)
