"""Leading features stand for all: the order is that of a choice among all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from sparsecone import SPCAPSD
from sparsecone.data import Rows, as_samples
from sparsecone.selectors import choice, sides
from sparsecone.selectors.by_columns import ByColumns
from sparsecone.selectors.choice import FEW, LEADING, OPEN_MOST, _leading
from sparsecone.selectors.diverse import Repulsion
from sparsecone.selectors.rule import Rule
from sparsecone.selectors.sides import side_of
from sparsecone.selectors.steps import candidates


def wide(d: int) -> np.ndarray:
    rng = np.random.default_rng(0)
    return rng.normal(size=(40, 6)) @ rng.normal(size=(6, d)) + rng.normal(size=(40, d))


def test_leading_features_are_the_best_and_those_of_which_most_is_left() -> None:
    merit = np.random.default_rng(0).permutation(FEW + 400).astype(float)
    shares, best = np.zeros(merit.size), np.argsort(-merit)
    last = best[-OPEN_MOST:]
    shares[last] = 1.0
    leading, floor = _leading(merit, shares)
    np.testing.assert_array_equal(leading, np.sort(np.r_[best[:LEADING], last]))
    assert floor == merit[best[LEADING]]
    whole, nothing = _leading(merit[:FEW], shares[:FEW])
    np.testing.assert_array_equal(whole, np.arange(FEW))
    assert nothing == 0.0


@pytest.mark.parametrize("selection", ["diverse", "explained"])
def test_the_order_is_that_of_all_features(selection: str, monkeypatch: Any) -> None:
    X = wide(FEW + 300)
    some = SPCAPSD(n_features_to_select=1, selection=selection).fit(X)
    monkeypatch.setattr(choice, "FEW", X.shape[1])
    every = SPCAPSD(n_features_to_select=1, selection=selection).fit(X)
    first = slice(0, 60)
    np.testing.assert_array_equal(
        np.argsort(some.ranking_)[first], np.argsort(every.ranking_)[first]
    )


@pytest.mark.parametrize("selection", ["diverse", "explained"])
def test_features_come_back_once_the_one_that_is_explained_least_is_chosen(
    selection: str, monkeypatch: Any
) -> None:
    rng, d = np.random.default_rng(1), FEW + 300
    X = rng.normal(size=(80, 8)) @ rng.normal(size=(8, d))
    X += 0.4 * rng.normal(size=(80, d)) * rng.lognormal(size=d)
    # Beside these, little is left of the others: they repeat what is chosen as long as one waits.
    X[:, :6] = 3.0 * rng.normal(size=(80, 6))
    some = SPCAPSD(n_features_to_select=1, selection=selection).fit(X)
    monkeypatch.setattr(choice, "FEW", d)
    every = SPCAPSD(n_features_to_select=1, selection=selection).fit(X)
    np.testing.assert_array_equal(np.argsort(some.ranking_)[:100], np.argsort(every.ranking_)[:100])


def test_groups_hold_among_leading_features_too() -> None:
    X = wide(FEW + 300)
    free = SPCAPSD(n_features_to_select=20).fit(X).selected_
    groups = [free[:10].tolist(), free[10:].tolist()]
    selector = SPCAPSD(n_features_to_select=20, groups=groups).fit(X)
    for group in groups:
        assert np.isin(group, selector.selected_).sum() == 1


def test_noise_counts_where_not_all_features_have_some(monkeypatch: Any) -> None:
    monkeypatch.setattr(sides, "MOST_SAMPLES", 10)
    monkeypatch.setattr(sides, "COMPONENTS", 4)
    X = wide(60)
    side = side_of(as_samples(X))
    side.gains.own = side.gains.own.copy()
    side.gains.own[np.argmin(side.gains.gains())] = 0.0
    rule, shut = Rule(0.0, 0.95**2), np.zeros(60, dtype=bool)
    few = candidates(side, Repulsion(np.eye(60)), np.arange(60), rule, shut)
    merit = np.where(side.gains.repeats, 0.0, rule.worth(side.gains, np.zeros(60), shut))
    assert few.best()[0] == pytest.approx(float(merit.max()), rel=1e-9)


def single(X: np.ndarray) -> Rows:
    """Rows in single precision, which are centred tile by tile."""
    mean = X.mean(axis=0)
    return Rows(X.astype(np.float32), mean, mean)


@pytest.mark.parametrize(
    "data_of", [as_samples, single, lambda X: as_samples(sp.csr_array(np.maximum(X, 0.0)))]
)
def test_columns_are_centred_whatever_they_come_from(data_of: Any) -> None:
    X = wide(30) + 9.0
    by_columns, features = ByColumns(data_of(X)), np.array([3, 17, 4])
    expected = np.maximum(X, 0.0) if by_columns.stored is not None else X
    expected = expected - expected.mean(axis=0)
    np.testing.assert_allclose(by_columns.columns(features), expected[:, features], atol=1e-5)
    P = np.random.default_rng(1).normal(size=(5, 40))
    np.testing.assert_allclose(by_columns.combined(P, slice(None)), P @ expected, atol=1e-4)
