"""Weighted ridge regression against its normal equations."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone.baselines.projections.regression import Regression


@pytest.mark.parametrize("shape", [(30, 12), (30, 30), (12, 30)])
def test_the_normal_equations_hold(shape):
    rng = np.random.default_rng(0)
    X, T = rng.normal(size=shape), rng.normal(size=(shape[0], 3))
    weights = np.logspace(-3, 12, shape[1])
    V = Regression(X).weighted(weights)(T)
    np.testing.assert_allclose(weights[:, None] * V, X.T @ (T - X @ V), rtol=1e-6, atol=1e-8)


def test_weights_may_change_without_a_trace_of_those_before():
    rng = np.random.default_rng(0)
    X, T = rng.normal(size=(30, 12)), rng.normal(size=(30, 3))
    regression = Regression(X)
    first = regression.weighted(np.ones(12))(T)
    regression.weighted(np.arange(1.0, 13.0))(T)
    np.testing.assert_array_equal(regression.weighted(np.ones(12))(T), first)
