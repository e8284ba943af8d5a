"""The repairs of a dual point, term by term, on dual points that are small enough to solve by hand.

The number of features is a number only where a unit of rounding of a thousandth is wanted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import pytest

from sparsecone.certificate.dual_point import NOTHING, Bound, Excess, Lengths, Multipliers
from sparsecone.data import Data, Terms
from sparsecone.linalg.rounding import sum_error
from sparsecone.linalg.types import Array
from sparsecone.model.losses import Loss, Robust, Squared
from sparsecone.model.problem import Problem

MANY = 2**42
UNIT = sum_error(MANY)


@dataclass
class Shape:
    """The size of data, and a pass over lengths that are at hand."""

    n_features: int = MANY
    n_samples: int = 1
    matrix_error: float = 0.0
    trace: float = 100.0

    def collect(self, function: Callable[..., Terms], lengths: Array) -> Terms:
        """Return the terms of all lengths."""
        return function(None, lengths)


def problem_of(lam: float, eta: float, loss: Loss | None = None, **shape: Any) -> Problem:
    return Problem(cast(Data, Shape(**shape)), loss or Squared(), lam, eta)


def multipliers(columns: Array, **given: Any) -> Multipliers:
    """Return a dual point with these columns of B, of an objective that grows up to the limit."""
    fields: dict[str, Any] = {
        "inner": 10.0,
        "quadratic": 4.0,
        "inner_rounding": 0.0,
        "quadratic_rounding": 0.0,
        "lengths": None,
        "squared_columns": np.einsum("ij,ij->j", columns, columns),
        "diagonal": np.diag(columns),
        "projections": np.zeros((len(columns), 0)),
    }
    return Multipliers(**fields | given)


def excess_of(
    values: Array | None = None, vectors: Array | None = None, rest: float = 0.0
) -> Excess:
    none = np.zeros((2, 0))
    return Excess(
        np.zeros(0) if values is None else values, none if vectors is None else vectors, rest
    )


NONE = excess_of()


def test_nothing_is_known_of_an_excess_that_overflows() -> None:
    assert Bound(-np.inf, 0.0) == NOTHING
    point = multipliers(np.zeros((2, 2)))
    for rest in (1e150, np.inf, np.nan):
        assert point.bound(problem_of(1.0, 1.0), excess_of(rest=rest)) == NOTHING
    found = point.bound(problem_of(1.0, 1.0), excess_of(rest=9e149))
    assert 0.0 < found.scale < 1e-148


def test_an_excess_is_proven_and_complete_unless_it_says_otherwise() -> None:
    assert (NONE.proven, NONE.is_rough, NONE.part, NONE.room) == (True, False, None, 0.0)
    assert NONE.largest == 0.0
    assert excess_of(np.array([0.5, 0.25]), np.eye(2), rest=0.125).largest == 0.625


@pytest.mark.parametrize("eta", [0.0, 2.0])
def test_a_feasible_point_is_scaled_by_its_rounding_alone(eta: float) -> None:
    found = multipliers(np.zeros((2, 2))).bound(problem_of(1.0, eta), NONE)
    assert found.scale == 1.0 - UNIT


def test_every_error_of_the_squared_loss_is_subtracted() -> None:
    point = multipliers(np.zeros((2, 2)), inner_rounding=0.3, quadratic_rounding=0.7)
    found = point.bound(problem_of(1.0, 2.0), NONE)
    s = 1.0 - UNIT
    exact = s * 10.0 - s**2 * 4.0
    rounding = s * (0.3 + UNIT * 10.0) + s**2 * (0.7 + UNIT * 4.0)
    assert found.value == pytest.approx(exact - rounding, rel=1e-14, abs=0.0)


def test_errors_of_a_negative_number_are_subtracted_too() -> None:
    lengths = Lengths(cast(Data, Shape()), np.zeros(1), 0.0)
    point = multipliers(np.zeros((2, 2)), lengths=lengths, inner=-10.0)
    found = point.bound(problem_of(1.0, 2.0, Robust()), NONE)
    s = 1.0 - UNIT
    assert found.value == pytest.approx(-10.0 * s * (1.0 + UNIT), rel=1e-14, abs=0.0)


def test_the_best_scale_may_be_below_the_limit() -> None:
    problem = problem_of(1.0, 2.0, n_features=1)
    found = multipliers(np.zeros((2, 2)), inner=4.0).bound(problem, NONE)
    assert found.scale == 0.5
    assert found.value == pytest.approx(1.0, rel=1e-13)
    assert multipliers(np.zeros((2, 2)), inner=-4.0).bound(problem, NONE) == Bound(0.0, 0.0)
    linear = multipliers(np.zeros((2, 2)), quadratic=0.0).bound(problem, NONE)
    assert linear.value == pytest.approx(10.0, rel=1e-13)
    nearly = multipliers(np.zeros((2, 2)), inner=0.4, quadratic=0.4).bound(problem, NONE)
    assert nearly.scale == 0.5


def test_every_error_of_a_robust_loss_is_subtracted() -> None:
    loss = Robust(delta=9.0)
    lengths = Lengths(cast(Data, Shape()), np.array([0.0, 0.0]), 0.0)
    point = multipliers(
        np.zeros((2, 2)), lengths=lengths, inner_rounding=0.3, quadratic_rounding=50.0
    )
    found = point.bound(problem_of(1.0, 2.0, loss, n_samples=MANY), NONE)
    # Multipliers of no length have the conjugate -3 each.
    s = 1.0 - UNIT
    expected = 10.0 * s + 6.0 - s * (0.3 + UNIT * 10.0) - UNIT * 6.0
    assert found.scale == s
    assert found.value == pytest.approx(expected, rel=1e-14, abs=0.0)


def test_scaling_takes_what_exceeds_eta_from_all() -> None:
    # Columns as long as allowed along u: subtracting costs more.
    excess = excess_of(np.array([0.25, 0.125]), np.eye(2), rest=0.25)
    columns = np.diag([-0.1, -0.1])
    point = multipliers(columns, projections=columns)
    found = point.bound(problem_of(0.1, 2.0), excess)
    assert found.scale == pytest.approx((1.0 - UNIT) * 2.0 / 2.5, rel=1e-14)
    # Less than one above eta counts, too, and columns that are too long by themselves.
    longer = multipliers(1.01 * columns, projections=1.01 * columns)
    found = longer.bound(problem_of(0.1, 2.0), excess)
    assert found.scale == pytest.approx((1.0 - UNIT) * 2.0 / 2.5 / 1.01, rel=1e-14)


def test_columns_that_are_short_are_not_made_longer() -> None:
    columns = np.diag([-0.05, -0.025])
    excess = excess_of(np.array([1.0, 1.0]), np.eye(2))
    found = multipliers(columns, projections=columns).bound(problem_of(0.1, 10.0), excess)
    assert found.scale == pytest.approx((1.0 - UNIT) * 10.0 / 11.0, rel=1e-14)


def test_subtracting_costs_nothing_where_the_columns_stay_short() -> None:
    columns = np.array([[0.5, 0.0], [0.0, 0.5]])
    excess = excess_of(np.array([0.75]), np.array([[1.0], [0.0]]), rest=0.125)
    point = multipliers(columns, projections=columns[:, :1])
    assert point.bound(problem_of(1.0, 0.1), excess).scale == 1.0 - UNIT


@pytest.mark.parametrize("rest", [0.0, 0.3])
def test_subtracted_columns_have_the_lengths_of_dense_matrices(rest: float) -> None:
    rng = np.random.default_rng(0)
    B, values = rng.normal(size=(4, 4)), np.array([0.9, 0.4])
    vectors = np.linalg.qr(rng.normal(size=(4, 2)))[0]
    point = multipliers(B, projections=B.T @ vectors)
    excess = Excess(values, vectors, rest)
    P = (vectors * values) @ vectors.T
    exact = np.linalg.norm(B - P - rest * np.eye(4), axis=0)
    found = point._repaired_columns(excess, 0.7, 0.0)
    np.testing.assert_allclose(found, exact, rtol=1e-13)
    # Rounding is relative to all that may have been summed.
    most = 0.7 + np.linalg.norm(P, axis=0).max() + rest
    found = point._repaired_columns(excess, 0.7, 0.01)
    np.testing.assert_allclose(found, np.sqrt(exact**2 + 0.01 * most**2), rtol=1e-13)


def test_a_column_that_vanishes_is_rounding() -> None:
    gone = multipliers(np.eye(2), squared_columns=np.zeros(2), projections=np.eye(2))
    found = gone._repaired_columns(excess_of(np.array([1.0, 1.0]), np.eye(2)), 2.0, 0.25)
    # 0 - 2 + 1 is cut at zero; what is left is the rounding of lam and of the part.
    np.testing.assert_allclose(found, 0.5 * 3.0, rtol=1e-15)
    none = multipliers(np.zeros((2, 2)))
    nothing = none._repaired_columns(NONE, 2.0, 0.25)
    np.testing.assert_allclose(nothing, 1.0, rtol=1e-15)


def test_without_a_trace_term_the_longest_column_counts() -> None:
    columns = np.array([[3.0, 0.0], [0.0, 4.0]])
    found = multipliers(columns, diagonal=np.zeros(2)).bound(
        problem_of(2.0, 0.0, n_features=1), excess_of(rest=3.0)
    )
    assert found.scale == pytest.approx(2.0 / 5.0, rel=1e-13)
