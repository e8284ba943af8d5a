"""The search by limited-memory BFGS."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.optimize
from hypothesis import given, settings
from hypothesis import strategies as st

from sparsecone.linalg.quasi_newton import minimise, shorter
from sparsecone.linalg.types import Array

EXACTLY = {"decrease": 1e-15, "steps": 500, "pairs": 20}


class Counted:
    """A function that counts its calls, and remembers its values."""

    def __init__(self, function, gradient):
        self.function, self.gradient, self.values = function, gradient, []

    def __call__(self, x: Array) -> tuple[float, Array]:
        self.values.append(float(self.function(x)))
        return self.values[-1], self.gradient(x)


def quadratic(curvatures: Array, least: Array) -> Counted:
    return Counted(
        lambda x: 0.5 * float(curvatures @ (x - least) ** 2), lambda x: curvatures * (x - least)
    )


def rosenbrock() -> Counted:
    return Counted(scipy.optimize.rosen, scipy.optimize.rosen_der)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 12), st.floats(-3.0, 3.0))
def test_a_quadratic_function_is_minimised_whatever_its_curvature(
    seed: int, size: int, exponent: float
) -> None:
    rng = np.random.default_rng(seed)
    curvatures = 10.0 ** (exponent + rng.uniform(-1.0, 1.0, size))
    least = rng.standard_normal(size)
    found = minimise(quadratic(curvatures, least), np.zeros(size), **EXACTLY)
    np.testing.assert_allclose(curvatures * (found - least), 0.0, atol=1e-5 * curvatures.max())


def test_a_curved_valley_is_followed_in_as_many_calls_as_scipy_takes() -> None:
    start, own, theirs = np.full(6, -1.0), rosenbrock(), rosenbrock()
    found = minimise(own, start, **EXACTLY)
    options = {"maxiter": 500, "maxcor": 20, "ftol": 1e-15, "gtol": 0.0}
    scipy.optimize.minimize(theirs, start, jac=True, method="L-BFGS-B", options=options)
    np.testing.assert_allclose(found, 1.0, atol=1e-6)
    assert len(own.values) <= 1.5 * len(theirs.values)


def test_no_step_raises_the_value() -> None:
    function, seen = rosenbrock(), []
    for steps in range(1, 30):
        found = minimise(function, np.full(4, -1.0), decrease=0.0, steps=steps, pairs=5)
        seen.append(scipy.optimize.rosen(found))
    assert np.all(np.diff(seen) <= 0.0)
    assert seen[-1] < 0.1 * seen[0]


def test_the_search_ends_by_a_step_that_brings_little() -> None:
    loose, exact = rosenbrock(), rosenbrock()
    rough = minimise(loose, np.full(4, -1.0), decrease=1e-1, steps=500, pairs=20)
    minimise(exact, np.full(4, -1.0), **EXACTLY)
    assert len(loose.values) < len(exact.values)
    # The last step brought no more than a tenth of one.
    *_, before, last = np.minimum.accumulate(loose.values)
    assert before - last <= 1e-1 * max(last, 1.0)
    assert scipy.optimize.rosen(rough) == last


def test_a_short_first_step_does_not_end_it() -> None:
    # A step of length one along the gradient brings less than the decrease.
    function = quadratic(np.full(3, 1e-4), np.full(3, 10.0))
    found = minimise(function, np.zeros(3), decrease=1e-6, steps=50, pairs=5)
    np.testing.assert_allclose(found, 10.0, atol=1e-3)


def test_the_first_step_is_no_longer_than_one() -> None:
    seen = []

    def function(x: Array) -> tuple[float, Array]:
        seen.append(x)
        return 1e6 * float(x @ x), 2e6 * x

    minimise(function, np.full(4, 50.0), decrease=0.0, steps=1, pairs=5)
    assert np.linalg.norm(seen[1] - seen[0]) == pytest.approx(1.0)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_where_no_step_helps_the_start_is_returned(value: float) -> None:
    calls = []

    def function(x: Array) -> tuple[float, Array]:
        calls.append(x)
        return (1.0, np.ones(2)) if len(calls) == 1 else (value, np.full(2, value))

    start = np.array([3.0, 4.0])
    np.testing.assert_array_equal(minimise(function, start, **EXACTLY), start)
    assert len(calls) < 30


def test_a_stationary_start_is_returned() -> None:
    function = quadratic(np.ones(2), np.zeros(2))
    np.testing.assert_array_equal(minimise(function, np.zeros(2), **EXACTLY), 0.0)
    assert len(function.values) == 1


@pytest.mark.parametrize(
    ("promised", "change", "factor"),
    # The parabola with slope -1 and value 0.25 at one is least at 0.4.
    [(-1.0, 0.25, 0.4), (-1.0, -0.9, 0.5), (-1.0, 100.0, 0.1), (-1.0, np.inf, 0.1)],
)
def test_a_step_is_shortened_to_the_end_of_a_parabola(
    promised: float, change: float, factor: float
) -> None:
    assert shorter(promised, change) == pytest.approx(factor)
