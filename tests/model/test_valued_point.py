"""A value from the residuals of W is that of its factor, within the error that is stated."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sparsecone.data import Rows, Terms
from sparsecone.data.centring import as_rows
from sparsecone.linalg.lyapunov import Symmetric, solved
from sparsecone.linalg.rounding import sum_error
from sparsecone.linalg.types import Array
from sparsecone.model import valued_point as module
from sparsecone.model.losses import Robust
from sparsecone.model.problem import Problem
from sparsecone.model.reconstruction import Reconstruction
from sparsecone.model.valued_point import value_terms, valued_point

RNG = np.random.default_rng(0)
ROWS = as_rows(RNG.normal(size=(30, 6)) * np.linspace(4.0, 0.5, 6))


@pytest.mark.parametrize("recenter", [False, True])
@pytest.mark.parametrize("moved", [0.0, 1e-3])
def test_the_value_is_that_of_the_factor(recenter: bool, moved: float) -> None:
    X = ROWS.centred_rows()
    mean = np.full(6, 0.2 * recenter)
    W = solved(X.T @ X, np.linspace(1.0, 5.0, 6))
    reconstruction = Reconstruction(W, mean)
    problem = Problem(ROWS, Robust(recenter=recenter), 0.5, 0.0)
    # A factor of another matrix: the difference is in the error.
    L = W.root() * (1.0 + moved)
    point = valued_point(problem, reconstruction, L, reconstruction.squared_residuals(ROWS)[0])
    exact = problem.evaluate(L, point.v)
    off = point.rounding + exact.rounding
    assert abs(point.value - exact.value) <= off
    assert off < (1e-9 if moved == 0.0 else 1.0) * exact.value
    if moved:
        assert abs(point.value - exact.value) > 1e-6
    np.testing.assert_allclose(point.gradient, exact.gradient, rtol=1e-12)
    assert point.under(problem).value == pytest.approx(exact.value, rel=1e-12)
    assert point.with_gram().value == pytest.approx(exact.value, rel=1e-12)


def test_a_residual_is_off_by_all_of_its_errors() -> None:
    squares = np.full(30, 4.0)
    found = {
        name: value_terms(ROWS, squares, **{"relative": 0.0, "shift": 0.0, "spread": 0.0} | named)
        for name, named in {
            "none": {},
            "shift": {"shift": 0.5},
            "relative": {"relative": 0.1},
            "spread": {"spread": 1e12},
        }.items()
        for named in ({"loss": Robust(), **named},)
    }
    assert found["none"].sums[0] == 60.0
    assert found["none"].sums[1] < 1e-12
    assert found["shift"].sums[1] == pytest.approx(15.0)
    assert found["relative"].sums[1] == pytest.approx(0.1 * np.sqrt(ROWS.sizes).sum())
    assert found["spread"].sums[1] >= 30 * 1e12 * ROWS.centre_error


def test_every_error_of_a_factor_is_stated(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {}

    def record(rows: Rows, squares: Array, **named: Any) -> Terms:
        given.update(named)
        return value_terms(rows, squares, **named)

    monkeypatch.setattr(module, "value_terms", record)
    # L L' is W to the last digit: all that is left is rounding.
    L, mean = np.diag([0.5, 0.25, 0.5, 0.25, 0.5, 0.25])[:, :4], np.full(6, 3.0)
    W = Symmetric(L @ L.T, np.eye(6) - L @ L.T)
    problem = Problem(ROWS, Robust(recenter=True), 0.5, 0.0)
    point = valued_point(problem, Reconstruction(W, mean), L, np.full(30, 4.0))
    factor, size, length = 0.625, float(np.linalg.norm(W.complement)), float(np.sqrt(54.0))
    between = sum_error(6) * (factor + size + np.sqrt(6.0)) + sum_error(6) * size
    shift = sum_error(10) * (1.0 + factor) * length + length * between
    expected = {"relative": between, "shift": shift, "spread": 1.0 + factor}
    for name, value in expected.items():
        assert given[name] == pytest.approx(value, rel=1e-12, abs=0.0), name
    off = value_terms(ROWS, np.full(30, 4.0), loss=problem.loss, **expected).sums[1]
    stated = off + sum_error(30) * 60.0
    assert point.loss_rounding == pytest.approx(stated, rel=1e-12, abs=0.0)


def test_nothing_is_lost_where_the_residual_vanishes() -> None:
    W = Symmetric(np.eye(6), np.zeros((6, 6)))
    problem = Problem(ROWS, Robust(), 0.5, 0.0)
    point = valued_point(problem, Reconstruction(W, np.zeros(6)), np.eye(6), np.zeros(30))
    assert point.loss_value == 0.0
    assert point.value == pytest.approx(3.0)
    assert 0.0 < point.loss_rounding < 1e-10
