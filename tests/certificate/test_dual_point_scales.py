"""Clipped columns, scales of multipliers, and what a shared error of S costs: exact answers."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

from sparsecone.certificate.dual_point import Excess, Lengths, Multipliers, clipped_scale
from sparsecone.data import as_samples, from_gram
from sparsecone.linalg.rounding import sum_error
from sparsecone.linalg.types import Array
from sparsecone.model.losses import Robust, Squared
from sparsecone.model.problem import Problem

ROWS = as_samples(np.array([[1.0], [-1.0]]))


def test_columns_that_fit_are_not_scaled() -> None:
    assert clipped_scale(np.array([0.5, 2.0]), 2.0, 1.0) == 1.0
    assert clipped_scale(np.zeros(0), 2.0, 1.0) == 1.0
    assert clipped_scale(np.array([0.5]), 0.7, 0.0) == 1.0


def test_without_a_penalty_no_column_fits_but_that_is_no_division_by_zero() -> None:
    assert clipped_scale(np.array([0.5]), 0.0, 1.0) == 0.0
    assert clipped_scale(np.zeros(2), 0.0, 1.0) == 0.0


def test_without_a_trace_term_nothing_is_clipped() -> None:
    assert clipped_scale(np.array([3.0, 5.0]), 2.0, 0.0) == pytest.approx(0.4, rel=1e-15)


@pytest.mark.parametrize("eta", [0.01, 0.5, 3.0, 50.0])
@pytest.mark.parametrize("lam", [0.5, 2.0])
def test_one_long_column_is_clipped_where_both_constraints_meet(lam: float, eta: float) -> None:
    # length - (1 + e) lam = e eta.
    epsilon = (5.0 - lam) / (eta + lam)
    found = clipped_scale(np.array([0.1, 5.0, lam]), lam, eta)
    assert found == pytest.approx(1.0 / (1.0 + epsilon), rel=1e-14)


@pytest.mark.parametrize("eta", [0.003, 0.5, 3.0, 50.0, 1000.0])
@pytest.mark.parametrize("lam", [0.3, 2.0, 40.0])
def test_many_long_columns_are_clipped_nearly_where_both_constraints_meet(
    lam: float, eta: float
) -> None:
    lengths = lam * np.geomspace(0.5, 8.0, 40)

    def beyond(epsilon: float) -> float:
        cut = np.maximum(lengths - (1.0 + epsilon) * lam, 0.0)
        return float(np.linalg.norm(cut)) - epsilon * eta

    exact = brentq(beyond, 0.0, 7.0, xtol=1e-14)
    found = 1.0 / clipped_scale(lengths, lam, eta) - 1.0
    # Never less than what is feasible.
    assert exact * (1.0 - 1e-12) <= found <= exact * (1.0 + 1.01e-3)


@pytest.mark.parametrize("ratio", [1.0, 1e3, 3e5, 1e8, 1e12])
@pytest.mark.parametrize("count", [1, 2, 30])
def test_what_is_cut_off_is_feasible_whatever_rounding_does(ratio: float, count: int) -> None:
    rng = np.random.default_rng(count)
    for _ in range(100):
        eta = float(rng.uniform(0.5, 2.0))
        lam = ratio * eta
        lengths = lam * (1.0 + rng.uniform(0.0, 1.0, size=count) * 10.0 ** rng.uniform(-6, 1))
        # As bounds take it.
        scale = Fraction(clipped_scale(lengths, lam, eta) * (1.0 - sum_error(count)))
        longest = Fraction(lam) / scale
        cut = [max(Fraction(length) - longest, Fraction(0)) for length in lengths]
        allowed = Fraction(eta) / scale - Fraction(eta)
        assert sum(part**2 for part in cut) <= allowed**2


def test_squares_of_long_columns_do_not_overflow() -> None:
    found = clipped_scale(np.array([1e200, 1e200]), 1.0, 1.0)
    # sqrt(2) (length - (1 + e)) = e, and the length is all there is.
    assert found == pytest.approx((1.0 + np.sqrt(2.0)) / np.sqrt(2.0) * 1e-200, rel=2e-3)


def lengths_of(*squares: float) -> Lengths:
    return Lengths(ROWS, np.array(squares), max(squares))


def test_no_multiplier_is_longer_than_one() -> None:
    found = lengths_of(4.0, 1.0).best_bound(Robust(), 6.0, 1.0)
    assert found.scale**2 * 4.0 < 1.0
    assert found.scale == pytest.approx(0.5, rel=2e-15)
    assert found.value == 6.0 * found.scale
    # Shorter ones may be scaled up to the limit, which may exceed one.
    assert lengths_of(0.25).best_bound(Robust(), 6.0, 9.0).scale == pytest.approx(2.0, rel=2e-15)
    assert lengths_of(0.25).best_bound(Robust(), 6.0, 1.5).scale == 1.5
    assert lengths_of(0.0).best_bound(Robust(), 6.0, 1.5).scale == 1.5


@pytest.mark.parametrize("inner", [0.0, 0.3, 2.0, 30.0, 1e4])
def test_the_best_scale_is_found_where_the_loss_is_smoothed(inner: float) -> None:
    # The largest of s a + sqrt(delta (1 - s^2)) is sqrt(a^2 + delta).
    found = lengths_of(1.0).best_bound(Robust(delta=4.0), inner, 1.0)
    assert found.value == pytest.approx(np.hypot(inner, 2.0), rel=1e-6)
    exact = found.scale * inner + 2.0 * np.sqrt(1.0 - found.scale**2)
    assert found.value == pytest.approx(exact, rel=1e-12)
    assert found.scale == pytest.approx(inner / np.hypot(inner, 2.0), abs=2e-3)


def test_two_refinements_of_two_intervals_each_find_the_best_scale() -> None:
    grid = np.append(1.0 - 0.5 ** np.arange(32), 1.0)
    for best in np.linspace(0.03, 0.97, 60):
        inner = 2.0 * best / np.sqrt(1.0 - best**2)
        found = lengths_of(1.0).best_bound(Robust(delta=4.0), inner, 1.0)
        top = int(np.argmax(grid * inner + 2.0 * np.sqrt(1.0 - grid**2)))
        width = grid[min(top + 1, 32)] - grid[max(top - 1, 0)]
        # Of scales that are so far apart one of the nearest is the best.
        assert abs(found.scale - best) <= 0.55 * width * (2.0 / 32) / 32


def test_the_longest_of_given_lengths_counts() -> None:
    given = Lengths.of(ROWS, np.array([0.25, 0.5]))
    assert given.longest == 0.5
    np.testing.assert_array_equal(given.values, [0.25, 0.5])


def test_the_conjugates_of_all_samples_count() -> None:
    loss, lengths = Robust(delta=4.0), lengths_of(1.0, 0.25, 0.0)
    found = lengths.best_bound(loss, 0.0, 1.0)
    assert found == (6.0, 0.0)
    scale = lengths.best_bound(loss, 7.0, 0.5).scale
    assert scale == 0.5
    value = lengths.best_bound(loss, 7.0, 0.5).value
    roots = sum(np.sqrt(1.0 - 0.25 * square) for square in (1.0, 0.25, 0.0))
    assert value == pytest.approx(3.5 + 2.0 * roots, rel=1e-14)


def test_a_bound_takes_three_passes_over_the_samples() -> None:
    passes = []

    class Counted(Robust):
        def conjugate(self, squared_lengths: Array) -> float:
            passes.append(float(squared_lengths[0]))
            return super().conjugate(squared_lengths)

    lengths_of(1.0).best_bound(Counted(delta=4.0), 1.0, 1.0)
    squares = np.reshape(passes, (3, 33))
    assert np.ptp(squares, axis=1)[0] > np.ptp(squares, axis=1)[1] > np.ptp(squares, axis=1)[2]
    assert squares.min() >= 0.0


Z = np.zeros(100)
DUAL = partial(
    Multipliers, lengths=None, squared_columns=Z, diagonal=Z, projections=Z[:, None][:, :0]
)
NONE = Excess(np.zeros(0), np.zeros((100, 0)), 0.0)


def cost(
    value: float, *, eta: float = 2.0, error: float = 0.01, **given: Any
) -> tuple[float, float]:
    """Return the bound without the error of a matrix, and what that costs it."""
    bounds = []
    for matrix_error in (0.0, error):
        samples = from_gram(np.eye(100), n_samples=200)
        samples.matrix_error = matrix_error
        point = DUAL(**({"inner_rounding": 0.0, "quadratic_rounding": 0.0} | given))
        bounds.append(point.bound(Problem(samples, Squared(), 1.0, eta), NONE, value).value)
    return bounds[0], bounds[0] - bounds[1]


@pytest.mark.parametrize("quadratic", [2.0, 0.1])
@pytest.mark.parametrize("above", [0.5, -0.5])
@pytest.mark.parametrize("error", [0.01, 1.0])
@pytest.mark.parametrize("eta", [1.0, 2.0])
def test_a_shared_error_costs_what_the_trace_at_an_optimum_allows(
    quadratic: float, above: float, error: float, eta: float
) -> None:
    inner = 2.0 * quadratic + 1.0
    bound = inner - quadratic
    found, lost = cost(bound + above, eta=eta, error=error, inner=inner, quadratic=quadratic)
    assert found == pytest.approx(bound, rel=1e-13)
    gap = max(above, 0.0) + error * (1.0 + 10.0)
    # The best h is below one, or one.
    rest = max(2.0 * np.sqrt(gap * quadratic), 2.0 * gap)
    trace = (inner - 2.0 * quadratic + rest) / eta
    assert lost == pytest.approx(error * (1.0 + np.sqrt(2.0 * trace)), rel=1e-10)


def test_errors_of_the_multipliers_make_a_shared_error_cost_more() -> None:
    errors = {"inner_rounding": 0.3, "quadratic_rounding": 0.2}
    bound, lost = cost(2.6, inner=5.0, quadratic=2.0, **errors)
    assert bound == pytest.approx(5.0 - 2.0 - 0.3 - 0.2, rel=1e-13)
    gap = 2.6 - bound + 0.01 * 11.0
    rest = max(2.0 * np.sqrt(gap * (2.0 + 0.2)), 2.0 * gap)
    trace = (5.0 + 0.3 - 2.0 * (2.0 - 0.2) + rest) / 2.0
    assert lost == pytest.approx(0.01 * (1.0 + np.sqrt(2.0 * trace)), rel=1e-10)


def test_scaled_multipliers_count_by_their_scale() -> None:
    errors = {"inner_rounding": 0.3, "quadratic_rounding": 0.2}
    # The best scale is one half, where the slope vanishes but for the errors.
    bound, lost = cost(1.0, inner=4.0, quadratic=4.0, **errors)
    assert bound == pytest.approx(1.0 - 0.15 - 0.05, rel=1e-13)
    gap = 1.0 - bound + 0.01 * 11.0
    slope = 0.5 * (4.0 + 0.3) - 2.0 * 0.25 * (4.0 - 0.2)
    rest = max(2.0 * np.sqrt(gap * 0.25 * (4.0 + 0.2)), 2.0 * gap)
    assert lost == pytest.approx(0.01 * (1.0 + np.sqrt(slope + rest)), rel=1e-10)


def test_no_more_is_lost_than_for_any_optimum() -> None:
    # The trace of S is 100: at most 2 * 100 / 40 for any optimum, and 100 without a trace term.
    assert cost(1e9, eta=40.0, inner=5.0, quadratic=2.0)[1] == pytest.approx(
        0.01 * (1.0 + np.sqrt(5.0)), rel=1e-10
    )
    for value, eta in ((1e9, 0.5), (np.inf, 0.5), (3.0, 0.0)):
        lost = cost(value, eta=eta, inner=5.0, quadratic=2.0)[1]
        assert lost == pytest.approx(0.01 * 11.0, rel=1e-10)


def test_small_weights_of_the_trace_count() -> None:
    lost = cost(3.0, eta=0.5, inner=5.0, quadratic=2.0)[1]
    rest = 2.0 * np.sqrt(0.11 * 2.0)
    assert lost == pytest.approx(0.01 * (1.0 + np.sqrt(2.0 * (1.0 + rest) / 0.5)), rel=1e-10)
