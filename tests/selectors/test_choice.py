"""Which features are selected, how many, and what they explain."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.datasets import load_digits
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, LeaveOneOut, cross_val_score

from sparsecone import SPCAPSD, MaxVariance, RandomFeatures
from sparsecone.data import as_samples
from sparsecone.selectors.explained import RIDGES, explained_variance
from sparsecone.selectors.reasons import reason_of


def groups(sizes: tuple[int, ...], n_noise: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return groups of noisy copies of one signal each, and noise columns; the group of each."""
    rng = np.random.default_rng(0)
    member = np.concatenate([np.repeat(np.arange(len(sizes)), sizes), np.full(n_noise, -1)])
    signals = rng.normal(size=(200, len(sizes))) * np.linspace(1.5, 1.0, len(sizes))
    X = 0.1 * rng.normal(size=(200, member.size))
    X[:, member >= 0] += signals[:, member[member >= 0]]
    order = rng.permutation(member.size)
    return X[:, order], member[order]


@pytest.mark.parametrize("sizes", [(5, 5, 5), (12, 4, 3, 8), (20, 2)])
def test_one_of_each_group_before_a_second_of_any(sizes: tuple[int, ...]) -> None:
    X, member = groups(sizes, n_noise=10)
    selector = SPCAPSD(n_features_to_select=len(sizes)).fit(X)
    assert sorted(member[selector.selected_]) == list(range(len(sizes)))


def test_the_scores_alone_repeat_a_group() -> None:
    X, member = groups((2, 12), n_noise=10)
    selector = SPCAPSD(n_features_to_select=2, selection="scores").fit(X)
    assert len(set(member[selector.selected_])) == 1


def test_explained_variance_is_that_of_leaving_one_out() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(15, 3)) @ rng.normal(size=(3, 7)) + 0.3 * rng.normal(size=(15, 7))
    selected = np.array([4, 1])
    centred = X[:, selected] - X[:, selected].mean(axis=0)
    mean_square = np.mean(np.linalg.svd(centred, compute_uv=False) ** 2)
    errors = np.zeros(len(RIDGES))
    total = 0.0
    for train, test in LeaveOneOut().split(X):
        total += np.sum((X[test] - X[train].mean(axis=0)) ** 2)
        for k, ridge in enumerate(RIDGES * mean_square):
            # The closed form keeps the intercept of all samples out of the ridge as well.
            model = Ridge(alpha=ridge).fit(X[train][:, selected], X[train])
            errors[k] += np.sum((X[test] - model.predict(X[test][:, selected])) ** 2)
    expected = 1.0 - errors.min() / total
    assert explained_variance(as_samples(X), selected) == pytest.approx(expected, rel=1e-8)
    sparse = explained_variance(as_samples(sp.csr_array(X)), selected)
    assert sparse == pytest.approx(expected, rel=1e-8)


def test_a_constant_feature_among_the_selected_changes_nothing() -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(15, 3)) @ rng.normal(size=(3, 7)) + rng.normal(size=(15, 7))
    # A mean of 0.1 is rounded: centred, the column is not exactly zero.
    X[:, 0] = 0.1
    alone, both = (
        explained_variance(as_samples(X), np.array(selected)) for selected in ([4, 1], [4, 1, 0])
    )
    assert both == pytest.approx(alone, rel=1e-12)


def test_scores_of_unseen_samples_rank_selections() -> None:
    X, _ = load_digits(return_X_y=True)
    ours = cross_val_score(SPCAPSD(n_features_to_select=12), X, cv=3).mean()
    theirs = cross_val_score(RandomFeatures(n_features_to_select=12, random_state=0), X, cv=3)
    assert 0.5 < ours < 1.0
    assert ours > theirs.mean()


def test_grid_search_without_labels() -> None:
    X, _ = load_digits(return_X_y=True)
    search = GridSearchCV(MaxVariance(), {"n_features_to_select": [2, 20]}, cv=3).fit(X[:300])
    assert search.best_params_ == {"n_features_to_select": 20}


def test_score_of_one_sample_is_refused() -> None:
    X, _ = load_digits(return_X_y=True)
    selector = MaxVariance(n_features_to_select=3).fit(X)
    with pytest.raises(ValueError, match="minimum of 2"):
        selector.score(X[:1])


def test_as_many_features_as_are_enough() -> None:
    X, member = groups((6, 6, 6), n_noise=20)
    selector = SPCAPSD(n_features_to_select="auto").fit(X)
    assert selector.selected_.size == 3
    assert set(member[selector.selected_]) == {0, 1, 2}
    curve = selector.curve_
    assert curve.chosen == 3
    assert curve.explained[2] >= curve.target > curve.explained[1]
    assert curve.n_features[0] == 1


def test_noise_is_kept_to_one_feature() -> None:
    X = np.random.default_rng(0).normal(size=(300, 20))
    selector = SPCAPSD(n_features_to_select="auto").fit(X)
    assert selector.curve_.is_noise
    assert selector.selected_.size == 1
    assert "noise" in reason_of(selector)


@pytest.mark.parametrize("selection", ["diverse", "scores"])
def test_the_number_is_chosen_for_wide_data_too(selection: str) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20, 3)) @ rng.normal(size=(3, 90)) + 0.5 * rng.normal(size=(20, 90))
    selector = SPCAPSD(n_features_to_select="auto", selection=selection).fit(X)
    assert 1 <= selector.selected_.size <= 18
    assert selector.transform(X).shape[1] == selector.selected_.size


def test_nothing_explains_nothing_and_all_of_nothing() -> None:
    flat = np.column_stack([np.ones(5), np.arange(5.0)])
    assert explained_variance(as_samples(flat), np.array([0])) == 0.0
    assert explained_variance(as_samples(np.ones((5, 2))), np.array([0])) == 1.0


def test_features_that_follow_from_the_selected_ones_are_predicted_all_but_exactly() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 2)) @ rng.normal(size=(2, 7))
    for unit in (1e-3, 1.0, 1e3):
        assert explained_variance(as_samples(unit * X), np.array([0, 3])) > 1.0 - 1e-9


def test_features_that_tell_nothing_are_shrunk_to_the_mean() -> None:
    # Among the ridges are some that fit next to nothing to noise.
    rng = np.random.default_rng(0)
    found = explained_variance(as_samples(rng.normal(size=(25, 40))), np.array([0, 1, 2, 3, 4, 5]))
    assert 0.0 < found < 0.2
