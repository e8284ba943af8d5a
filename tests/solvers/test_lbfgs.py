"""The quasi-Newton search for a few variables: it finds what SciPy's finds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.optimize
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from sparsecone.solvers.lbfgs import minimised

Array = NDArray[Any]


def hard(seed: int) -> Any:
    """Return a smooth convex function whose Hessian is far from the identity, and a start."""
    rng = np.random.default_rng(seed)
    basis = rng.normal(size=(30, 12)) * np.geomspace(2.0, 0.1, 12)
    target = rng.normal(size=30)

    def objective(x: Array) -> tuple[float, Array]:
        rest = basis @ x - target
        roots = np.sqrt(1.0 + rest**2)
        return float(roots.sum()), basis.T @ (rest / roots)

    return objective, rng.normal(size=12)


@given(seed=st.integers(0, 10_000))
def test_it_finds_the_minimum(seed: int) -> None:
    objective, start = hard(seed)
    found = minimised(objective, start, decrease=1e-12, steps=300, pairs=10)
    expected = scipy.optimize.minimize(objective, start, jac=True, method="L-BFGS-B", tol=1e-12)
    assert objective(found)[0] <= expected.fun * (1.0 + 1e-8)


def test_it_never_goes_up_and_stops_when_told() -> None:
    objective, start = hard(0)
    values = [
        objective(minimised(objective, start, decrease=0.0, steps=steps, pairs=5))[0]
        for steps in range(8)
    ]
    assert values[0] == objective(start)[0]
    assert np.all(np.diff(values) < 0.0)
    early = minimised(objective, start, decrease=np.inf, steps=100, pairs=5)
    assert objective(early)[0] == pytest.approx(values[1])


def test_a_minimum_is_left_alone() -> None:
    def objective(x: Array) -> tuple[float, Array]:
        return float(x @ x), 2.0 * x

    np.testing.assert_array_equal(
        minimised(objective, np.zeros(3), decrease=0.0, steps=5, pairs=5), np.zeros(3)
    )


def test_a_slope_that_is_wrong_ends_the_search() -> None:
    def objective(x: Array) -> tuple[float, Array]:
        return float(x @ x), -2.0 * x

    start = np.ones(2)
    np.testing.assert_array_equal(
        minimised(objective, start, decrease=0.0, steps=5, pairs=5), start
    )
