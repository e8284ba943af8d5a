"""Who stands for whom, and why a feature was left out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from numpy.typing import NDArray

from sparsecone import SPCAPSD, MaxVariance, from_blocks, from_gram
from sparsecone.selectors.gains import RIDGE

NAMES = ["strong", "copy", "mirror", "like", "sum", "constant", "weak", "other"]


def table() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    z = rng.normal(size=(400, 3)) * [3.0, 2.0, 0.1]
    like = z[:, 0] + 0.5 * rng.normal(size=400)
    columns = [z[:, 0], z[:, 0], -2.0 * z[:, 0], like, z[:, 0] / 9 + z[:, 1] / 4]
    X = np.column_stack([*columns, np.full(400, 7.0), z[:, 2], z[:, 1]])
    return pd.DataFrame(X, columns=NAMES)


def fitted() -> Any:
    """Return a selector whose selection is known: the strongest two that are not copies."""
    selector = MaxVariance(n_features_to_select=2).fit(table())
    selector._cut(selector.scores_, np.array([0, 7, 2, 1, 3, 4, 6, 5]), 2)
    return selector


def test_reasons_in_words() -> None:
    reasons = fitted().explanation(table())["reason"]
    assert reasons["strong"] == "chosen 1st"
    assert reasons["other"] == "chosen 2nd"
    assert reasons["copy"] == "copy of strong, chosen 1st"
    assert reasons["mirror"] == "copy of strong, chosen 1st, with the opposite sign"
    assert reasons["like"] == "0.99 like strong, chosen 1st"
    assert reasons["constant"] == "constant"
    assert reasons["weak"] == "ranked 7th, and 2 are selected"


def test_numbers_against_their_definitions() -> None:
    X, found = table(), fitted().explanation(table())
    correlations = X.drop(columns="constant").corr()
    for name in ("copy", "like", "sum", "weak"):
        pair = correlations.loc[name, ["strong", "other"]]
        assert found.loc[name, "closest"] == pair.abs().idxmax()
        assert found.loc[name, "correlation"] == pytest.approx(pair[pair.abs().idxmax()])
    centred = (X - X.mean()).to_numpy()
    S = centred.T @ centred
    block = S[np.ix_([0, 7], [0, 7])] + RIDGE * np.trace(S) / 8 * np.eye(2)
    explained = S[4, [0, 7]] @ np.linalg.solve(block, S[4, [0, 7]]) / S[4, 4]
    assert found.loc["sum", "explained"] == pytest.approx(explained)
    assert found.loc["constant", "explained"] == 0.0
    assert found.loc["constant", "closest"] is None


def test_every_kind_of_data_gives_the_same() -> None:
    X: NDArray[Any] = table().to_numpy()
    selector = SPCAPSD(n_features_to_select=2).fit(X)
    centred = X - X.mean(axis=0)
    kinds = [
        sp.csr_array(X),
        from_blocks(lambda: iter([X[:100], X[100:]])),
        from_gram(centred.T @ centred, n_samples=400),
    ]
    expected = selector.explanation(X)
    for kind in kinds:
        pd.testing.assert_frame_equal(selector.explanation(kind), expected, rtol=1e-8, atol=1e-8)


def test_a_feature_without_a_score_is_below_the_noise() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 1)) @ np.ones((1, 6)) + 0.3 * rng.normal(size=(300, 6))
    X = np.c_[X, 0.1 * rng.normal(size=(300, 3))]
    selector = SPCAPSD(n_features_to_select=1).fit(X)
    assert selector.scores_[8] == 0.0
    assert selector.explanation(X)["reason"][8] == "below the noise: no score"


def test_no_correlation_is_above_one() -> None:
    rng = np.random.default_rng(0)
    for factor in (1.0, -1.0):
        X = rng.normal(size=(37, 12)) * rng.uniform(1.0, 9.0, size=12)
        copies = np.column_stack([X, factor * 1.7 * X])
        selector = MaxVariance(n_features_to_select=12).fit(copies)
        correlation = np.asarray(selector.explanation(copies)["correlation"])
        assert np.abs(correlation).max() == pytest.approx(1.0, rel=1e-12)
        assert (np.abs(correlation) <= 1.0).all()
