"""Features that are selected again and again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.feature_selection import VarianceThreshold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from sparsecone import SPCAPSD, MaxVariance, RandomFeatures, StableSelector


def data() -> NDArray[Any]:
    """Return four strong features among sixteen weak ones."""
    return np.random.default_rng(0).normal(size=(60, 20)) * np.repeat([10.0, 1.0], [4, 16])


@parametrize_with_checks(
    [
        StableSelector(MaxVariance(n_features_to_select=1), 4, random_state=0),
        StableSelector(SPCAPSD(n_features_to_select=1), 2, n_features_to_select=1, random_state=0),
    ]
)
@pytest.mark.filterwarnings("ignore:No feature was selected on")
def test_scikit_learn_checks(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array, pd.DataFrame])
def test_what_is_clear_is_chosen_by_frequency(kind: Any) -> None:
    X = kind(data())
    stable = StableSelector(MaxVariance(n_features_to_select=6), 20, random_state=0).fit(X)
    assert set(range(4)) <= set(stable.selected_.tolist())
    np.testing.assert_array_equal(stable.support_, stable.frequencies_ >= 0.75)
    assert stable.n_selected_mean_ == 6.0
    assert stable.error_bound_ == pytest.approx(
        36 / 20 / (2 * stable.frequencies_[stable.selected_].min() - 1)
    )
    assert stable.transform(X).shape == (60, stable.selected_.size)


def test_a_number_and_ties_by_the_ranks_on_the_halves() -> None:
    stable = StableSelector(
        MaxVariance(n_features_to_select=8), 10, n_features_to_select=2, random_state=0
    ).fit(data() * np.r_[1.0, 1.0, 5.0, 4.0, np.ones(16)])
    assert stable.selected_.tolist() == [2, 3]
    assert stable.selected_at(4).tolist()[:2] == [2, 3]


def test_halves_come_in_pairs_without_a_common_sample() -> None:
    halves = StableSelector(MaxVariance(), 5, random_state=0)._halves(11)
    assert len(halves) == 6
    for one, other in zip(halves[::2], halves[1::2], strict=True):
        assert one.size == other.size == 5
        assert not set(one) & set(other)


def test_the_bound_holds_in_the_mean() -> None:
    # Each half takes one of two strong features and three of the others by chance.
    rng = np.random.default_rng(0)
    errors, bounds = [], []
    for seed in range(40):
        X = rng.normal(size=(30, 20)) * np.r_[2.0, 2.0, np.ones(18)]
        stable = StableSelector(
            MaxVariance(n_features_to_select=4), 20, threshold=0.6, random_state=seed
        ).fit(X)
        errors.append(np.count_nonzero(stable.selected_ >= 2))
        bounds.append(16 / 20 / (2 * 0.6 - 1))
    assert 0.0 < np.mean(errors) <= np.mean(bounds)


def test_wishes_of_the_selector_hold() -> None:
    X = pd.DataFrame(data(), columns=[f"f{number}" for number in range(20)])
    inner = MaxVariance(n_features_to_select=5, keep="f9", exclude="f1", groups=[["f2", "f3"]])
    stable = StableSelector(inner, 10, n_features_to_select=8, random_state=0).fit(X)
    assert stable.selected_[0] == 9
    assert not stable.support_[1]
    assert stable.support_[[2, 3]].sum() == 1


def test_a_pipeline_inside_and_around() -> None:
    X = np.c_[np.ones(60), data()]
    inner = make_pipeline(VarianceThreshold(), StandardScaler(), SPCAPSD(n_features_to_select=5))
    stable = StableSelector(inner, 6, n_features_to_select=3, random_state=0)
    outer = make_pipeline(StandardScaler(), stable)
    assert outer.fit_transform(X).shape == (60, 3)
    assert stable.frequencies_[0] == 0.0
    assert stable.frequencies_.sum() == pytest.approx(5.0)
    named = clone(stable).fit(pd.DataFrame(X, columns=[f"f{number}" for number in range(21)]))
    assert all(name.startswith("f") for name in named.get_feature_names_out())


def test_chance_chooses_nothing_and_says_so() -> None:
    stable = StableSelector(RandomFeatures(n_features_to_select=2), 40, random_state=0)
    with pytest.warns(UserWarning, match=r"No feature was selected on 75 %.*lower threshold"):
        stable.fit(data())
    assert stable.selected_.size == 1
    assert stable.error_bound_ == 20.0


def test_features_that_were_never_selected_are_counted() -> None:
    stable = StableSelector(
        MaxVariance(n_features_to_select=2), 4, n_features_to_select=20, random_state=0
    )
    with pytest.warns(UserWarning, match="never selected on a half: ask for at most"):
        stable.fit(data())
    reasons = StableSelector(MaxVariance(n_features_to_select=2), 4, random_state=0).fit(data())
    assert reasons.explanation(data())["reason"][19] == "never selected on a half of the samples"


def test_too_few_samples_have_no_halves() -> None:
    with pytest.raises(ValueError, match="n_samples=3 is too few"):
        StableSelector(MaxVariance()).fit(data()[:3])
