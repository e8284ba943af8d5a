"""Weights of the samples are numbers of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone

from sparsecone import AWSPCAPSD, CSPCAPSD, SPCAPSD, from_blocks
from sparsecone.selectors.frequencies import repeated

X = np.random.default_rng(0).normal(size=(40, 3)) @ np.random.default_rng(1).normal(size=(3, 8))
X += 0.3 * np.random.default_rng(2).normal(size=X.shape)
WEIGHTS = np.random.default_rng(3).integers(0, 4, size=40)


@pytest.mark.parametrize("model", [SPCAPSD, CSPCAPSD, AWSPCAPSD])
@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array, sp.csc_array, pd.DataFrame])
def test_whole_weights_are_repeated_rows(model: Any, kind: Any) -> None:
    selector = model(n_features_to_select=1, lam=0.03)
    weighted = clone(selector).fit(kind(X), sample_weight=WEIGHTS)
    repeated = clone(selector).fit(np.repeat(X, WEIGHTS, axis=0))
    np.testing.assert_allclose(weighted.scores_, repeated.scores_, rtol=1e-6, atol=1e-9)
    np.testing.assert_array_equal(weighted.ranking_, repeated.ranking_)
    plain = clone(selector).fit(X)
    assert not np.allclose(weighted.scores_, plain.scores_, rtol=1e-5, atol=0.0)


def test_ones_and_none_are_the_same() -> None:
    ones = SPCAPSD(n_features_to_select=1).fit(X, sample_weight=np.ones(40))
    np.testing.assert_array_equal(ones.scores_, SPCAPSD(n_features_to_select=1).fit(X).scores_)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.full(40, 0.5), "whole numbers"),
        (np.full(40, -1.0), "[Nn]egative"),
        (np.ones(7), "shape"),
        (np.eye(40)[0], "fewer than two"),
        (np.full(40, 10**6), "rows of 40, and 1000000 are the most"),
    ],
)
def test_weights_that_are_no_numbers_of_rows_are_refused(weights: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SPCAPSD(n_features_to_select=1).fit(X, sample_weight=weights)


def test_blocks_take_no_weights() -> None:
    with pytest.raises(TypeError, match="in memory"):
        SPCAPSD(n_features_to_select=1).fit(from_blocks([X]), sample_weight=np.ones(40))


def test_samples_that_count_once_are_not_copied_and_others_are() -> None:
    assert repeated(X, np.ones(40)) is X
    np.testing.assert_array_equal(repeated(X, 2), np.repeat(X, 2, axis=0))


def test_two_samples_that_count_are_enough() -> None:
    X = np.arange(8.0).reshape(4, 2)
    np.testing.assert_array_equal(repeated(X, [0, 1, 0, 2]), X[[1, 3, 3]])
    with pytest.raises(ValueError, match="fewer than two samples"):
        repeated(X, [0, 0, 0, 2])


def test_weights_make_at_most_twenty_times_as_many_rows_of_many_samples() -> None:
    many = np.zeros((60_000, 1))
    assert len(repeated(many, 20)) == 1_200_000
    with pytest.raises(ValueError, match="makes 1260000 rows of 60000, and 1200000 are the most"):
        repeated(many, 21)
