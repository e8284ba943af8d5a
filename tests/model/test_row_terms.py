"""Residuals of the samples lie between their bounds, which rounding keeps apart."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone.data.centring import as_rows
from sparsecone.model.build import LARGEST_WEIGHT, _checked
from sparsecone.model.losses import Squared
from sparsecone.model.problem import Problem
from sparsecone.model.row_terms import residuals

RNG = np.random.default_rng(0)
X = RNG.normal(size=(30, 8)) * np.geomspace(10.0, 0.1, 30)[:, None]
ROWS = as_rows(X)
FACTOR = 0.4 * RNG.normal(size=(8, 3))
OFFSET = RNG.normal(size=8)


@pytest.mark.parametrize("v", [None, OFFSET])
def test_residuals_are_between_their_bounds(v: np.ndarray | None) -> None:
    found = residuals(ROWS, FACTOR, v)
    centred = X.astype(np.longdouble) - X.astype(np.longdouble).mean(axis=0)
    W = FACTOR.astype(np.longdouble) @ FACTOR.T
    exact = np.sum((centred - centred @ W - (0.0 if v is None else v)) ** 2, axis=1)
    assert (found.lowest <= exact).all()
    assert (exact <= found.highest).all()
    assert (found.lowest < found.squared).all()
    assert (found.squared < found.highest).all()


@pytest.mark.parametrize("v", [None, OFFSET])
def test_errors_grow_with_all_that_is_summed(v: np.ndarray | None) -> None:
    found = residuals(ROWS, FACTOR, v)
    P = ROWS.dense(np.arange(30)) @ FACTOR
    size = np.sqrt(ROWS.sizes) + (0.0 if v is None else np.linalg.norm(v))
    reach = np.linalg.norm(P, axis=1) + np.linalg.norm(P @ FACTOR.T @ FACTOR, axis=1)
    reach += 0.0 if v is None else np.linalg.norm(FACTOR.T @ v)
    least = ROWS.relative_error * size * (size + 4.0 * np.linalg.norm(FACTOR) * reach)
    assert (found.inner_errors >= (1.0 - 1e-12) * least).all()


def test_the_error_of_a_sample_that_is_reproduced_is_not_negative() -> None:
    found = residuals(ROWS, np.eye(8), None)
    np.testing.assert_allclose(found.squared, 0.0, atol=1e-24)
    assert (found.errors > 0.0).all()
    assert (found.errors < 1e-20 * ROWS.sizes.max()).all()


def test_weights_may_be_as_large_as_the_data_allow() -> None:
    problem = Problem(as_rows(1e5 * X), Squared(), 0.0, 0.0)
    large = 1e3 * LARGEST_WEIGHT
    assert _checked(problem, large, "lam") == large
    with pytest.raises(ValueError, match="lam is so large beside these data"):
        _checked(problem, 1e3 * LARGEST_WEIGHT * problem.zero.value, "lam")
