"""The rules of wishes, by hand on a few features."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sparsecone import SPCAPSD, MaxVariance
from sparsecone.selectors.wishes import Wishes, feature_mask, place_wishes, set_places

NAMES = np.array(["a", "b", "c", "d", "e"], dtype=object)


def wishes(**given: Any) -> Wishes:
    return Wishes.of(MaxVariance(**given), 5)


def mask(*features: int) -> np.ndarray:
    return np.isin(np.arange(5), features)


def places(found: np.ndarray) -> list[int]:
    return np.flatnonzero(found).tolist()


def test_groups_are_numbered_and_no_group_is_minus_one() -> None:
    np.testing.assert_array_equal(wishes().labels, [-1] * 5)
    np.testing.assert_array_equal(wishes(groups=[[1, 2], [4]]).labels, [-1, 0, 0, -1, 1])
    labels = ["x", None, "y", "x", None]
    np.testing.assert_array_equal(wishes(groups=labels).labels, [0, -1, 2, 0, -1])


def test_labels_may_be_anything_that_can_be_compared() -> None:
    labels = [(1, 2), None, (1, 2), (3,), None]
    found = wishes(groups=labels).labels
    assert found[0] == found[2] != found[3]
    np.testing.assert_array_equal(found[[1, 4]], -1)


def test_nothing_is_wished_for_or_something_is() -> None:
    assert wishes().are_none
    assert not wishes(keep=[0]).are_none
    assert not wishes(exclude=[0]).are_none
    assert not wishes(groups=[[0, 1]]).are_none


def test_one_of_a_group_closes_the_others() -> None:
    found = wishes(groups=[[0, 1], [2, 3]], exclude=[4])
    assert places(found.closed(mask())) == [4]
    assert places(found.closed(mask(0))) == [1, 4]
    assert places(found.closed(mask(3))) == [2, 4]
    assert places(found.closed(mask(1, 3))) == [0, 2, 4]
    # A feature of no group closes none.
    assert places(wishes(groups=[[0, 1]]).closed(mask(2))) == []


def test_what_is_excluded_closes_its_whole_group() -> None:
    found = wishes(groups=[[0, 1], [2, 3]], exclude=[1, 4], per_group="all")
    assert places(found.closed(mask(2))) == [0, 1, 4]
    assert places(wishes(exclude=[4], groups=[[0, 1]], per_group="all").closed(mask())) == [4]


def test_without_groups_only_what_is_excluded_is_closed_and_its_mask_is_left_alone() -> None:
    found = wishes(exclude=[2])
    closed = found.closed(mask(0))
    assert places(closed) == [2]
    closed[:] = True
    assert places(found.exclude) == [2]


def test_those_to_keep_come_first_and_then_all_that_are_open() -> None:
    found = wishes(keep=[1, 3], exclude=[4])
    assert places(found.open(mask(), np.ones(5, dtype=bool))) == [1, 3]
    assert places(found.open(mask(1), np.ones(5, dtype=bool))) == [3]
    assert places(found.open(mask(1, 3), np.ones(5, dtype=bool))) == [0, 2]
    # What is not able does not come, kept or not.
    assert places(found.open(mask(1), mask(0, 1, 2, 4))) == [0, 2]


def test_an_order_is_arranged() -> None:
    order = np.array([4, 3, 2, 1, 0])
    found, sizes = wishes(keep=[0, 2]).arranged(order)
    assert (found.tolist(), sizes.tolist()) == ([2, 0, 4, 3, 1], [2, 3, 4, 5])
    found, sizes = wishes(exclude=[4, 2]).arranged(order)
    assert (found.tolist(), sizes.tolist()) == ([3, 1, 0, 4, 2], [1, 2, 3])
    found, sizes = wishes(groups=[[3, 4], [0, 2]]).arranged(order)
    assert (found.tolist(), sizes.tolist()) == ([4, 2, 1, 3, 0], [1, 2, 3])
    found, sizes = wishes(groups=[[3, 1], [0, 2]], per_group="all").arranged(order)
    assert (found.tolist(), sizes.tolist()) == ([4, 3, 1, 2, 0], [1, 3, 5])
    found, sizes = wishes(groups=[[3, 1]], per_group="all", keep=[1]).arranged(order)
    assert (found.tolist(), sizes.tolist()) == ([3, 1, 4, 2, 0], [2, 3, 4, 5])
    found, sizes = wishes(groups=[[3, 1]], keep=[1]).arranged(order)
    assert (found.tolist(), sizes.tolist()) == ([1, 4, 2, 0, 3], [1, 2, 3, 4])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"keep": [2, 3], "groups": [[0, 1], [2, 3]]}, "feature 2 and feature 3 are in keep and"),
        ({"keep": [0, 3, 4], "groups": [[0], [3, 4]]}, "feature 3 and feature 4 are in keep and"),
        ({"keep": [1], "exclude": [1]}, "feature 1 is in keep and in exclude: choose one"),
        (
            {"keep": [0], "exclude": [1], "groups": [[0, 1]], "per_group": "all"},
            "feature 0 is in keep, and exclude names a feature of its group",
        ),
        ({"keep": [5]}, "keep names feature 5, and there are 5"),
        ({"exclude": [-6]}, "exclude names feature -6, and there are 5"),
        ({"keep": [1.5]}, r"keep takes names, patterns, indices or a mask, got 1\.5"),
        ({"keep": ["a"]}, "keep names 'a', but X has no feature names: give indices"),
        ({"exclude": [False] * 4}, "exclude is a mask of 4 for 5 features"),
        ({"groups": [[0, 1], [1, 2]]}, "groups overlap"),
        ({"groups": ["x", "y", None, "z"]}, "groups has 4 labels for 5 features"),
    ],
)
def test_contradictions_are_named(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        wishes(**given)


def test_one_of_each_group_may_be_kept() -> None:
    found = wishes(keep=[0, 2, 4], groups=[[0, 1], [2, 3]])
    assert places(found.keep) == [0, 2, 4]
    assert places(wishes(keep=[4], groups=[[0, 1], [2, 3]]).keep) == [4]


def test_all_of_a_group_may_be_kept_where_it_comes_as_a_whole() -> None:
    assert places(wishes(keep=[0, 1], groups=[[0, 1]], per_group="all").keep) == [0, 1]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (None, []),
        ([], []),
        ([0, -1], [0, 4]),
        ([-5], [0]),
        ("b", [1]),
        (["b", 3], [1, 3]),
        ("[a-c]", [0, 1, 2]),
        ("^[de]", [3, 4]),
        ("^c|^a", [0, 2]),
        ([True, False, False, False, True], [0, 4]),
        (np.array([1, 3]), [1, 3]),
    ],
)
def test_features_by_names_patterns_indices_and_masks(given: Any, expected: list[int]) -> None:
    assert places(feature_mask(given, 5, NAMES, "keep")) == expected


def test_wishes_by_position_have_every_group() -> None:
    selector = SPCAPSD(groups=[["a", "d"], ["b", "e"]], keep="d")
    known = Wishes.of(selector, 5, NAMES)
    set_places(selector, known, np.array([4, 3, 1, 0]))
    assert selector.groups == [[1, 3], [0, 2]]
    assert selector.keep == [1]
    alone = SPCAPSD(groups=[["a", "d"]])
    set_places(alone, Wishes.of(alone, 5, NAMES), np.array([3, 4]))
    assert alone.groups == [[0]]


def test_names_and_patterns_become_positions() -> None:
    selector = MaxVariance(keep="b", exclude=["[de]"], groups=[["a", "c"]])
    found = place_wishes(selector, list(NAMES))
    assert (selector.keep, selector.exclude, selector.groups) == ([1], [3, 4], [[0, 2]])
    assert places(found.keep) == [1]
    with pytest.raises(ValueError, match="'b' is in keep and in exclude"):
        place_wishes(MaxVariance(keep="b", exclude="b"), list(NAMES))
