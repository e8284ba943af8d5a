"""How a bound comes about: which multipliers, which repairs, and when no more is tried."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from sparsecone.certificate import Bound, Excess, certify
from sparsecone.certificate.certify import Certificate, Repair
from sparsecone.data.centring import as_rows
from sparsecone.linalg.types import Array
from sparsecone.model.losses import Loss, Squared
from sparsecone.model.problem import Point, Problem

# The name of the package is that of the function.
module = importlib.import_module("sparsecone.certificate.certify")

RNG = np.random.default_rng(0)
ROWS = as_rows(RNG.normal(size=(12, 5)))
L = 0.4 * RNG.normal(size=(5, 2))
L[4] = 0.0
NOTHING = Excess(np.zeros(0), np.zeros((5, 0)), 0.25)
ROUGH = replace(NOTHING, is_rough=True)


def point_of(loss: Loss, *, lam: float = 0.7, eta: float = 0.5, v: Array | None = None) -> Point:
    return Problem(ROWS, loss, lam, eta).evaluate(L, v, eps=1e-3)


@dataclass
class Scripted:
    """A strategy that answers as it is told, and remembers what it was asked."""

    answers: list[Excess]
    is_cheap: bool = False
    asked: list[list[float]] = field(default_factory=list)

    def excess(self, point: Point, margins: Sequence[float] = ()) -> Excess:
        """Return the next answer."""
        del point
        self.asked.append(list(margins))
        return self.answers[len(self.asked) - 1]


class Parts:
    """What certify puts together, replaced by numbers, and the calls of it."""

    def __init__(self, patch: pytest.MonkeyPatch, bounds: list[float]) -> None:
        self.bounds, self.damped, self.freed = list(bounds), [], []  # type: ignore[var-annotated]
        patch.setattr(module, "bound_with", lambda *_: Bound(self.bounds.pop(0), 0.5))
        patch.setattr(module, "damped", self._damped)
        patch.setattr(module, "_with_free_columns", self._freed)
        self.more = 0.0

    def _damped(self, point: Point, repair: Repair, least: float) -> Repair:
        del point
        self.damped.append(least)
        return repair._replace(bound=Bound(repair.bound.value + self.more, 0.5))

    def _freed(self, point: Point, repair: Repair, value: float, tol: float) -> Repair:
        del point
        self.freed.append((value, tol))
        return repair


def test_a_certificate_is_as_proven_as_its_excess() -> None:
    assert Certificate(1.0, 1.0, NOTHING).proven
    assert not Certificate(1.0, 1.0, replace(NOTHING, proven=False)).proven


@pytest.mark.parametrize(("lam", "eta"), [(0.7, 0.5), (0.2, 0.5), (1e-9, 1e-9)])
def test_margins_are_what_eigenvalues_may_exceed_eta_by_for_a_relative_gap(
    lam: float, eta: float
) -> None:
    point = point_of(Squared(), lam=lam, eta=eta)
    strategy = Scripted([NOTHING])
    certify(point, strategy, slacks=(0.01, 0.1))
    W = L @ L.T
    penalty = lam * np.linalg.norm(W, axis=0).sum() + eta * np.trace(W)
    unit = max(lam, eta) / max(penalty / point.value, 1e-3)
    np.testing.assert_allclose(strategy.asked, [[0.01 * unit, 0.1 * unit]], rtol=1e-9)


def test_margins_of_a_small_objective() -> None:
    point = Problem(as_rows(np.diag([0.1, 0.0, 0.0, 0.0, 0.0])), Squared(), 0.2, 0.5).zero
    assert 0.0 < point.value < 1.0
    strategy = Scripted([NOTHING])
    certify(point, strategy, slacks=(0.01,))
    # Nothing is penalised at W = 0: the least share is taken.
    np.testing.assert_allclose(strategy.asked, [[0.01 * 0.5 / 1e-3]])


def test_margins_where_nothing_is_left_of_the_objective() -> None:
    problem = Problem(as_rows(np.zeros((3, 5))), Squared(), 0.2, 0.5)
    strategy = Scripted([NOTHING])
    certify(problem.zero, strategy, slacks=(0.01,))
    assert strategy.asked == [[0.005]]


def test_a_rough_excess_is_made_exact_where_the_bound_is_not_enough(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    point = point_of(Squared())
    value = min(point.value, point.problem.zero.value)
    for first, second, tol, asked in (
        (0.5, 0.7, 0.0, 2),
        (0.5, 0.3, 0.0, 2),
        (0.95, 0.7, 0.1, 1),
        (1.0 - 0.1, 0.7, 0.1, 1),
    ):
        Parts(monkeypatch, [first * value, second * value])
        strategy = Scripted([ROUGH, NOTHING])
        found = certify(point, strategy, slacks=(1.0,), tol=tol)
        assert len(strategy.asked) == asked
        assert strategy.asked[1:] == [[]] * (asked - 1)
        assert found.bound == pytest.approx((first if asked == 1 else max(first, second)) * value)
        assert found.excess is (ROUGH if asked == 1 else NOTHING)
    Parts(monkeypatch, [0.5 * value])
    strategy = Scripted([NOTHING])
    assert certify(point, strategy).scale == 0.5
    assert len(strategy.asked) == 1


def test_repairs_are_tried_where_a_tolerance_is_not_met(monkeypatch: pytest.MonkeyPatch) -> None:
    point = point_of(Squared())
    value = min(point.value, point.problem.zero.value)
    for part, more, tol, cheap, damped, freed in (
        (0.5, 0.0, 0.1, True, True, True),
        (0.5, 0.0, 0.1, False, True, False),
        (0.5, 0.45, 0.1, True, True, False),
        (0.95, 0.0, 0.1, True, False, False),
        (0.9, 0.0, 0.1, True, False, False),
        (0.5, 0.0, 0.0, True, False, False),
    ):
        parts = Parts(monkeypatch, [part * value if part != 0.9 else value * (1.0 - tol)])
        parts.more = more * value
        certify(point, Scripted([NOTHING], is_cheap=cheap), tol=tol)
        assert parts.damped == ([value * (1.0 - tol)] if damped else [])
        assert parts.freed == ([(value, tol)] if freed else [])


def test_the_better_of_a_point_and_zero_is_what_a_bound_is_compared_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem = Problem(ROWS, Squared(), 500.0, 500.0)
    point = problem.evaluate(L)
    assert problem.zero.value < 0.5 * point.value
    parts = Parts(monkeypatch, [0.95 * problem.zero.value])
    certify(point, Scripted([NOTHING]), tol=0.1)
    assert parts.damped == []


def test_a_factor_grows_by_what_shorter_multipliers_took_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    point = point_of(Squared())
    parts = Parts(monkeypatch, [0.0, 0.0])
    other = replace(NOTHING, rest=0.125)
    for damping, excess in ((None, other), (object(), NOTHING)):
        changed = Repair(other, Bound(1.0, 0.75), damping)  # type: ignore[arg-type]
        monkeypatch.setattr(module, "damped", lambda *_, changed=changed: changed)
        found = certify(point, Scripted([NOTHING]), tol=0.1)
        assert found.excess is excess
        assert (found.bound, found.scale) == (1.0, 0.75)
    assert parts.bounds == []
