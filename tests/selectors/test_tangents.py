"""Tangents of what weighted features explain: no selection is above any of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sparsecone.data import as_samples
from sparsecone.selectors.ceiling import QUICK, THOROUGH
from sparsecone.selectors.gains import ridge_of
from sparsecone.selectors.tangents import Effort, Tangents, _largest, by_weights, profits

PRICES = np.r_[0.0, np.geomspace(1e-4, 1e3, 60)]
Matrix = NDArray[Any]


def explained(S: Matrix, chosen: tuple[int, ...], ridge: float) -> float:
    """Return the variance that a ridge regression on some features explains."""
    rows = S[list(chosen)]
    block = rows[:, list(chosen)] + ridge * np.eye(len(chosen))
    return float(np.sum(rows * np.linalg.solve(block, rows)))


def problems(rng: np.random.Generator, number: int) -> Iterator[Matrix]:
    """Yield small data of all shapes, correlated or not, half of them with many samples."""
    for k in range(number):
        n, d = int(rng.integers(3, 9)), int(rng.integers(2, 9))
        X = rng.normal(size=(40 if k % 2 else n, d)) * rng.lognormal(size=d)
        if rng.random() < 0.6:
            X = X @ rng.normal(size=(d, d))
        if rng.random() < 0.3:
            X[:, 0] = X[:, -1]
        yield X


def all_values(S: Matrix, ridge: float) -> dict[tuple[int, ...], float]:
    """Return what every selection explains."""
    d = len(S)
    every = (c for h in range(1, d + 1) for c in combinations(range(d), h))
    return {chosen: explained(S, chosen, ridge) for chosen in every}


@pytest.mark.parametrize("seed", range(4))
def test_every_tangent_is_above_every_selection(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for X in problems(rng, 60):
        data = as_samples(X)
        S, ridge = np.asarray(data.gram_matrix), ridge_of(data)
        values, off = np.linalg.eigvalsh(S)[::-1], 1e-9 * data.trace
        worths = all_values(S, ridge)
        for leading in (1, 2, 8):
            tangents = Tangents(data, np.maximum(values, 1e-300), PRICES, leading)
            tangents._set_rank_price(float(rng.choice([0.0, values[0], values[-1], values[1]])))
            for _ in range(4):
                tangent = tangents.at(tangents.features, rng.random(len(S)) ** 3)
                slopes = tangent.slopes(tangents.features)
                assert np.all(slopes >= 0.0)
                for chosen, worth in worths.items():
                    assert worth <= tangent.constant + slopes[list(chosen)].sum() + off


@pytest.mark.parametrize("given", [False, True])
@pytest.mark.parametrize("effort", [QUICK, THOROUGH, Effort(2, 0.0, 3, 2)])
def test_bounds_by_weights_hold_and_are_met(effort: Effort, given: bool) -> None:
    rng, closest = np.random.default_rng(7), 0.0
    for X in problems(rng, 120):
        data = as_samples(X)
        S, ridge = np.asarray(data.gram_matrix), ridge_of(data)
        values = np.maximum(np.linalg.eigvalsh(S)[::-1], 1e-300)
        worths = all_values(S, ridge)
        first = np.argsort(-np.diag(S))[: max(len(S) // 2, 1)] if given else None
        most = by_weights(data, values, PRICES, len(S), effort, first)
        for h in range(1, len(S) + 1):
            best = max(worth for chosen, worth in worths.items() if len(chosen) == h)
            assert best <= most[h - 1] + 1e-9 * data.trace
            closest = max(closest, best / most[h - 1] if h < len(S) else 0.0)
    # A bound that is lower by a thousandth would fail.
    assert closest > 0.999


@pytest.mark.parametrize("shape", [(6, 9), (40, 7)])
def test_with_all_directions_it_touches_what_the_weighted_features_explain(
    shape: tuple[int, int],
) -> None:
    data = as_samples(np.random.default_rng(3).normal(size=shape))
    S, chosen = np.asarray(data.gram_matrix), (0, 2, 3)
    values = np.maximum(np.linalg.eigvalsh(S)[::-1], 1e-300)
    tangents = Tangents(data, values, PRICES, min(shape))
    tangents.rank_price = 0.0
    tangents._follow = lambda *_: None  # type: ignore[method-assign]
    z = np.isin(np.arange(len(S)), chosen).astype(float)
    tangent = tangents.at(tangents.features, z)
    found = tangent.constant + tangent.slopes(tangents.features)[list(chosen)].sum()
    np.testing.assert_allclose(found, explained(S, chosen, ridge_of(data)), rtol=1e-9)


def test_with_a_price_of_the_rank_it_is_sharp_for_uncorrelated_features() -> None:
    X = np.diag(np.linspace(3.0, 1.0, 12))
    data = as_samples(np.r_[X, -X])
    S = np.asarray(data.gram_matrix)
    tangents = Tangents(data, np.sort(np.diag(S))[::-1], PRICES, 12)
    tangent = tangents.at(tangents.features, (np.arange(12) < 4).astype(float))
    assert tangent.rank_price >= S[4, 4] - 1e-9
    largest = np.sort(tangent.slopes(tangents.features))[::-1][:4].sum()
    np.testing.assert_allclose(
        tangent.constant + largest, explained(S, (0, 1, 2, 3), ridge_of(data)), rtol=1e-9
    )


def test_the_price_of_the_rank_lowers_it_on_tall_data() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 60)) + rng.normal(size=(500, 10)) @ rng.normal(size=(10, 60))
    data = as_samples(X)
    values = np.linalg.eigvalsh(np.asarray(data.gram_matrix))[::-1]
    priced = by_weights(data, values, PRICES, 20, THOROUGH)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Tangents, "_follow", lambda *_: None)
        free = by_weights(data, values, PRICES, 20, THOROUGH)
    assert np.all(priced[9:] < 0.99 * free[9:])


def test_profits_are_the_largest_of_what_can_be_bought() -> None:
    values, worth, ridge = np.array([3.0, 1.0, 0.2]), np.array([2.0, 1.0, 0.1]), 0.3
    bought = np.linspace(0.0, 1.0, 20_001)[:, None] * values
    for price in (0.0, 0.05, 0.5, 5.0):
        least = (worth * bought / (bought + ridge) - price * bought).max(axis=0)
        found = profits(values, worth, ridge, np.array([price]))[0]
        assert np.all(found >= least)
        np.testing.assert_allclose(found, least, atol=1e-6)


@pytest.mark.parametrize(("given", "at_first"), [(True, 2), (False, 6)])
def test_a_search_without_a_beginning_begins_with_more_steps(
    given: bool, at_first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = as_samples(np.random.default_rng(0).normal(size=(20, 90)))
    values = np.linalg.eigvalsh(np.asarray(data.gram_matrix))[::-1][:19]
    sizes: list[float] = []
    at = Tangents.at

    def seen(self: Tangents, some: Any, weights: Matrix) -> Any:
        sizes.append(round(float(weights.sum())))
        return at(self, some, weights)

    monkeypatch.setattr(Tangents, "at", seen)
    by_weights(data, values, PRICES, 18, Effort(10, 1 / 6, 2, 2), np.arange(18) if given else None)
    # Steps, and a bound, for 18 features, and then for 3.
    assert [sizes.count(18), sizes.count(3)] == [at_first + 1, 3]


def test_no_slope_that_is_left_out_is_larger() -> None:
    rng = np.random.default_rng(0)
    for count in (1, 2, 7, 60, 500):
        for _ in range(20):
            slopes = rng.permutation(500).astype(float)
            np.testing.assert_array_equal(
                np.sort(slopes[_largest(slopes, count)]), np.arange(500 - count, 500)
            )
