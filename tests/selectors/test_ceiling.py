"""The ceiling: nothing that any selection explains is above it."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.datasets import load_digits

from sparsecone import SPCAPSD
from sparsecone.data import as_samples
from sparsecone.selectors import ceiling as room
from sparsecone.selectors.ceiling import QUICK, THOROUGH, Effort, ceiling
from sparsecone.selectors.curve import explained_shares
from sparsecone.selectors.gains import ridge_of


def explained(S: NDArray[Any], chosen: tuple[int, ...], ridge: float) -> float:
    """Return the share of the variance that a ridge regression on some features explains."""
    rows = S[list(chosen)]
    block = rows[:, list(chosen)] + ridge * np.eye(len(chosen))
    return float(np.sum(rows * np.linalg.solve(block, rows)) / np.trace(S))


@pytest.mark.parametrize("seed", range(10))
def test_no_selection_passes_it_in_a_thousand_small_problems(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(100):
        n, d = int(rng.integers(3, 12)), int(rng.integers(2, 9))
        X = rng.normal(size=(n, d)) * rng.lognormal(size=d)
        if rng.random() < 0.5:
            X = X @ rng.normal(size=(d, d))
        if rng.random() < 0.3:
            X[:, 0] = X[:, -1]
        data = as_samples(X)
        S, ridge = np.asarray(data.gram_matrix), ridge_of(data)
        count = min(d, n - 1)
        efforts = (QUICK, THOROUGH, Effort(2, 0.0, 3, 3))
        ceilings = [ceiling(data, count, effort) for effort in efforts]
        ceilings += [ceiling(data, count, QUICK, rng.permutation(d)[:count])]
        most = np.min(ceilings, axis=0)
        assert np.all(np.diff(most) >= 0.0)
        for h in range(1, count + 1):
            best = max(explained(S, chosen, ridge) for chosen in combinations(range(d), h))
            assert best <= most[h - 1]


def test_it_is_sharp_where_features_are_uncorrelated() -> None:
    X = np.diag(np.linspace(3.0, 1.0, 12))
    X = np.r_[X, -X]
    data = as_samples(X)
    S = np.asarray(data.gram_matrix)
    best = explained(S, (0, 1, 2, 3), ridge_of(data))
    assert best <= ceiling(data, 4)[-1] <= best + 1e-8


def by_eigenvalues(data: Any, h: int) -> float:
    values = data.eigenvalues().values[:h]
    return float(np.sum(values**2 / (values + ridge_of(data))) / data.trace)


@pytest.mark.parametrize(("shape", "part"), [((40, 3000), 0.5), ((300, 60), 0.995)])
def test_few_features_have_little_variance_to_explain_with(
    shape: tuple[int, int], part: float
) -> None:
    data = as_samples(np.random.default_rng(0).normal(size=shape))
    assert ceiling(data, 10)[-1] < part * by_eigenvalues(data, 10)


@pytest.mark.parametrize("effort", [QUICK, THOROUGH])
def test_weights_of_the_features_lower_it_where_they_point_the_same_way(effort: Effort) -> None:
    rng = np.random.default_rng(0)
    # The variances alone would allow ten features to have a direction each.
    X = rng.normal(size=(40, 3000)) + 3.0 * rng.normal(size=(40, 1)) * (np.arange(3000) < 30)
    data = as_samples(X)
    values, ridge = data.eigenvalues().values, ridge_of(data)
    prices = np.geomspace(1e-4, 1e4, 500)
    by_spectrum = room._by_spectrum(data, values, ridge, prices, 10)[-1] / data.trace
    assert ceiling(data, 10, effort)[-1] < 0.95 * by_spectrum


def test_more_effort_is_never_looser_and_holds_for_greedy_choices() -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(30, 6)) @ rng.normal(size=(6, 400)) + 0.5 * rng.normal(size=(30, 400))
    X *= rng.lognormal(size=400)
    data = as_samples(X)
    order = np.argsort(SPCAPSD(selection="explained").fit(X).ranking_)[:25]
    quick, thorough = ceiling(data, 25, QUICK), ceiling(data, 25, THOROUGH)
    assert thorough[-1] <= quick[-1] + 1e-12
    assert np.all(explained_shares(data, order) <= thorough)


def test_features_that_explain_much_are_a_good_beginning() -> None:
    rng = np.random.default_rng(2)
    X = rng.normal(size=(60, 12)) @ rng.normal(size=(12, 900)) + rng.normal(size=(60, 900))
    data, fit = as_samples(X), SPCAPSD(selection="explained").fit(X)
    first = np.argsort(fit.ranking_)[: fit.curve_.n_features.size]
    found = ceiling(data, first.size, QUICK, first)
    np.testing.assert_allclose(fit.curve_.ceiling, found, rtol=1e-9)
    assert np.all(fit.curve_.explained <= found)
    # Those of the least variance are none, but weights come back to the others.
    worst = ceiling(data, first.size, QUICK, np.argsort(data.variances)[: first.size])
    assert found[30:].mean() < worst[30:].mean() < 1.05 * found[30:].mean()


def test_weights_come_back_to_features_that_were_not_given() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 12)) @ rng.normal(size=(12, 900)) + rng.normal(size=(60, 900))
    data = as_samples(X)
    worst = ceiling(data, 59, THOROUGH, np.argsort(data.variances)[:59])
    assert worst.mean() < 1.005 * ceiling(data, 59, THOROUGH).mean()


@pytest.mark.parametrize(
    ("shape", "effort", "expected"),
    [((8, 8), QUICK, True), ((8, 20), QUICK, False), ((8, 20), THOROUGH, True)],
)
def test_pairs_are_exact_where_a_ceiling_needs_them(
    shape: tuple[int, int], effort: Effort, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = as_samples(np.random.default_rng(0).normal(size=shape))
    asked: list[bool] = []
    monkeypatch.setattr(data, "sharpen", lambda: asked.append(True), raising=False)
    ceiling(data, 3, effort)
    assert bool(asked) is expected


def test_constant_features_to_begin_with_do_no_harm() -> None:
    X = np.random.default_rng(3).normal(size=(20, 300))
    X[:, :150] = 1.0
    data = as_samples(X)
    most = ceiling(data, 100, QUICK, np.arange(100))
    order = np.argsort(-data.variances)[:100]
    assert np.all(explained_shares(data, order) <= most)
    assert np.all(np.diff(most) >= 0.0)
    assert most[0] < 0.5


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
def test_leading_components_and_a_bound_on_the_rest(
    kind: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, _ = load_digits(return_X_y=True)
    exact = ceiling(as_samples(X), 30)
    monkeypatch.setattr(room, "is_decomposed", lambda _: False)
    monkeypatch.setattr(room, "COMPONENTS", 20)
    found = ceiling(as_samples(kind(X)), 30)
    assert np.all(found >= exact - 1e-9)
    assert np.all(found[:10] <= exact[:10] + 0.02)


@pytest.mark.parametrize("shape", [(30, 200), (200, 30)])
@pytest.mark.parametrize("effort", [QUICK, THOROUGH])
@pytest.mark.parametrize("unit", [1e-60, 1.0, 1e60])
def test_features_of_any_scale_have_a_ceiling(
    shape: tuple[int, int], effort: Effort, unit: float
) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=shape) * np.geomspace(1e-12, 1.0, shape[1])
    X[:, ::7] = 0.0
    data = as_samples(unit * X)
    most = ceiling(data, 20, effort)
    assert np.all(np.diff(most) >= 0.0)
    assert np.all(explained_shares(data, np.argsort(-data.variances)[:20]) <= most)
    assert np.all(most <= 1.0)


def test_constant_features_leave_nothing_to_explain() -> None:
    np.testing.assert_array_equal(ceiling(as_samples(np.ones((5, 3))), 2), [1.0, 1.0])


def test_the_verdict_is_rounded_to_the_safe_side() -> None:
    X, _ = load_digits(return_X_y=True)
    curve = SPCAPSD(n_features_to_select=10).fit(X).curve_
    words = curve.verdict(10).split()
    assert words[:3] == ["These", "10", "features"]
    assert float(words[4]) <= 100.0 * curve.explained[9]
    assert float(words[-2]) >= 100.0 * curve.ceiling[9]
    assert curve.verdict(1).startswith("This feature explains")
    assert curve.verdict(0) == curve.verdict(65) == ""
    assert np.all(curve.explained <= curve.ceiling)


def test_the_ceiling_is_not_above_what_components_explain() -> None:
    X = np.random.default_rng(0).normal(size=(60, 12)) @ np.diag(np.geomspace(4.0, 0.2, 12))
    data = as_samples(X)
    values = np.linalg.eigvalsh(np.cov(X.T))[::-1]
    components = np.cumsum(values) / values.sum()
    assert (ceiling(data, 12, QUICK) <= components + 1e-6).all()


def test_eigenvalues_are_exact_where_all_are_known_and_bounds_elsewhere(monkeypatch: Any) -> None:
    rng = np.random.default_rng(0)
    data = as_samples(
        rng.normal(size=(30, 3)) @ rng.normal(size=(3, 20)) + rng.normal(size=(30, 20))
    )
    true = np.linalg.eigvalsh(data.gram_matrix)[::-1]
    np.testing.assert_allclose(room._eigenvalues(data).values[:20], true, rtol=1e-9)
    # Where a few leading ones alone are known, what products with S are off by comes on top.
    error = 0.25 * float(true[0])
    monkeypatch.setattr(room, "is_decomposed", lambda _: False)
    monkeypatch.setattr(room, "COMPONENTS", 5)
    monkeypatch.setitem(vars(data), "gram_error", error)
    bounds = room._eigenvalues(data).values[:20]
    assert (bounds >= true + error).all()
    assert (bounds[5:] > 1.5 * true[5:]).all()
