"""The two bounds of the ceiling, by their formulas in the documentation."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from sparsecone import from_blocks, from_gram
from sparsecone.data import as_samples
from sparsecone.model.build import as_data
from sparsecone.selectors import ceiling as room
from sparsecone.selectors.ceiling import QUICK, THOROUGH, ceiling
from sparsecone.selectors.gains import ridge_of
from sparsecone.selectors.tangents import Effort, Features, Tangent, Tangents, by_weights, profits

Matrix = NDArray[Any]


def profit(value: float, worth: float, ridge: float, price: float) -> float:
    """Return the most of w m / (m + rho) - mu m over 0 <= m <= s, at the best m or at an end."""
    inner = np.sqrt(worth * ridge / price) - ridge if price > 0.0 else np.inf
    return max(
        worth * m / (m + ridge) - price * m for m in (0.0, value, min(max(inner, 0.0), value))
    )


def by_spectrum(values: Matrix, variances: Matrix, ridge: float, h: int) -> float:
    """Return the least of mu T_h + p(s_1) + ... + p(s_h) over all prices."""
    largest = np.sort(variances)[::-1][:h].sum()

    def bound(log_price: float) -> float:
        price = np.exp(log_price)
        return price * largest + sum(profit(s, s, ridge, price) for s in values[:h])

    grid = np.linspace(np.log(1e-6), np.log(1e6), 400)
    best = grid[np.argmin([bound(at) for at in grid])]
    found = minimize_scalar(bound, bounds=(best - 0.1, best + 0.1), method="bounded")
    free = float(np.sum(values[:h] ** 2 / (values[:h] + ridge)))
    return float(min(found.fun, free))


def test_profits_by_hand() -> None:
    values, worth, ridge = np.array([4.0, 1.0]), np.array([4.0, 0.5]), 1.0
    prices = np.array([0.0, 0.04, 0.25, 1.0, 9.0])
    expected = [
        [profit(s, w, ridge, p) for s, w in zip(values, worth, strict=True)] for p in prices
    ]
    np.testing.assert_allclose(profits(values, worth, ridge, prices), expected, rtol=1e-14)
    # Without a price all is bought; m = sqrt(4 * 1 / 1) - 1 = 1 gains 4 / 2 - 1; nothing at 9.
    np.testing.assert_allclose(
        profits(values, worth, ridge, prices)[[0, 3, 4]],
        [[4.0 * 4.0 / 5.0, 0.5 / 2.0], [1.0, 0.0], [0.0, 0.0]],
        atol=1e-15,
    )


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("seed", range(3))
def test_by_the_spectrum_it_is_the_formula_at_the_best_price(seed: int, unit: float) -> None:
    rng = np.random.default_rng(seed)
    # More samples than features: a fit takes this bound alone.
    X = rng.normal(size=(60, 4)) @ rng.normal(size=(4, 9)) + rng.normal(size=(60, 9))
    data = as_samples(unit * X)
    S = np.asarray(data.gram_matrix)
    values = np.linalg.eigvalsh(S)[::-1]
    found = ceiling(data, 9, QUICK)
    for h in range(1, 10):
        expected = by_spectrum(values / unit**2, np.diag(S) / unit**2, ridge_of(data) / unit**2, h)
        share = expected * unit**2 / data.trace
        # The prices that are tried are apart by some percent, which costs next to nothing.
        assert share <= found[h - 1] <= share * (1.0 + 2e-3) + 1.1e-9


def test_one_direction_is_all_that_is_explained() -> None:
    # Copies of one column: all but the ridge is explained by one feature, and no more by two.
    X = np.outer([1.0, -1.0, 2.0, -2.0], np.ones(3))
    data = as_samples(X)
    s, ridge = 30.0, 0.03 * 30.0 / 3.0
    found = ceiling(data, 3)
    # One feature has a third of the variance.
    assert found[0] == pytest.approx(10.0 / (10.0 + ridge), abs=2e-3)
    assert found[0] >= 10.0 / (10.0 + ridge)
    assert found[2] == pytest.approx(s / (s + ridge), abs=2e-9)


def test_rounding_is_added_once_and_nothing_is_above_one() -> None:
    data = as_samples(np.vstack([np.eye(3), -np.eye(3)]))
    # S = 2 I: every feature explains 2 / (2 + rho) of its third.
    ridge = 0.03 * 2.0
    expected = np.arange(1, 4) / 3.0 * 2.0 / (2.0 + ridge)
    np.testing.assert_allclose(ceiling(data, 3) - expected, 1e-9, rtol=1e-4)
    assert np.all(ceiling(as_samples(np.diag([1.0, 2.0])), 2) <= 1.0)


def test_errors_of_the_data_make_it_larger(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = ceiling(from_gram(np.diag([8.0, 4.0, 2.0]), n_samples=9), 3, QUICK)
    data = from_gram(np.diag([8.0, 4.0, 2.0]), n_samples=9)
    monkeypatch.setitem(vars(data), "matrix_error", 0.5)
    S, ridge = np.array([8.0, 4.0, 2.0]), ridge_of(data)
    found = ceiling(data, 3, QUICK)
    assert np.all(found[:2] > plain[:2])
    for h in (1, 2, 3):
        # Eigenvalues and variances may be larger by the error.
        expected = by_spectrum(S + 0.5, S + 0.5, ridge, h) / 14.0
        assert min(expected, 1.0) <= found[h - 1] <= min(expected * (1.0 + 2e-3) + 1.1e-9, 1.0)


def test_what_all_eigenvalues_may_be_off_by_comes_on_top(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    # Many features that point the same way: their weights tell more than the spectrum.
    X = rng.normal(size=(40, 3000)) + 3.0 * rng.normal(size=(40, 1)) * (np.arange(3000) < 30)
    data = as_samples(X)
    exact, known = ceiling(data, 10, QUICK), room._eigenvalues(data)
    spread = 1e-4 * data.trace
    rough = replace(known, spread=spread, n_leading=0)
    monkeypatch.setattr(room, "_eigenvalues", lambda _: rough)
    added = spread * np.sqrt(known.values.size) / data.trace
    np.testing.assert_allclose(ceiling(data, 10, QUICK)[-1] - exact[-1], added, rtol=1e-9)


def test_leading_eigenvalues_and_a_bound_on_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 3)) * [9.0, 6.0, 3.0] @ rng.normal(size=(3, 20))
    X += rng.normal(size=(30, 20))
    true = np.linalg.eigvalsh(np.cov(X.T) * 29)[::-1]
    monkeypatch.setattr(room, "is_decomposed", lambda _: False)
    monkeypatch.setattr(room, "COMPONENTS", 3)
    data = as_samples(X)
    monkeypatch.setitem(vars(data), "gram_error", 0.25)
    found = room._eigenvalues(data).values
    assert found.size == 30
    np.testing.assert_allclose(found[:3], true[:3] + 0.25, rtol=1e-9)
    # One bound for all others: at least the largest of them, and not much more.
    np.testing.assert_array_equal(found[3:], found[3])
    assert true[3] + 0.25 <= found[3] <= 1.1 * true[3] + 0.25
    # Where passes are dear it is all that is left of the trace.
    monkeypatch.setattr("sparsecone.data.blocks.LARGEST_GRAM", 10)
    blocks = as_data(from_blocks([X]), weighs=False)
    assert not blocks.in_memory
    rest = true[3:].sum()
    expected = np.r_[np.maximum(true[:3], rest), np.full(27, rest)]
    np.testing.assert_allclose(room._eigenvalues(blocks).values, expected, rtol=1e-6)


@pytest.mark.parametrize("shape", [(6, 9), (40, 7)])
@pytest.mark.parametrize("leading", [1, 3, 30])
def test_a_tangent_is_that_of_the_formula(shape: tuple[int, int], leading: int) -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=shape) @ np.diag(np.geomspace(3.0, 0.5, shape[1]))
    data = as_samples(X)
    S, ridge = np.asarray(data.gram_matrix), ridge_of(data)
    values, vectors = np.linalg.eigh(S)
    values, vectors = np.maximum(values[::-1], 1e-300), vectors[:, ::-1]
    prices = np.r_[0.0, np.geomspace(1e-3, 1e2, 40)]
    tangents = Tangents(data, values, prices, leading)
    k = len(tangents.features.inside)
    assert k == min(leading, np.count_nonzero(values > 1e-9 * values[0]))
    Z = np.sqrt(values[:k])[:, None] * vectors[:, :k].T
    np.testing.assert_allclose(
        tangents.features.inside.T @ tangents.features.inside, Z.T @ Z, atol=1e-9
    )
    outside = np.diag(S) - (Z**2).sum(axis=0)
    np.testing.assert_allclose(tangents.features.outside, outside, atol=1e-9)
    ranks = np.diag(S) / (np.diag(S) + ridge)
    np.testing.assert_allclose(tangents.features.ranks, ranks, rtol=1e-12)
    for _ in range(4):
        # The rank price follows from one to the next.
        z = rng.random(shape[1])
        tangent = tangents.at(tangents.features, z)
        nu, mu = tangent.rank_price, tangent.price
        omega = np.diag(np.maximum(values[:k] - nu, 0.0))
        N = np.linalg.inv((Z * z) @ Z.T + ridge * np.eye(k))
        slopes = ridge * np.einsum("ij,ij->j", Z, N @ omega @ N @ Z)
        F = np.trace(omega) - ridge * np.trace(N @ omega)
        open_ = [(s, s - nu) for s in values[k:] if s > nu]
        told = [
            sum(profit(s, w, ridge, price) for s, w in open_) + price * (outside @ z)
            for price in prices
        ]
        assert told[prices.tolist().index(mu)] <= min(told) + 1e-9
        constant = F - slopes @ z + sum(profit(s, w, ridge, mu) for s, w in open_)
        assert tangent.constant == pytest.approx(constant, rel=1e-9)
        np.testing.assert_allclose(
            tangent.slopes(tangents.features),
            slopes + mu * outside + nu * ranks,
            rtol=1e-8,
            atol=1e-9,
        )


def diagonal(*roots: float) -> tuple[Any, Matrix]:
    """Return data with a diagonal S, and its entries."""
    X = np.diag(roots)
    return as_samples(np.r_[X, -X]), 2.0 * np.array(roots) ** 2


@pytest.mark.parametrize("unit", [0.01, 1.0])
def test_the_rank_price_is_where_the_directions_have_all_ranks(unit: float) -> None:
    data, S = diagonal(*unit * np.arange(6.0, 0.0, -1.0))
    ridge = ridge_of(data)
    tangents = Tangents(data, S, np.array([0.0, 0.1]), 6)
    # The weighted features may have 2.5 ranks; three directions have as many, two have not.
    z = np.array([1.0, 1.0, 0.5, 0.0, 0.0, 0.0])
    ranks = S / (S + ridge)
    assert (z * S / (z * S + ridge))[:2].sum() < ranks @ z < (z * S / (z * S + ridge))[:3].sum()
    assert tangents.at(tangents.features, z).rank_price == S[2]
    # Then it is the geometric mean with the last one, and falls to a quarter in it at most.
    z = np.array([1.0, 1.0, 1.0, 0.5, 0.0, 0.0])
    assert tangents.at(tangents.features, z).rank_price == pytest.approx(np.sqrt(S[2] * S[3]))
    last = np.sqrt(S[2] * S[3])
    z = np.ones(6)
    z[5] = 0.5
    target = max(S[5], 0.25 * last)
    assert tangents.at(tangents.features, z).rank_price == pytest.approx(np.sqrt(last * target))


def test_directions_outside_have_ranks_as_well_and_none_are_left_at_last() -> None:
    data, S = diagonal(6.0, 5.0, 4.0, 3.0, 2.0, 1.0)
    # Two leading directions; at a price of 0 all others are bought whole.
    tangents = Tangents(data, S, np.array([0.0]), 2)
    z = np.array([1.0, 1.0, 1.0, 0.5, 0.0, 0.0])
    assert tangents.at(tangents.features, z).rank_price == S[3]
    # More weight than there are directions: nothing is beyond them.
    tangents = Tangents(data, S, np.array([0.0]), 6)
    assert tangents.at(tangents.features, np.full(6, 0.01)).rank_price == S[0]
    short = Tangents(data, S[:2], np.array([0.0]), 2)
    assert short.at(short.features, np.ones(6)).rank_price == 0.0


def test_ranks_outside_are_those_of_what_is_bought_at_the_price() -> None:
    data, S = diagonal(6.0, 5.0, 4.0, 3.0, 2.0, 1.0)
    ridge, price = ridge_of(data), 0.5
    tangents = Tangents(data, S, np.array([price]), 2)
    nu = 0.0
    for weights in ([1.0, 1.0, 1.0, 0.1, 0.0, 0.0], [1.0, 1.0, 0.885, 0.0, 0.0, 0.0]):
        z = np.array(weights)
        inside = (z * S / (z * S + ridge))[:2]
        outer = S[2:][S[2:] > nu]
        bought = np.clip(np.sqrt((outer - nu) * ridge / price) - ridge, 0.0, outer)
        assert np.all((bought > 0.0) & (bought < outer))
        used = np.cumsum(np.r_[inside, bought / (bought + ridge)])
        place = int(np.count_nonzero(used < z @ (S / (S + ridge))))
        target = S[place] if place < used.size else 0.0
        expected = np.sqrt(nu * max(target, nu / 4.0)) if nu > 0.0 else target
        nu = tangents.at(tangents.features, z).rank_price
        assert nu == pytest.approx(expected, rel=1e-12)


def test_slopes_of_features_that_all_but_vanish_are_not_negative() -> None:
    kernel = np.array([[1.0, -1.0], [-1.0, 1.0 - 1e-16]])
    features = Features(np.ones((2, 1)), np.array([2.0]), np.array([0.5]))
    slopes = Tangent(0.0, kernel - 1e-9, 3.0, 4.0).slopes(features)
    np.testing.assert_array_equal(slopes, [8.0])


@pytest.mark.parametrize("shape", [(12, 40), (12, 200)])
@pytest.mark.parametrize("effort", [QUICK, THOROUGH])
def test_bounds_by_weights_come_near_to_those_of_a_long_search(
    shape: tuple[int, int], effort: Effort
) -> None:
    rng = np.random.default_rng(2)
    X = rng.normal(size=shape) @ np.diag(rng.lognormal(size=shape[1]))
    data = as_samples(X + 2.0 * X[:, :1] * (np.arange(shape[1]) < 10))
    values = np.linalg.eigvalsh(np.asarray(data.gram_matrix))[::-1][: shape[0] - 1]
    high = values[0] / ridge_of(data)
    prices = np.r_[0.0, np.geomspace(high / (1.0 + high) ** 2, high, 100)]
    count = 8
    best = by_weights(data, values, prices, count, Effort(100, 0.0, 20, 60))
    found = by_weights(data, values, prices, count, effort)
    assert np.all(found <= (1.08 if effort is QUICK else 1.02) * best)


def test_more_directions_help_where_there_are_more_samples_than_features() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 60)) + rng.normal(size=(500, 10)) @ rng.normal(size=(10, 60))
    data = as_samples(X)
    quick, thorough = ceiling(data, 20, QUICK), ceiling(data, 20, THOROUGH)
    # A fit takes the spectrum alone; a report weighs features too.
    values = np.linalg.eigvalsh(np.asarray(data.gram_matrix))[::-1]
    alone = by_spectrum(values, np.asarray(data.variances), ridge_of(data), 20) / data.trace
    assert alone <= quick[-1] <= 1.002 * alone
    assert thorough[-1] < 0.999 * quick[-1]
