"""The multipliers at a point that a bound is taken of, against dense matrices."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sparsecone.certificate import Bound, Excess, Multipliers, SpanPart, bound_with
from sparsecone.certificate.certify import multiplier_lengths
from sparsecone.certificate.damping import Damping
from sparsecone.certificate.free_columns import FreeColumns
from sparsecone.data.centring import as_rows
from sparsecone.linalg.types import Array
from sparsecone.model.losses import Loss, Robust, Squared
from sparsecone.model.problem import Point, Problem

RNG = np.random.default_rng(0)
ROWS = as_rows(RNG.normal(size=(12, 5)))
L = 0.4 * RNG.normal(size=(5, 2))
L[4] = 0.0
V = np.array([0.3, -0.2, 0.1, 0.0, 0.4])


def point_of(loss: Loss, *, lam: float = 0.7, eta: float = 0.5, v: Array | None = None) -> Point:
    return Problem(ROWS, loss, lam, eta).evaluate(L, v, eps=1e-3)


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
    B = -0.7 * (L @ L.T) / point.smooth_scores - part.basis @ columns.turn @ columns.rows.T
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
