"""What SPCAFS, CSPCA and AW-SPCA have in common: the contract of scikit-learn, and the edges."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import make_moons
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

from sparsecone.baselines.aw_spca import AWSPCA
from sparsecone.baselines.cspca import CSPCA
from sparsecone.baselines.spcafs import SPCAFS

METHODS = [SPCAFS(max_iter=500), CSPCA(), AWSPCA()]
each_method = pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)


def normal(n_samples: int, n_features: int) -> Any:
    return 3.0 * np.random.default_rng(0).normal(size=(n_samples, n_features))


@parametrize_with_checks(METHODS)
def test_scikit_learn_checks(estimator: Any, check: Any) -> None:
    check(estimator)


@each_method
def test_two_moons_rank_above_small_noise(method: Any) -> None:
    moons, _ = make_moons(800, noise=0.05, random_state=0)
    amplitudes = moons.std(axis=0).min() * np.linspace(0.1, 0.6, 7)
    noise = amplitudes * np.random.default_rng(1).normal(size=(800, 7))
    selector = clone(method).set_params(n_features_to_select=2).fit(np.hstack([noise, moons]))
    assert set(selector.selected_) == {7, 8}


@each_method
@pytest.mark.parametrize("shape", [(30, 6), (6, 30)])
def test_a_constant_feature_scores_nothing_and_ranks_last(
    method: Any, shape: tuple[int, int]
) -> None:
    X = normal(*shape)
    X[:, 2] = 0.1
    selector = clone(method).set_params(n_features_to_select=2).fit(X)
    assert selector.scores_[2] < 1e-12 < np.delete(selector.scores_, 2).min()
    assert selector.ranking_[2] == shape[1]


@each_method
@pytest.mark.parametrize("shape", [(12, 6), (12, 30)])
def test_duplicate_rows_give_finite_scores(method: Any, shape: tuple[int, int]) -> None:
    X = np.repeat(normal(shape[0] // 2, shape[1]), 2, axis=0)
    selector = clone(method).fit(X)
    assert np.all(np.isfinite(selector.scores_))
    assert selector.scores_.max() > 0.0


@each_method
@pytest.mark.parametrize("shape", [(2, 1), (2, 5), (3, 3)])
def test_the_smallest_data_work(method: Any, shape: tuple[int, int]) -> None:
    selector = clone(method).set_params(n_features_to_select=1).fit(normal(*shape))
    assert np.isfinite(selector.scores_).all()
    assert selector.support_.sum() == 1


@each_method
def test_features_keep_their_scores_when_they_change_places(method: Any) -> None:
    X, order = normal(8, 20), np.random.default_rng(1).permutation(20)
    assert_allclose(
        clone(method).fit(X[:, order]).scores_, clone(method).fit(X).scores_[order], atol=1e-5
    )


@each_method
def test_a_shift_of_the_data_changes_nothing(method: Any) -> None:
    X = normal(20, 5)
    shifted = clone(method).fit(X + np.array([1.0, -2.0, 30.0, 4.0, 0.0]))
    assert_allclose(shifted.scores_, clone(method).fit(X).scores_, rtol=1e-9)


@each_method
@pytest.mark.parametrize("shape", [(20, 5), (5, 20)])
def test_fit_is_repeatable_and_leaves_its_input_alone(method: Any, shape: tuple[int, int]) -> None:
    X = normal(*shape)
    before = X.copy()
    first, second = clone(method).fit(X), clone(method).fit(X)
    assert_array_equal(X, before)
    assert_array_equal(first.scores_, second.scores_)


@each_method
def test_an_iteration_cut_short_warns_and_keeps_its_history(method: Any) -> None:
    selector = clone(method).set_params(max_iter=2, tol=0.0)
    with pytest.warns(ConvergenceWarning, match="after max_iter=2 iterations"):
        selector.fit(normal(20, 5))
    assert selector.n_iter_ == selector.objective_.size == 2


@each_method
def test_too_many_features_asked_for(method: Any) -> None:
    with pytest.raises(ValueError, match="n_features_to_select=6 must lie between 1 and"):
        clone(method).set_params(n_features_to_select=6).fit(normal(20, 5))


@each_method
def test_one_sample_is_refused(method: Any) -> None:
    with pytest.raises(ValueError, match="minimum of 2 is required"):
        clone(method).fit(normal(1, 5))
