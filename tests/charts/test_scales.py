"""Axes: round ticks, and every value between the ends."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sparsecone.charts.scales import linear_axis, log_axis


@given(
    low=st.floats(-1e12, 1e12),
    width=st.floats(1e-6, 1e12),
    n_ticks=st.integers(2, 9),
)
def test_linear_axes_have_round_ticks_inside(low: float, width: float, n_ticks: int) -> None:
    axis = linear_axis(low, low + width, n_ticks=n_ticks)
    assert axis.low < axis.high
    assert 1 <= len(axis.ticks) <= n_ticks + 1
    fractions = axis.fraction(axis.ticks)
    assert np.all((fractions >= -1e-6) & (fractions <= 1 + 1e-6))
    assert axis.fraction(axis.low) == 0.0
    assert axis.fraction(axis.high) == 1.0


def test_linear_axis_of_one_value_has_a_width() -> None:
    for value in (0.0, 7.0, -2e9):
        axis = linear_axis(value, value)
        assert axis.low < value < axis.high


@given(low=st.floats(1e-18, 1e6), ratio=st.floats(1.0, 1e20))
def test_log_axes_hold_their_values(low: float, ratio: float) -> None:
    axis = log_axis(low, low * ratio)
    assert axis.low <= low * (1 + 1e-9)
    assert axis.high >= low * ratio * (1 - 1e-9)
    assert 2 <= len(axis.ticks) <= 8


def test_log_axis_puts_zero_at_its_low_end() -> None:
    axis = log_axis(1e-3, 1.0)
    np.testing.assert_allclose(axis.fraction([0.0, 1e-3, 1.0]), [0.0, 0.0, 1.0])
