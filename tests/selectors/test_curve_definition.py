"""What is enough, and what the first features explain, on diagonal matrices and by definition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.linalg import hadamard

from sparsecone import from_blocks, from_gram
from sparsecone.data import as_samples
from sparsecone.model.build import as_data
from sparsecone.model.weights import noise_edge
from sparsecone.selectors import curve
from sparsecone.selectors.ceiling import QUICK, ceiling
from sparsecone.selectors.curve import (
    ExplainedCurve,
    explained_curve,
    explained_shares,
    percents,
)

# Eight features of one variance, whose components have these: the noise ends between 20 and 6.
VALUES = np.array([40.0, 30.0, 20.0, 6.0, 2.0, 1.0, 0.6, 0.4])
TURN = hadamard(8) / np.sqrt(8.0)
S = TURN * VALUES @ TURN.T
RIDGE = 0.03 * 100.0 / 8.0


def turned() -> Any:
    return from_gram(S, n_samples=1000)


def shares(order: list[int]) -> Any:
    """Return what the first features explain, by its definition."""
    blocks = [np.ix_(order[:h], order[:h]) for h in range(1, len(order) + 1)]
    told = [np.trace(np.linalg.solve(S[C] + RIDGE * np.eye(len(C[0])), (S @ S)[C])) for C in blocks]
    return np.array(told) / 100.0


@pytest.mark.parametrize(("level", "n_kept"), [(35.0, 1), (25.0, 2), (5.0, 4), (0.5, 7), (0.0, 3)])
def test_enough_is_nine_tenths_of_what_the_kept_components_explain(
    level: float, n_kept: int
) -> None:
    assert VALUES[3] < noise_edge(np.diag(S), 1000) < VALUES[2]
    order = [3, 0, 5, 6, 1, 2, 4, 7]
    found = explained_curve(turned(), np.array(order), level)
    np.testing.assert_allclose(found.explained, shares(order), rtol=1e-12)
    components = VALUES**2 / (VALUES + RIDGE) / 100.0
    assert found.target == pytest.approx(0.9 * components[:n_kept].sum(), rel=1e-12)
    assert found.chosen == np.flatnonzero(found.explained >= found.target)[0] + 1
    assert found.n_features.tolist() == [1, 2, 3, 4, 5, 6, 7, 8]
    np.testing.assert_array_equal(found.ceiling, ceiling(turned(), 8, QUICK))
    assert not found.is_noise


def test_where_no_number_is_enough_all_are_taken() -> None:
    # Of more than 200 features 200 are looked at, and the others explain everything.
    large = np.full((230, 230), 50.0)
    large[:200], large[:, :200] = 0.0, 0.0
    found = explained_curve(
        from_gram(large + 1e-3 * np.eye(230), n_samples=100), np.arange(230), 1.0
    )
    assert found.explained.max() < 0.01 < 0.8 < found.target
    assert found.chosen == found.n_features.size == 200


def test_where_no_component_exceeds_the_noise_nothing_is_to_be_explained() -> None:
    data = from_gram(np.eye(5), n_samples=40)
    assert noise_edge(np.ones(5), 40) > 1.0
    for level in (0.0, 0.5):
        found = explained_curve(data, np.arange(5), level)
        assert found.is_noise
        assert (found.target, found.chosen) == (0.0, 1)


def test_constant_features_explain_nothing() -> None:
    found = explained_curve(as_samples(np.ones((6, 3))), np.arange(3), 0.0)
    assert found.is_noise
    np.testing.assert_array_equal(found.explained, [0.0, 0.0, 0.0])
    assert found.chosen == 1


@pytest.mark.parametrize("shape", [(50, 12), (12, 50)])
@pytest.mark.parametrize("kind", ["dense", "sparse", "blocks", "gram"])
def test_shares_of_every_kind_of_data_in_blocks(
    shape: tuple[int, int], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(curve, "BLOCK", 5)
    monkeypatch.setattr(curve, "MOST_SAMPLES", 8)
    monkeypatch.setattr(curve, "DENSE_PACE", 0)
    rng = np.random.default_rng(0)
    X = np.where(rng.random(shape) < 0.4, rng.normal(size=shape), 0.0)
    centred = X - X.mean(axis=0)
    scatter = centred.T @ centred
    data = {
        "dense": lambda: as_samples(X),
        "sparse": lambda: as_samples(sp.csr_array(X)),
        "blocks": lambda: as_data(from_blocks([X[:5], X[5:]]), weighs=False),
        "gram": lambda: from_gram(scatter, n_samples=shape[0]),
    }[kind]()
    order = np.array([7, 0, 3, 11])
    ridge = 0.03 * np.trace(scatter) / min(shape[0] - 1, shape[1])
    expected = []
    for h in range(1, 5):
        rows = scatter[order[:h]]
        block = rows[:, order[:h]] + ridge * np.eye(h)
        expected.append(np.sum(rows * np.linalg.solve(block, rows)) / np.trace(scatter))
    np.testing.assert_allclose(explained_shares(data, order), expected, rtol=1e-9)


def made(explained: list[float], most: list[float], chosen: int) -> ExplainedCurve:
    numbers = np.arange(1, len(explained) + 1)
    return ExplainedCurve(numbers, np.array(explained), np.array(most), 0.5, chosen, False)


def test_sentences() -> None:
    found = made([0.3129, 0.5, 0.75], [0.4401, 0.65, 1.0], 1)
    assert found.verdict(1) == (
        "This feature explains 31.2 % of the variance of all; no feature can explain more than "
        "44.1 %."
    )
    assert found.verdict(3) == (
        "These 3 features explain 75.0 % of the variance of all; no 3 can explain more than "
        "100.0 %."
    )
    assert found.verdict(0) == found.verdict(4) == ""
    assert repr(found) == (
        "ExplainedCurve(1 feature enough: 31.2 % explained, at most 44.1 % by any; 1 to 3 "
        "features: 31.2 to 75.0 %)"
    )
    assert repr(made([0.3, 0.5], [0.4, 0.6], 2)).startswith("ExplainedCurve(2 features enough: 50")


def test_the_number_that_is_enough_is_in_the_table_however_long_it_is() -> None:
    told = np.linspace(0.0, 0.99, 100).tolist()
    found = made(told, told, 38)
    shown = found._repr_html_()
    assert "38 (enough)" in shown
    assert shown.count("(enough)") == 1
    assert found.verdict(38) in shown


def test_percents_never_say_too_much() -> None:
    assert percents(0.12399, 0.12301) == (12.3, 12.4)
    assert percents(0.0, 1.0) == (0.0, 100.0)
    assert percents(0.5, 0.5) == (50.0, 50.0)
