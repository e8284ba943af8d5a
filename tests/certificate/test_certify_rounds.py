"""How often multipliers are shortened and columns changed: as long as it helps, and is needed."""

from __future__ import annotations

import importlib
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sparsecone.certificate import Bound, Excess, SpanPart
from sparsecone.certificate.certify import Repair, damped
from sparsecone.data.centring import as_rows
from sparsecone.model.losses import Loss, Robust, Squared
from sparsecone.model.problem import Point, Problem

module = importlib.import_module("sparsecone.certificate.certify")

ROWS = as_rows(np.random.default_rng(0).normal(size=(12, 5)))
L = 0.4 * np.random.default_rng(1).normal(size=(5, 2))


def point_of(loss: Loss, eta: float = 0.5, *, offset: bool = False) -> Point:
    return Problem(ROWS, loss, 0.7, eta).evaluate(L, np.ones(5) if offset else None)


class Steps:
    """Takes the place of multipliers and of columns: every step has the next of some bounds."""

    def __init__(self, patch: pytest.MonkeyPatch, bounds: list[float], steps: int = 100) -> None:
        self.bounds, self.left, self.rooms, self.calls = list(bounds), steps, [], []  # type: ignore[var-annotated]
        self.part = self
        patch.setattr(module, "Damping", self)
        patch.setattr(module, "FreeColumns", self)
        patch.setattr(module, "bound_with", self._bound_with)

    def _bound_with(self, point: Point, excess: Excess, *given: Any, **named: Any) -> Bound:
        del point, given, named
        assert not excess.proven
        return Bound(self.bounds.pop(0), 0.5)

    def of(self, point: Point, part: SpanPart) -> Steps:
        del point, part
        return self

    def cancelled(self, excess: Excess | None = None) -> Steps | None:
        del excess
        self.left -= 1
        return self if self.left >= 0 else None

    def subtracted(self, excess: Excess, *, inside_first: bool) -> Steps:
        del excess
        self.calls.append(inside_first)
        return self

    def excess(self, room: float) -> Excess:
        self.rooms.append(room)
        return Excess(np.zeros(0), np.zeros((5, 0)), float(len(self.rooms)))


def repair_of(point: Point, bound: float) -> Repair:
    part = SpanPart.of(point)
    excess = Excess(np.ones(1), np.eye(5)[:, :1], 0.0, part=part, room=0.125, proven=False)
    return Repair(excess, Bound(bound, 0.5))


def test_multipliers_are_shortened_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    point = point_of(Robust())
    steps = Steps(monkeypatch, [2.0, 3.0, 4.0])
    found = damped(point, repair_of(point, 1.0))
    assert found.bound == (3.0, 0.5)
    assert found.damping is steps  # type: ignore[comparison-overlap]
    assert steps.rooms == [0.125, 0.125]
    assert found.excess.rest == 2.0
    assert not found.excess.proven


def test_multipliers_are_shortened_as_often_as_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    point = point_of(Robust())
    given = repair_of(point, 1.0)
    for rounds, bound in ((0, 1.0), (1, 2.0), (3, 4.0)):
        Steps(monkeypatch, [2.0, 3.0, 4.0])
        assert damped(point, given, rounds=rounds).bound.value == bound


