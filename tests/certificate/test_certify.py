"""How a bound comes about: which multipliers, which repairs, and when no more is tried."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

from sparsecone.certificate import Bound, Excess, Multipliers, SpanPart, bound_with, certify
from sparsecone.certificate.certify import Certificate, Repair, multiplier_lengths
from sparsecone.certificate.damping import Damping
from sparsecone.certificate.free_columns import FreeColumns
from sparsecone.data.centring import as_rows
from sparsecone.linalg.types import Array
from sparsecone.model.losses import Loss, Robust, Squared
from sparsecone.model.problem import Point, Problem

# The name of the package is that of the function.
module = importlib.import_module("sparsecone.certificate.certify")

RNG = np.random.default_rng(0)
ROWS = as_rows(RNG.normal(size=(12, 5)))
L = 0.4 * RNG.normal(size=(5, 2))
L[4] = 0.0
V = np.array([0.3, -0.2, 0.1, 0.0, 0.4])
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


def captured(monkeypatch: pytest.MonkeyPatch, point: Point, *given: Any) -> Multipliers:
    """Return the dual point that a bound is taken of."""
    found: list[Multipliers] = []

    def bound(self: Multipliers, problem: Problem, excess: Excess, value: float) -> Bound:
        assert problem is point.problem
        assert excess is given[0]
        assert value == point.value + point.rounding
        found.append(self)
        return Bound(1.0, 1.0)

    monkeypatch.setattr(Multipliers, "bound", bound)
    assert bound_with(point, *given) == (1.0, 1.0)
    return found[0]


def excess_of(point: Point) -> Excess:
    excess = SpanPart.of(point).excess(0.5)
    assert excess.values.size
    return excess


@pytest.mark.parametrize("loss", [Squared(), Robust()], ids=str)
def test_the_multipliers_at_a_point_are_those_of_dense_matrices(
    loss: Loss, monkeypatch: pytest.MonkeyPatch
) -> None:
    point = point_of(loss)
    excess = excess_of(point)
    found = captured(monkeypatch, point, excess)
    W = L @ L.T
    B = -0.7 * W / np.sqrt(np.linalg.norm(W, axis=0) ** 2 + 1e-3)
    np.testing.assert_allclose(found.squared_columns, (B**2).sum(axis=0), rtol=1e-12)
    # Scores are off by their error, and columns that much longer.
    errors = point.squared_score_errors * (0.7 / point.smooth_scores) ** 2
    least = 0.7**2 * point.squared_scores / point.smooth_scores**2
    rounded = found.squared_columns - least
    np.testing.assert_allclose(rounded[:4], errors[:4], rtol=0.2)
    np.testing.assert_allclose(found.diagonal, np.diag(B), rtol=1e-13, atol=1e-300)
    np.testing.assert_allclose(found.projections, B.T @ excess.vectors, atol=1e-14)
    X = ROWS.centred_rows()
    omega = 2.0 * np.ones(12) if point.data.weights is None else point.data.weights
    A = (omega[:, None] * (X - X @ W)).T
    assert found.inner == pytest.approx(float(np.vdot(A, X.T)), rel=1e-12)
    assert found.inner_rounding == point.data.inner_rounding
    assert found.quadratic_rounding == point.data.rounding
    if isinstance(loss, Squared):
        assert found.quadratic == pytest.approx(0.25 * float((A**2).sum()), rel=1e-12)


def test_other_columns_and_shorter_multipliers_take_their_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    point = point_of(Robust())
    excess = excess_of(point)
    part = excess.part
    assert part is not None
    columns = FreeColumns.of(point, part)
    damping = Damping.of(point, part).cancelled(replace(excess, values=0.01 * excess.values))
    assert columns is not None
    assert damping is not None
    columns = columns.cancelled()
    assert np.linalg.norm(columns.rows) > 1e-3
    found = captured(monkeypatch, point, excess, columns, damping)
    B = -0.7 * (L @ L.T) / point.smooth_scores - part.basis @ columns.rows.T
    np.testing.assert_allclose(found.squared_columns, (B**2).sum(axis=0), rtol=1e-11)
    np.testing.assert_allclose(found.diagonal, np.diag(B), atol=1e-14)
    np.testing.assert_allclose(found.projections, B.T @ excess.vectors, atol=1e-14)
    assert damping.lost > 0.0
    assert found.inner == point.data.inner - damping.lost
    assert found.inner_rounding == point.data.inner_rounding + damping.lost_error


def test_lengths_are_known_of_the_loss_or_computed() -> None:
    assert multiplier_lengths(point_of(Squared())) is None
    plain = point_of(Robust(smoothing=0.1))
    found = multiplier_lengths(plain)
    assert found is not None
    assert found.values is None
    assert found.longest == plain.data.longest
    X, W = ROWS.centred_rows(), L @ L.T
    smoothed = point_of(Robust(delta=0.1))
    found = multiplier_lengths(smoothed)
    assert found is not None
    A = smoothed.data.weights[:, None] * (X - X @ W)
    np.testing.assert_allclose(found.values, (A**2).sum(axis=1), rtol=1e-11)
    assert found.longest == found.values.max()


@pytest.mark.parametrize("delta", [0.0, 0.1])
def test_lengths_are_about_the_mean_where_there_is_an_offset(delta: float) -> None:
    point = point_of(Robust(delta=delta, recenter=True), v=V)
    found = multiplier_lengths(point)
    assert found is not None
    X, W = ROWS.centred_rows(), L @ L.T
    A = point.data.weights[:, None] * (X - X @ W - V)
    A -= A.mean(axis=0)
    np.testing.assert_allclose(found.values, (A**2).sum(axis=1), rtol=1e-11)
