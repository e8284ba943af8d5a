"""Features to keep, to exclude, and groups, in every selector."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from numpy.typing import NDArray

from sparsecone import SPCAPSD, MaxVariance, from_blocks, methods
from sparsecone.model_file import Model
from sparsecone.selectors.wishes import Wishes, feature_mask, set_places

NAMES = [f"{kind}{number}" for kind in "abc" for number in range(4)]
RANKING = [method for method in methods() if "keep" in method.parameters]


def table() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3)) @ rng.normal(size=(3, 12)) + 0.3 * rng.normal(size=(60, 12))
    return pd.DataFrame(X, columns=NAMES)


def chosen(selector: Any) -> set[str]:
    return set(selector.get_feature_names_out().tolist())


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("method", RANKING, ids=lambda method: method.name)
def test_every_selector_takes_wishes(method: Any) -> None:
    given = {"n_clusters": 3} if "n_clusters" in method.parameters else {}
    selector = method.selector(n_features_to_select=4, keep=["b1", 11], exclude="a*", **given)
    selector.fit(table())
    assert {"b1", "c3"} <= chosen(selector)
    assert not any(name.startswith("a") for name in chosen(selector))
    assert selector.selected_.size == 4
    assert set(selector.selected_[:2]) == {5, 11}


def test_only_the_one_that_selects_all_takes_none() -> None:
    assert {method.name for method in methods()} - {m.name for m in RANKING} == {"all-features"}


def test_wishes_leave_the_certificate_alone() -> None:
    X = table()
    plain = SPCAPSD(n_features_to_select=3).fit(X)
    wished = SPCAPSD(n_features_to_select=3, keep="c2", exclude="a0").fit(X)
    assert wished.solution_.value == plain.solution_.value
    np.testing.assert_array_equal(wished.scores_, plain.scores_)


@pytest.mark.filterwarnings("ignore:.*a score of zero")
def test_what_is_kept_counts_when_others_are_chosen() -> None:
    rng = np.random.default_rng(0)
    z = rng.normal(size=(300, 2)) * [3.0, 1.0]
    X = z[:, [0, 0, 1]] + 0.1 * rng.normal(size=(300, 3))
    assert SPCAPSD(n_features_to_select=2, keep=[1]).fit(X).selected_.tolist() == [1, 2]
    # A copy of what may not be selected takes its place.
    first = int(SPCAPSD(n_features_to_select=1).fit(X).selected_[0])
    other = SPCAPSD(n_features_to_select=1, exclude=[first]).fit(X).selected_.tolist()
    assert other == [1 - first]


def test_at_most_one_of_a_group() -> None:
    groups = [["a*"], ["b*"], ["c*"]]
    selector = SPCAPSD(n_features_to_select=3, groups=groups).fit(table())
    assert {name[0] for name in chosen(selector)} == {"a", "b", "c"}
    with pytest.raises(ValueError, match="1 to 3"):
        SPCAPSD(n_features_to_select=4, groups=groups).fit(table())
    labels = [name[0] for name in NAMES]
    by_label = SPCAPSD(n_features_to_select=3, groups=labels).fit(table())
    np.testing.assert_array_equal(by_label.selected_, selector.selected_)


def test_all_of_a_group_or_none() -> None:
    groups = [None if name[0] == "c" else name[0] for name in NAMES]
    selector = MaxVariance(n_features_to_select=7, groups=groups, per_group="all").fit(table())
    for size in (5, 7, 9, 12):
        kinds = [NAMES[index][0] for index in selector.selected_at(size)]
        assert kinds.count("a") in (0, 4)
        assert kinds.count("b") in (0, 4)
        assert len(kinds) <= size


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"keep": "a1", "exclude": "a*"}, "'a1' is in keep and in exclude"),
        ({"keep": ["a1", "a2"], "groups": [["a*"]]}, "'a1' and 'a2' are in keep and in one group"),
        (
            {"keep": "a1", "exclude": "a2", "groups": [["a*"]], "per_group": "all"},
            "selected as a whole",
        ),
        ({"keep": "a*", "n_features_to_select": 3}, "3 features cannot be selected.*4 to 12"),
        ({"exclude": "*"}, "leaves no feature"),
        ({"exclude": ["a*", "b*"], "n_features_to_select": 6}, "1 to 4"),
        ({"keep": "zebra"}, "no feature has that name"),
        ({"keep": [12]}, "feature 12, and there are 12"),
        ({"keep": [True, False]}, "a mask of 2 for 12"),
        ({"keep": [True, 2]}, "keep mixes True with names or indices"),
        ({"groups": ["a", "b"]}, "2 labels for 12"),
        ({"groups": [["a1"], ["a*"]]}, "overlap"),
    ],
)
@pytest.mark.parametrize("model", [SPCAPSD, MaxVariance])
def test_conflicts_are_clear_errors(model: Any, given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        model(**given).fit(table())


def test_names_need_names() -> None:
    with pytest.raises(ValueError, match="has no feature names: give indices"):
        MaxVariance(keep="a1").fit(table().to_numpy())


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array, from_blocks])
def test_indices_and_masks_on_every_kind_of_data(kind: Any) -> None:
    X: NDArray[Any] = table().to_numpy()
    mask = np.arange(12) == 3
    selector = SPCAPSD(n_features_to_select=3, keep=[-1], exclude=mask).fit(kind(X))
    assert selector.selected_[0] == 11
    assert not selector.support_[3]


def test_any_size_from_one_fit() -> None:
    X = table()
    selector = SPCAPSD(n_features_to_select=2, keep="c0").fit(X)
    for size in (1, 5, 12):
        expected = SPCAPSD(n_features_to_select=size, keep="c0").fit(X)
        np.testing.assert_array_equal(selector.selected_at(size), expected.selected_)
        np.testing.assert_array_equal(selector.support_at(size), expected.support_)
    with pytest.raises(ValueError, match="between 1 and 12"):
        selector.selected_at(13)
    restored = Model.of(selector, feature_names=NAMES).selector()
    np.testing.assert_array_equal(restored.selected_at(5), selector.selected_at(5))


def test_masks_and_patterns() -> None:
    names = np.array(["x", "[x]", "y"])
    assert feature_mask("[x]", 3, names, "keep").tolist() == [True, True, False]
    nothing = Wishes.of(None, 3)
    order, sizes = nothing.arranged(np.array([2, 0, 1]))
    assert order.tolist() == [2, 0, 1]
    assert sizes.tolist() == [1, 2, 3]


def test_wishes_about_some_features_are_given_by_position() -> None:
    selector = SPCAPSD(keep=["b", "e"], exclude=["c"])
    wishes = Wishes.of(selector, 5, np.array(["a", "b", "c", "d", "e"], dtype=object))
    set_places(selector, wishes, np.array([1, 2, 3, 4]))
    assert (selector.keep, selector.exclude) == ([0, 3], [1])
    set_places(selector, wishes, np.array([0, 3]))
    assert (selector.keep, selector.exclude) == (None, None)
    assert selector.groups is None
    grouped = SPCAPSD(groups=[["a", "c"], ["b", "e"]])
    wishes = Wishes.of(grouped, 5, np.array(["a", "b", "c", "d", "e"], dtype=object))
    set_places(grouped, wishes, np.array([1, 3, 4]))
    assert grouped.groups == [[0, 2]]
