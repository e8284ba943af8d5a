"""CUR against its definition."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from sparsecone.baselines.cur import CUR


@pytest.mark.parametrize("shape", [(60, 30), (60, 60), (25, 90)])
@pytest.mark.parametrize("k", [1, 4])
def test_each_choice_has_the_largest_leverage_of_what_is_left(shape, k):
    X = np.random.default_rng(1).normal(5.0, size=shape) * np.linspace(1, 2, shape[1])
    fitted = CUR(n_features_to_select=10, n_components=k).fit(X)
    R = X - X.mean(axis=0)
    for j in fitted.selected_:
        leverages = np.sum(np.linalg.svd(R)[2][:k] ** 2, axis=0)
        assert np.argmax(leverages) == j
        assert_allclose(fitted.scores_[j], leverages[j], rtol=1e-6)
        R -= np.outer(R[:, j], R[:, j] @ R) / (R[:, j] @ R[:, j])
    others = np.setdiff1d(np.arange(shape[1]), fitted.selected_)
    assert_allclose(fitted.scores_[others], leverages[others], rtol=1e-5, atol=1e-8)


def test_uncorrelated_features_go_by_their_variances():
    """Then the singular vectors are the axes, and each choice empties the one it came from."""
    X = np.linalg.qr(np.random.default_rng(0).normal(size=(80, 40)) - 0.1)[0]
    X -= X.mean(axis=0)
    X = np.linalg.qr(X)[0] * np.linspace(1, 3, 40)
    np.testing.assert_array_equal(
        CUR(n_features_to_select=12).fit(X).selected_, np.arange(39, 27, -1)
    )


def test_it_ends_where_the_chosen_features_span_all():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 4)) @ rng.normal(size=(4, 20))
    assert CUR(n_features_to_select=10).fit(X).n_iter_ == 4


def test_more_components_than_samples():
    X = np.random.default_rng(0).normal(size=(5, 30))
    assert CUR(n_features_to_select=3, n_components=50).fit(X).selected_.size == 3
