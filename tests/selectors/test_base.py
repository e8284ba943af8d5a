"""How many features are kept and in which order, by hand on a few scores."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sparsecone import MaxVariance, from_gram
from sparsecone.selectors.base import Selector
from sparsecone.selectors.controls import AllFeatures


class Given(Selector):
    """Keeps scores that are given."""

    def __init__(self, n_features_to_select: Any = None) -> None:
        self.n_features_to_select = n_features_to_select


def fitted(n: int = 5, **given: Any) -> MaxVariance:
    """Return a selector of features with the variances 1, 4, 9, ..."""
    rows = np.diag(np.arange(1.0, n + 1.0))
    return MaxVariance(**given).fit(np.r_[rows, -rows])


@pytest.mark.parametrize(
    ("wanted", "n_features", "number"),
    [
        (None, 1, 1),
        (None, 2, 1),
        (None, 3, 1),
        (None, 5, 2),
        (None, 6, 3),
        (1, 5, 1),
        (5, 5, 5),
        (0.01, 5, 1),
        (0.3, 5, 1),
        (0.4, 5, 2),
        (0.79, 5, 3),
        (1.0, 5, 5),
        (np.int64(2), 5, 2),
        (np.float32(0.5), 4, 2),
    ],
)
def test_half_a_number_or_a_fraction_rounded_down_and_at_least_one(
    wanted: Any, n_features: int, number: int
) -> None:
    selector = fitted(n_features, n_features_to_select=wanted)
    assert selector.selected_.size == selector.support_.sum() == number


@pytest.mark.parametrize("wanted", [True, False])
def test_a_truth_value_is_no_number(wanted: bool) -> None:
    with pytest.raises(ValueError, match="must be None, an int or a float in"):
        fitted(3, n_features_to_select=wanted)


def test_numbers_that_cannot_be_had_are_named() -> None:
    with pytest.raises(ValueError, match="=0 must lie between 1 and the number of features, 3"):
        fitted(3, n_features_to_select=0)
    with pytest.raises(ValueError, match="=4 must lie between 1 and the number of features, 3"):
        fitted(3, n_features_to_select=4)
    with pytest.raises(ValueError, match=r"=1\.01 is a fraction and must lie in \(0, 1\]"):
        fitted(3, n_features_to_select=1.01)


def test_the_largest_score_is_first_and_equal_ones_come_by_index() -> None:
    selector = Given(3)._keep(np.array([1.0, 3.0, 2.0, 3.0, 0.0]))
    np.testing.assert_array_equal(selector.selected_, [1, 3, 2])
    np.testing.assert_array_equal(selector.ranking_, [4, 1, 3, 2, 5])
    np.testing.assert_array_equal(selector.support_, [False, True, True, True, False])
    np.testing.assert_array_equal(selector.scores_, [1.0, 3.0, 2.0, 3.0, 0.0])
    np.testing.assert_array_equal(AllFeatures().fit([[1, 2, 3], [2, 4, 7]]).selected_, [0, 1, 2])


def test_another_order_than_that_of_the_scores() -> None:
    selector = Given(2)._keep(np.array([1.0, 3.0, 2.0]), np.array([2, 0, 1]))
    np.testing.assert_array_equal(selector.selected_, [2, 0])
    np.testing.assert_array_equal(selector.ranking_, [2, 3, 1])


def test_every_size_of_a_selector_without_wishes() -> None:
    selector = fitted(4, n_features_to_select=2)
    for restored in (False, True):
        if restored:
            # As after reading it from a file.
            del selector._sizes
        for size in range(1, 5):
            np.testing.assert_array_equal(selector.selected_at(size), [3, 2, 1, 0][:size])
            np.testing.assert_array_equal(selector.support_at(size), np.arange(4) >= 4 - size)
        for size in (0, 5):
            with pytest.raises(ValueError, match=f"n_features={size} must lie between 1 and 4"):
                selector.selected_at(size)


def test_a_number_left_open_follows_the_wishes_and_a_given_one_does_not() -> None:
    # Half of six are three; four are kept.
    assert fitted(6, keep=[0, 1, 2, 3]).selected_.size == 4
    assert fitted(6, keep=[0, 1, 2, 3], n_features_to_select=0.2).selected_.size == 4
    assert fitted(6, exclude=[0, 1, 2, 3]).selected_.size == 2
    assert fitted(6, exclude=[0, 1, 2, 3], n_features_to_select=1.0).selected_.size == 2
    with pytest.raises(ValueError, match=r"3 features cannot be selected: .* must be 4 to 6"):
        fitted(6, keep=[0, 1, 2, 3], n_features_to_select=3)
    with pytest.raises(ValueError, match=r"3 features cannot be selected: .* must be 1 to 2"):
        fitted(6, exclude=[0, 1, 2, 3], n_features_to_select=3)


def test_whole_groups_that_do_not_fit_are_left_out() -> None:
    given = {"groups": [[3, 4]], "per_group": "all"}
    selector = fitted(5, n_features_to_select=4, **given)
    np.testing.assert_array_equal(selector.selected_, [4, 3, 2, 1])
    sizes = [selector.selected_at(size).size for size in (2, 3, 4, 5)]
    assert sizes == [2, 3, 4, 5]
    with pytest.raises(ValueError, match=r"1 features cannot be selected: .* must be 2 to 5"):
        selector.selected_at(1)
    given = {"groups": [[0, 3]], "per_group": "all"}
    selector = fitted(5, n_features_to_select=2, **given)
    np.testing.assert_array_equal(selector.selected_, [4])
    assert [selector.selected_at(size).size for size in (1, 2, 3, 4)] == [1, 1, 3, 4]


def test_samples_that_only_have_moments_are_explained() -> None:
    S = np.array([[4.0, 2.0, 0.0], [2.0, 4.0, 0.0], [0.0, 0.0, 1.0]])
    selector = MaxVariance(n_features_to_select=1).fit(np.diag([3.0, 2.0, 1.0]))
    found = selector.explanation(from_gram(S, n_samples=9))
    np.testing.assert_allclose(found["correlation"], [0.0, 0.5, 0.0], atol=1e-12)
