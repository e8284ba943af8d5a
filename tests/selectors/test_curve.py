"""What the first features explain, from either side of the samples."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from sparsecone import SPCAPSD
from sparsecone.data import as_samples
from sparsecone.selectors import curve
from sparsecone.selectors.curve import ExplainedCurve, explained_shares
from sparsecone.selectors.gains import ridge_of
from sparsecone.selectors.reasons import _number_of_features


@pytest.mark.parametrize("most_samples", [0, 1100])
@pytest.mark.parametrize("pace", [0, 10])
@pytest.mark.parametrize("sparse", [False, True])
def test_shares_are_those_of_ridge_regressions(
    most_samples: int, pace: int, sparse: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(curve, "MOST_SAMPLES", most_samples)
    monkeypatch.setattr(curve, "DENSE_PACE", pace)
    rng = np.random.default_rng(0)
    X = np.where(rng.random((20, 50)) < 0.3, rng.normal(size=(20, 50)), 0.0)
    data = as_samples(sp.csr_matrix(X) if sparse else X)
    centred = X - X.mean(axis=0)
    S, order = centred.T @ centred, rng.permutation(50)[:8]
    expected = []
    for h in range(1, 9):
        rows = S[order[:h]]
        block = rows[:, order[:h]] + ridge_of(data) * np.eye(h)
        expected.append(np.sum(rows * np.linalg.solve(block, rows)) / np.trace(S))
    np.testing.assert_allclose(explained_shares(data, order), expected, rtol=1e-10)


def test_what_is_explained_is_rounded_down_and_the_ceiling_up() -> None:
    curve = ExplainedCurve(
        n_features=np.arange(1, 4),
        explained=np.array([0.5012, 0.9987, 0.9999]),
        ceiling=np.array([0.5012, 0.9991, 1.0]),
        target=0.9,
        chosen=2,
        is_noise=False,
    )
    assert "explain 99.8 %" in curve.verdict(2)
    assert "more than 100.0 %." in curve.verdict(2)
    assert "99.9 %" in curve.verdict(3)
    assert curve.verdict(4) == ""
    assert "99.8 % explained, at most 100.0 % by any; 1 to 3 features: 50.1 to 99.9 %" in repr(
        curve
    )
    shown = curve._repr_html_()
    assert all(text in shown for text in ("50.1 %", "99.8 %", "99.9 %", "100.0 %"))


def test_where_the_target_is_out_of_reach_the_most_is_told() -> None:
    curve = ExplainedCurve(
        n_features=np.arange(1, 5),
        explained=np.array([0.2, 0.5, 0.5, 0.5]),
        ceiling=np.ones(4),
        target=0.9,
        chosen=2,
        is_noise=False,
    )
    told = _number_of_features(curve)
    assert told.startswith("2 features: more do not explain more than 50.0 %")
    told = _number_of_features(replace(curve, explained=np.array([0.2, 0.95, 0.96, 0.97])))
    assert told.startswith("2 features: the least number to explain 90.0 %")
    told = _number_of_features(replace(curve, chosen=1, explained=np.array([0.2, 0.5, 0.95, 1.0])))
    assert told.startswith("1 feature: more do not explain more than 20.0 %")


def test_the_table_in_a_notebook_has_what_the_verdicts_say() -> None:
    found = ExplainedCurve(
        np.arange(1, 4), np.array([0.31, 0.52, 0.73]), np.array([0.44, 0.65, 0.86]), 0.5, 2, False
    )
    cells = re.findall(r"<t[dh][^>]*>([^<]*)</t[dh]>", found._repr_html_())
    assert cells[3:6] == ["1", "31.0 %", "44.0 %"]
    assert cells[6:9] == ["2 (enough)", "52.0 %", "65.0 %"]
    assert cells[9:] == ["3", "73.0 %", "86.0 %"]


@pytest.mark.parametrize("shape", [(20, 50), (90, 30)])
@pytest.mark.parametrize(
    "wishes",
    [
        {},
        {"selection": "scores"},
        {"selection": "both"},
        {"keep": [7, 3]},
        {"groups": [list(range(25))]},
    ],
)
def test_the_curve_of_a_fit_is_that_of_its_order(
    wishes: dict[str, Any], shape: tuple[int, int]
) -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(shape[0], 4)) @ rng.normal(size=(4, shape[1])) + rng.normal(size=shape)
    selector = SPCAPSD(n_features_to_select=5, **wishes).fit(X)
    order = np.argsort(selector.ranking_)[: selector.curve_.n_features.size]
    expected = explained_shares(as_samples(X), order)
    np.testing.assert_allclose(selector.curve_.explained, expected, rtol=1e-10)
