"""The words of an explanation at every edge, and its numbers on columns solved by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sparsecone import MaxVariance
from sparsecone.data import as_rows
from sparsecone.selectors.explanation import ALIKE, COPY, Explanation, explain, ordinal


def explanation(**given: Any) -> Explanation:
    """Return what is known of a selected feature, and of another one of rank three."""
    known: dict[str, Any] = {
        "names": np.array(["first", "second", "third"]),
        "ranking": np.array([1, 2, 3]),
        "scores": np.array([3.0, 2.0, 1.0]),
        "n_selected": 2,
        "closest": np.array([1, 0, 1]),
        "correlation": np.array([0.1, 0.1, 0.3]),
        "explained": np.array([1.0, 1.0, 0.25]),
        "varies": np.array([True, True, True]),
        "unscored": "no score",
    }
    for name, value in given.items():
        known[name] = np.array([*known[name][:2], value])
    return Explanation(**known)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "ranked 3rd, and 2 are selected"),
        ({"varies": False}, "constant"),
        ({"correlation": COPY}, "copy of second, chosen 2nd"),
        ({"correlation": -COPY}, "copy of second, chosen 2nd, with the opposite sign"),
        ({"correlation": 1.0 - 2e-6}, "1.00 like second, chosen 2nd"),
        ({"correlation": ALIKE}, "0.70 like second, chosen 2nd"),
        ({"correlation": -0.8, "closest": 0}, "-0.80 like first, chosen 1st"),
        ({"correlation": 0.699, "explained": 0.5}, "ranked 3rd, and 2 are selected"),
        ({"explained": ALIKE}, "70 % explained by the selected together"),
        ({"explained": 0.956}, "96 % explained by the selected together"),
        ({"explained": 0.69, "scores": 0.0}, "no score"),
        ({"explained": 0.7, "scores": 0.0}, "70 % explained by the selected together"),
    ],
)
def test_a_feature_that_is_left_out_has_its_reason(given: dict[str, Any], words: str) -> None:
    found = explanation(**given)
    assert found.reason(2) == words
    share = 100.0 * found.explained[2]
    more = f" The selected explain {share:.0f} % of its variance." if found.varies[2] else ""
    assert found.sentence(2) == f"third is left out: {words}.{more}"


def test_the_last_that_is_chosen_is_chosen() -> None:
    found = explanation()
    assert found.reason(1) == "chosen 2nd"
    assert found.sentence(1) == "second is selected: chosen 2nd."
    assert found.table()["selected"].tolist() == [True, True, False]
    assert found.table()["rank"].tolist() == [1, 2, 3]


def test_who_is_closest_is_named_or_none() -> None:
    table = explanation(closest=-1).table()
    assert table["closest"].tolist() == ["second", "first", None]
    assert table.index.tolist() == ["first", "second", "third"]


@pytest.mark.parametrize("unit", [2.0**-10, 1.0, 2.0**10])
def test_numbers_of_columns_that_are_solved_by_hand(unit: float) -> None:
    # Features 0 and 1 have the correlation 0.6, 2 is independent of both, 3 does not vary.
    a, b = np.array([1.0, -1.0, 1.0, -1.0]), np.array([1.0, 1.0, -1.0, -1.0])
    c = np.array([1.0, -1.0, -1.0, 1.0])
    X = unit * np.column_stack([3.0 * a, 1.2 * a + 1.6 * b, c, 0.0 * a, -0.5 * b])
    selector = MaxVariance(n_features_to_select=3).fit(X)
    np.testing.assert_array_equal(selector.selected_, [0, 1, 2])
    found = explain(as_rows(X), selector)
    np.testing.assert_array_equal(found.varies, [True, True, True, False, True])
    # The closest one is another one; feature 2 has none, nor has a constant.
    np.testing.assert_array_equal(found.closest, [1, 0, -1, -1, 1])
    np.testing.assert_allclose(found.correlation, [0.6, 0.6, 0.0, 0.0, -0.8], atol=1e-15)
    # 3 % of the trace over three degrees of freedom is the ridge; the variances are 36, 16, 4, 1.
    S = np.array([[36.0, 14.4], [14.4, 16.0]])
    ridge = 0.03 * (36.0 + 16.0 + 4.0 + 1.0) / 3.0
    inverse = np.linalg.inv(S + ridge * np.eye(2))
    pair = np.diag(S @ inverse @ S) / np.diag(S)
    last = np.array([0.0, -3.2]) @ inverse @ np.array([0.0, -3.2])
    expected = [*pair, 4.0 / (4.0 + ridge), 0.0, last]
    np.testing.assert_allclose(found.explained, expected, rtol=1e-12, atol=1e-15)


def test_one_selected_feature_is_closest_to_none() -> None:
    X = np.column_stack([np.arange(5.0), [1.0, 0.0, 0.0, 0.0, 0.0]])
    found = explain(as_rows(X), MaxVariance(n_features_to_select=1).fit(X))
    np.testing.assert_array_equal(found.closest, [-1, 0])
    assert found.correlation[0] == 0.0


def test_places_in_an_order() -> None:
    words = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 101: "st", 202: "nd"}
    words |= dict.fromkeys((4, 9, 10, 11, 12, 13, 14, 19, 20, 24, 30, 100, 110, 111), "th")
    words |= {112: "th", 113: "th", 120: "th", 121: "st", 1011: "th", 1023: "rd", 211: "th"}
    for number, ending in words.items():
        assert ordinal(number) == f"{number}{ending}"