def test_multipliers_are_shortened_no_more_where_that_is_of_no_use(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    point = point_of(Robust())
    given = repair_of(point, 1.0)
    Steps(monkeypatch, [2.0, 3.0])
    assert damped(point, given, 1.0) is given
    Steps(monkeypatch, [2.0, 3.0])
    assert damped(point, given, 2.0).bound.value == 2.0
    # A bound that is no better is none, nor are there others after it.
    steps = Steps(monkeypatch, [1.0, 3.0])
    assert damped(point, given) is given
    assert steps.bounds == [3.0]
    # Where p would exceed the identity nothing is taken away.
    Steps(monkeypatch, [2.0, 3.0], steps=1)
    assert damped(point, given).bound.value == 2.0
    Steps(monkeypatch, [2.0, 3.0], steps=0)
    assert damped(point, given) is given


@pytest.mark.parametrize("eta", [0.5, 0.0])
@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("loss", [Squared(), Robust(), Robust(recenter=True)], ids=str)
def test_multipliers_are_shortened_where_all_that_is_needed_is_known(
    loss: Loss, known: bool, eta: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    point = point_of(loss, eta, offset=loss.recenter)
    given = repair_of(point, 1.0)
    if not known:
        given = given._replace(excess=replace(given.excess, part=None))
    Steps(monkeypatch, [2.0, 3.0])
    possible = loss == Robust() and known and eta > 0.0
    assert (damped(point, given) is not given) == possible


def freed(steps: Steps, bound: float, tol: float = 0.01) -> Repair:
    """Return what steps of free columns leave, for a value of 100."""
    del steps
    point = point_of(Squared())
    found: Repair = module._with_free_columns(point, repair_of(point, bound), 100.0, tol)
    return found


def test_columns_change_as_long_as_the_gap_shrinks(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = Steps(monkeypatch, [60.0, 80.0, 90.0, 90.4, 99.0])
    found = freed(steps, 50.0)
    # After ten, 9.6 is too slow: the last bound that was computed is kept, and no more follow.
    assert found.bound.value == 90.4
    assert steps.bounds == [99.0]
    # Columns keep what they have in the range of W in the very first one only.
    assert steps.calls == [True] + [False] * 5
    # After the first, every step takes two excesses.
    assert steps.rooms == [0.125] * 7
    assert found.excess.rest == 7.0
    assert not found.excess.proven
    assert found.damping is None


@pytest.mark.parametrize("factor", [0.999, 1.001])
def test_columns_are_followed_by_others_that_would_be_enough_at_their_pace(
    factor: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A gap of 50 is one after seven more steps at this pace.
    pace = factor * 50.0 ** (-1.0 / 7.0)
    steps = Steps(monkeypatch, [50.0, 100.0 - 50.0 * pace, 99.5])
    freed(steps, 50.0)
    assert steps.bounds == ([] if factor < 1.0 else [99.5])


def test_the_first_step_is_followed_by_another_whatever_it_finds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    steps = Steps(monkeypatch, [40.0, 90.0, 80.0, 99.5])
    # What follows is held against the step before, and the best bound of all is kept.
    assert freed(steps, 50.0).bound.value == 90.0
    assert steps.bounds == [99.5]


def test_columns_change_no_more_once_the_gap_is_small_enough_or_hopeless(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    steps = Steps(monkeypatch, [99.0, 99.9])
    assert freed(steps, 50.0).bound.value == 99.0
    # A gap of a hundred tolerances is not hopeless, a larger one is.
    steps = Steps(monkeypatch, [50.0, 99.9])
    assert freed(steps, 0.0, tol=0.005).bound.value == 99.9
    steps = Steps(monkeypatch, [49.9, 99.9])
    assert freed(steps, 0.0, tol=0.005).bound.value == 49.9


def test_a_worse_bound_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    point = point_of(Squared())
    for bound in (40.0, 50.0):
        Steps(monkeypatch, [bound, bound])
        given = repair_of(point, 50.0)
        found = module._with_free_columns(point, given, 100.0, 0.01)
        assert found.bound.value == 50.0
        assert found.excess is given.excess


def test_columns_change_eight_times_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    gaps = [50.0 * 0.999 * 50.0 ** (-k / 7.0) for k in range(7)]
    steps = Steps(monkeypatch, [100.0 - gap for gap in (*gaps, 1.5, 1.2)])
    assert freed(steps, 50.0).bound.value == 98.5
    assert steps.bounds == [98.8]


def test_columns_stay_where_none_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    point = point_of(Squared())
    given = repair_of(point, 50.0)
    steps = Steps(monkeypatch, [])
    monkeypatch.setattr(steps, "of", lambda *_: None)
    assert module._with_free_columns(point, given, 100.0, 0.01) is given
    unknown = given._replace(excess=replace(given.excess, part=None))
    assert module._with_free_columns(point, unknown, 100.0, 0.01) is unknown
