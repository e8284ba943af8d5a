"""Residuals lie between bounds that rounding keeps apart; errors add up; units of the weights."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone.data.centring import as_rows
from sparsecone.model.build import LARGEST_WEIGHT, PAPER_SMOOTHING, SMOOTHING, _checked, loss_of
from sparsecone.model.data_term import Image, squared_data_term
from sparsecone.model.losses import Robust, Squared
from sparsecone.model.problem import Problem
from sparsecone.model.row_terms import residuals
from sparsecone.model.weights import automatic_eta

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


def test_errors_of_the_squared_loss_add_up() -> None:
    image = Image(2.0 * ROWS.gram_product(FACTOR), 1.0)
    found = squared_data_term(ROWS, FACTOR, image)
    factor = float(np.linalg.norm(FACTOR))
    assert found.H_error == 1.0
    assert found.inner_rounding == pytest.approx(2.0 * ROWS.gram_error + factor, rel=1e-12)
    assert found.inner_rounding > factor
    A = float(np.linalg.norm(FACTOR.T @ FACTOR))
    assert found.rounding == pytest.approx(ROWS.gram_error + factor * (1.0 + A), rel=1e-12)


def test_the_error_of_an_image_grows_with_the_factor() -> None:
    problem = Problem(ROWS, Robust(0.0, False, 1e-3), 0.1, 0.1)
    point = problem.evaluate(FACTOR).with_gram()
    errors = [point.nearby(scale * FACTOR).data.H_error for scale in (1.0, 4.0)]
    assert 0.0 < errors[0] < errors[1]


@pytest.mark.parametrize("eta", [0.0, 1e-3, 1e3])
def test_how_far_summed_moments_may_be_off_is_bounded_both_ways(eta: float) -> None:
    summed = as_rows(X)
    summed.matrix_error = 0.5
    problem = Problem(summed, Squared(), 0.0, eta)
    most = 8.0 if eta == 0.0 else min(8.0, 2.0 * summed.trace / eta)
    assert problem.matrix_slack == pytest.approx(0.5 * (1.0 + most**0.5))


@pytest.mark.parametrize("model", ["cspca-psd", "aw-spca-psd"])
def test_smoothing_is_in_the_units_that_are_asked_for(model: str) -> None:
    absolute = loss_of(ROWS, model, delta=None, units="absolute")
    relative = loss_of(ROWS, model, delta=None, units="relative")
    assert isinstance(absolute, Robust)
    assert isinstance(relative, Robust)
    assert absolute.smoothing == pytest.approx(PAPER_SMOOTHING)
    assert relative.smoothing == pytest.approx(SMOOTHING * ROWS.trace / 30)


def test_without_a_component_eta_is_half_of_a_mean_one() -> None:
    noise = as_rows(np.random.default_rng(1).normal(size=(40, 6)))
    eta, reason = automatic_eta(Problem(noise, Squared(), 0.0, 0.0))
    assert "half of a mean component" in reason
    assert eta == pytest.approx(0.5 * 2.0 * noise.trace / 6)
