"""The words for what a fit chose by itself."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from sparsecone import AWSPCAPSD, SPCAPSD
from sparsecone.selectors.curve import ExplainedCurve
from sparsecone.selectors.reasons import fillers_of, reason_of, verdict_of


def with_scores(scores: list[float], selected: list[int], **given: Any) -> SPCAPSD:
    selector = SPCAPSD(n_features_to_select=len(selected), **given)
    selector.scores_, selector.selected_ = np.array(scores), np.array(selected)
    selector.n_features_in_ = len(scores)
    return selector


def curve(chosen: int, explained: list[float], target: float, is_noise: bool) -> ExplainedCurve:
    numbers = np.arange(1, len(explained) + 1)
    return ExplainedCurve(numbers, np.array(explained), np.ones(3), target, chosen, is_noise)


@pytest.mark.parametrize(
    ("scores", "selected", "given", "words"),
    [
        ([1.0, 0.0, 0.5], [0, 2], {}, ""),
        ([1.0, 0.0, 0.5], [0, 2, 1], {}, "1 of the 3 selected features has a score of zero"),
        ([1.0, 0.0, 0.5], [0, 2, 1], {}, "lower lam, or select at most 2."),
        ([1.0, 0.0, 0.0], [0, 2, 1], {}, "2 of the 3 selected features have a score of zero"),
        ([1.0, 0.0, 0.0], [1, 2, 0], {}, "explained: lower lam."),
        ([1.0, 0.0, 0.0], [1, 0], {"keep": [1]}, ""),
        ([1.0, 0.0, 0.0], [0, 1], {"selection": "scores"}, "select at most 1."),
        ([1.0, 0.0, 0.0], [0, 1], {"selection": "explained"}, ""),
        ([1.0, 0.0, 0.0], [0, 1], {"selection": "both"}, ""),
        ([0.0, 0.0, 0.0], [0, 1], {}, ""),
    ],
)
def test_fillers_are_counted(
    scores: list[float], selected: list[int], given: dict[str, Any], words: str
) -> None:
    found = fillers_of(with_scores(scores, selected, **given))
    assert words in found
    assert bool(words) == bool(found)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (curve(1, [0.5, 0.6, 0.7], 0.45, False), "1 feature: the least number to explain 45.0 %"),
        (curve(2, [0.5, 0.6, 0.7], 0.6, False), "2 features: the least number to explain 60.0 %"),
        (curve(3, [0.5, 0.6, 0.7], 0.8, False), "more do not explain more than 70.0 % of the"),
        (curve(3, [0.5, 0.6, 0.7], 0.8, False), "though 80.0 % would be enough."),
        (curve(1, [0.5, 0.6, 0.7], 0.0, True), "1 feature: the features look uncorrelated"),
    ],
)
def test_the_number_of_features_has_a_reason(found: ExplainedCurve, words: str) -> None:
    selector = SPCAPSD(n_features_to_select="auto")
    selector.curve_ = found
    assert words in reason_of(selector)
    selector.n_features_to_select = 2
    assert reason_of(selector) == ""


def test_reasons_of_weights_and_number_are_joined() -> None:
    X = np.random.default_rng(0).normal(size=(50, 2)) @ np.ones((2, 5)) + np.eye(50, 5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        selector = SPCAPSD(n_features_to_select="auto").fit(X)
    first, second = selector.solution_.reason, reason_of(selector)
    assert second.startswith(f"{first} {selector.selected_.size} feature")
    assert verdict_of(selector) == selector.curve_.verdict(selector.selected_.size) != ""
    del selector.curve_
    assert verdict_of(selector) == ""


@pytest.mark.parametrize("model", [SPCAPSD, AWSPCAPSD])
def test_it_is_said_where_the_identity_is_as_good(model: type[Any]) -> None:
    X = np.random.default_rng(0).normal(size=(200, 4)) * [4, 3, 2, 1]
    weights = {} if model is AWSPCAPSD else {"eta": 1e-7}
    said = model(lam=1e-7, **weights).fit(X).solution_.reason
    assert said.startswith("W = I is as good")
    assert said.endswith("Raise lam." if model is AWSPCAPSD else "Raise eta or lam.")
    weights = {} if model is AWSPCAPSD else {"eta": 0.1}
    assert "W = I" not in model(lam=0.2, **weights).fit(X).solution_.reason


def test_nobody_is_told_to_lower_and_to_raise_lam() -> None:
    X = np.random.default_rng(0).normal(size=(200, 4)) * [4, 3, 2, 1]
    said = AWSPCAPSD().fit(X).solution_.reason
    assert said.startswith("lam is 0.02 % of the loss at W = 0. W = I is as good")
    assert "lower" not in said
