"""Candidates follow choices one by one as all features follow them together."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from sparsecone.data import as_samples
from sparsecone.selectors import sides, steps
from sparsecone.selectors.choice import Choice
from sparsecone.selectors.diverse import Repulsion
from sparsecone.selectors.rule import NEAR, Rule, best_of
from sparsecone.selectors.sides import side_of
from sparsecone.selectors.steps import candidates
from sparsecone.selectors.wishes import Wishes

RULES = [Rule(0.0, 0.95**2), Rule(0.2, NEAR**2)]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("shape", [(60, 25), (25, 60), (50, 61)])
@pytest.mark.parametrize("n_few", [None, 12])
def test_candidates_are_worth_what_they_are_among_all(
    shape: tuple[int, int], kind: Any, rule: Rule, n_few: int | None, monkeypatch: Any
) -> None:
    # Of the third shape five components stand for the samples.
    monkeypatch.setattr(sides, "MOST_SAMPLES", 40)
    monkeypatch.setattr(sides, "COMPONENTS", 5)
    rng = np.random.default_rng(0)
    n, d = shape
    X = rng.normal(size=(n, 4)) @ rng.normal(size=(4, d)) + rng.normal(size=(n, d))
    factor, shut = rng.normal(size=(d, 3)), np.arange(d) == 7
    side, weights = side_of(as_samples(kind(X))), Repulsion(factor)
    side.choose(np.array([4, 9]))
    weights.choose([4, 9])
    # With the feature of which most is left, so that the same features repeat the others.
    first = np.argsort(-side.gains.shares)[:n_few]
    few = candidates(side, weights, np.sort(first), rule, shut)
    squares = few.total_squares
    for feature in few.features[[3, 8, 2]]:
        few.choose(int(np.searchsorted(few.features, feature)))
        if few.is_whole:
            break
        side.choose(np.array([feature]))
        weights.choose([feature])
        worth = np.where(side.gains.repeats, 0.0, rule.worth(side.gains, weights.parts, shut))
        expected, place = best_of(worth[few.features])
        best, found = few.best()
        assert found == place
        if isinstance(side, sides.SampleSide) or rule.weight == 0.0:
            assert best == pytest.approx(expected, rel=1e-8)
        else:
            # What chance takes off is that of the beginning.
            assert best <= expected
        if isinstance(side, sides.FeatureSide):
            assert few.total_squares == squares


@pytest.mark.parametrize("shape", [(60, 25), (25, 60), (50, 61)])
@pytest.mark.parametrize("unit", [0.05, 1.0])
def test_where_all_features_follow_the_side_knows_the_choices(
    shape: tuple[int, int], unit: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Of the third shape five components stand for the samples.
    monkeypatch.setattr(sides, "MOST_SAMPLES", 40)
    monkeypatch.setattr(sides, "COMPONENTS", 5)
    rng = np.random.default_rng(1)
    X = unit * rng.normal(size=shape)
    one, other = (side_of(as_samples(X)) for _ in range(2))
    few = candidates(one, Repulsion(np.eye(shape[1])), np.arange(shape[1]), RULES[0], X[0] > 9.0)
    for feature in (3, 11, 5):
        few.choose(feature)
        one.gains.chosen[feature] = True
    few.end()
    other.choose(np.array([3, 11, 5]))
    np.testing.assert_allclose(one.known, other.known, atol=1e-10)
    np.testing.assert_allclose(one.gains.left, other.gains.left, rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(one.gains.gains(), other.gains.gains(), rtol=1e-8)
    np.testing.assert_allclose(one.gains.closest, other.gains.closest, atol=1e-12)
    assert one.gains.total_squares == pytest.approx(other.gains.total_squares)


@pytest.mark.parametrize("before", [[], [2, 14]])
def test_many_choices_are_taken_from_s_at_once(
    before: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "LAG", 2)
    X = np.random.default_rng(2).normal(size=(60, 25))
    data = as_samples(X)
    one, other = (side_of(data) for _ in range(2))
    S = data.gram_matrix.copy()
    for side in (one, other):
        if before:
            side.choose(np.array(before))
    few = candidates(one, Repulsion(np.eye(25)), np.arange(25), RULES[0], X[0] > 9.0)
    rest = [3, 11, 5, 24, 0, 8, 17]
    for feature in rest:
        few.choose(feature)
        one.gains.chosen[feature] = True
    few.end()
    other.choose(np.array(rest))
    # S itself is what others read.
    np.testing.assert_array_equal(data.gram_matrix, S)
    np.testing.assert_allclose(one.known, other.known, atol=1e-10)
    np.testing.assert_allclose(one.gains.gains(), other.gains.gains(), rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(one.gains.closest, other.gains.closest, atol=1e-12)
    assert one.gains.total_squares == pytest.approx(other.gains.total_squares)


@pytest.mark.parametrize("shape", [(60, 25), (25, 60)])
def test_all_features_know_what_choices_leave_of_their_parts(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(3)
    X, factor = rng.normal(size=shape), rng.normal(size=(shape[1], 3))
    # A feature that repeats others to the end, and one without a part.
    X[:, 4], factor[9] = X[:, 3], 0.0
    weights, other = Repulsion(factor), Repulsion(factor)
    wishes = Wishes.of(None, shape[1])
    chosen = Choice(side_of(as_samples(X)), weights, True, wishes).further(6)
    other.choose(chosen)
    np.testing.assert_allclose(weights.parts, other.parts, atol=1e-12)
    np.testing.assert_allclose(weights.inverse, other.inverse, atol=1e-12)


@pytest.mark.parametrize("before", [[], [3]])
def test_what_is_chosen_is_not_chosen_again_whatever_noise_it_has(
    before: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    # One component stands for the samples: a feature has little to do with itself.
    monkeypatch.setattr(sides, "MOST_SAMPLES", 40)
    monkeypatch.setattr(sides, "COMPONENTS", 1)
    X = np.random.default_rng(4).normal(size=(50, 61))
    side, weights = side_of(as_samples(X)), Repulsion(np.eye(61)[:, 3:4])
    if before:
        side.choose(np.array(before))
    few = candidates(side, weights, np.arange(61), Rule(1e-9, NEAR**2), np.zeros(61, dtype=bool))
    if not before:
        few.choose(3)
    assert few.near[3] < NEAR**2 * few.variances[3]
    assert few.best()[1] != 3
