"""What rounds have brought: which changes count as progress."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone.solvers import pace
from sparsecone.solvers.pace import Pace

TOL = 1e-2


def test_the_objective_falls_as_long_as_it_does_so_by_a_share_of_the_tolerance() -> None:
    found = Pace(TOL)
    for value, falls in ((100.0, True), (99.0, True), (98.95, False), (98.95, False), (98.0, True)):
        found.compare(value)
        assert found.falls == falls
    assert found.is_fall(100.2, 100.0)
    assert not found.is_fall(100.05, 100.0)


@pytest.mark.parametrize(
    ("before", "gap", "stalled"),
    [
        (8e-3, 7.9e-3, True),
        (8e-3, 7.1e-3, False),
        (8e-3, 8.1e-3, False),
        (2e-2, 1.9e-2, False),
        (np.inf, 5e-3, False),
    ],
)
def test_a_gap_within_the_tolerance_that_no_longer_falls_is_stalled(
    before: float, gap: float, stalled: bool
) -> None:
    found = Pace(TOL)
    found.is_idle(before)
    assert found.is_stalled(gap) == stalled
    found.waits = False
    assert not found.is_stalled(gap)


def test_steps_are_idle_after_two_that_do_not_halve_the_gap() -> None:
    found = Pace(TOL)
    found.falls = False
    assert [found.is_idle(gap) for gap in (1.0, 0.4, 0.3, 0.25, 0.1)] == [False] * 3 + [True, False]
    found.falls = True
    assert not found.is_idle(0.1)
    found.falls = False
    found.is_idle(0.1)
    found.restart()
    # What came before is forgotten.
    assert not found.is_idle(5.0)


def test_weights_are_stale_where_they_keep_the_gap_from_closing() -> None:
    found = Pace(TOL)
    found.settle(1.0)
    assert not found.is_stale(0.5)
    assert found.is_stale(0.2)
    found.is_idle(0.5)
    found.held = 2
    assert found.is_stale(0.4)
    assert not found.is_stale(0.34)
    found.held = pace.LONGEST_HELD
    assert found.is_stale(0.34)
    first = Pace(TOL)
    first.held = 1
    # The first gap is what later ones are held against.
    assert not first.is_stale(1.0)
    assert first.is_stale(0.2)


def test_bounds_are_stuck_after_so_many_without_progress() -> None:
    found = Pace(TOL)
    assert not found.is_stuck(10.0, 1.0, 2)
    assert not found.is_stuck(9.9, 1.0, 2)
    # Five per cent less than nine is progress.
    assert not found.is_stuck(9.4, 1.0, 2)
    assert not found.is_stuck(9.5, 0.9, 2)
    assert found.is_stuck(9.4, 1.0, 2)
