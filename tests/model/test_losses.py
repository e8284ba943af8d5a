"""The losses as functions of residual norms: values, weights, conjugates and steps, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from sparsecone.model.losses import Robust, Squared

SQUARES = np.array([0.0, 3.0, 8.0])


def test_values_and_weights_are_those_of_the_formula() -> None:
    loss = Robust(delta=1.0, smoothing=5.0)
    assert loss.value(SQUARES) == 1.0 + 2.0 + 3.0
    assert loss.smooth_value(np.array([3.0, 10.0])) == 3.0 + 4.0
    np.testing.assert_allclose(loss.weights(np.array([3.0, 10.0])), [1.0 / 3.0, 0.25], rtol=1e-15)
    assert Robust().value(np.array([4.0, 9.0])) == 5.0
    assert Robust().smooth_value(np.array([4.0, 9.0])) == 5.0
    assert loss.needs_rows
    assert not loss.recenter


def test_a_residual_of_zero_has_a_weight_that_is_finite() -> None:
    weight = Robust().weights(np.zeros(1))[0]
    assert weight == 1.0 / np.sqrt(np.finfo(float).tiny)


def test_the_conjugate_is_that_of_the_loss_itself() -> None:
    loss = Robust(delta=4.0, smoothing=100.0)
    # -sqrt(delta (1 - s^2)).
    assert loss.conjugate(np.array([0.0])) == -2.0
    assert loss.conjugate(np.array([0.75, 0.0])) == -3.0
    assert loss.conjugate(np.array([1.0, 1.0 + 1e-15])) == 0.0
    assert Robust().conjugate(np.array([0.5])) == 0.0
    # Fenchel's inequality, and where it is an equation.
    t = np.linspace(0.0, 5.0, 501)
    for s in (0.0, 0.3, 0.9):
        most = float((s * t - np.sqrt(t**2 + 4.0)).max())
        assert loss.conjugate(np.array([s**2])) == pytest.approx(most, abs=1e-4)


@pytest.mark.parametrize("delta", [0.0, 0.01, 4.0])
@pytest.mark.parametrize("rho", [0.5, 2.0])
def test_a_step_of_the_residuals_minimises(delta: float, rho: float) -> None:
    norms = np.array([0.0, 0.4, 1.0, 3.0, 10.0])
    found = Robust(delta=delta).shrink(norms, rho)
    for norm, t in zip(norms, found, strict=True):

        def value(t: float, norm: float = norm) -> float:
            return float(np.sqrt(t**2 + delta) + 0.5 * rho * (t - norm) ** 2)

        best = minimize_scalar(
            value, bounds=(0.0, 11.0), method="bounded", options={"xatol": 1e-10}
        )
        assert t == pytest.approx(best.x, abs=1e-6)
    if delta > 0.0:
        # The derivative vanishes.
        slope = found / np.sqrt(found**2 + delta) + rho * (found - norms)
        np.testing.assert_allclose(slope, 0.0, atol=1e-12)
    else:
        np.testing.assert_array_equal(found, np.maximum(norms - 1.0 / rho, 0.0))


def test_losses_have_units() -> None:
    assert Squared().unit(3.0) == 9.0
    assert Robust().unit(3.0) == 3.0


def test_smoothing_by_a_solver() -> None:
    assert Squared().softened(0.5) == Squared()
    assert Robust(0.25, recenter=True, smoothing=1.0).softened(0.5) == Robust(
        0.25, recenter=True, smoothing=0.5
    )
    squared = Squared()
    assert (squared.delta, squared.smoothing) == (0.0, 0.0)
    assert not squared.recenter
    assert not squared.needs_rows
    assert Robust() == Robust(delta=0.0, recenter=False, smoothing=0.0)
