"""Which strategy a problem gets, and what a matrix has above eta, with every error, by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from sparsecone.certificate import inequality
from sparsecone.certificate.inequality import Dense, Reduced, exact_strategy, strategy_for
from sparsecone.certificate.matrix import low_rank_part, matrix_rounding, matrix_size
from sparsecone.certificate.outer import Outer
from sparsecone.certificate.spectral import Spectral, Tracked
from sparsecone.data import Data, Rows, from_gram
from sparsecone.data.centring import as_rows
from sparsecone.linalg.rounding import cholesky_error, eigen_error, sum_error
from sparsecone.model.losses import Loss, Robust, Squared
from sparsecone.model.problem import Point, Problem

S = np.diag([3.0, 2.0, 1.0, 0.5])
LAM, ETA = 0.25, 1.0


def rows_of(n: int, d: int, kind: Any = np.float64, *, sparse: bool = False) -> Rows:
    """Return samples of zeros that take no memory."""
    matrix = sp.csr_matrix((n, d), dtype=kind) if sparse else np.zeros((n, d), dtype=kind)
    return Rows(matrix, np.zeros(d), None)


@pytest.mark.parametrize(
    ("samples", "kind"),
    [
        (rows_of(5, 1100), Dense),
        (rows_of(5, 1101), Reduced),
        (rows_of(599, 1101), Reduced),
        (rows_of(600, 1101), Outer),
        (rows_of(500, 40_000), Reduced),
        (rows_of(500, 40_001), Outer),
        (rows_of(5, 1101, sparse=True), Outer),
        (rows_of(5, 1101, np.float32), Outer),
    ],
)
def test_the_exact_way_follows_from_the_shape(samples: Rows, kind: type) -> None:
    found = exact_strategy(Problem(samples, Squared(), 1.0, 1.0))
    assert isinstance(found, kind)
    assert not found.is_cheap


def test_samples_that_are_no_rows_have_no_basis_of_them() -> None:
    moments = from_gram(np.eye(4), n_samples=9)
    moments.n_features = 1101
    assert isinstance(exact_strategy(Problem(moments, Squared(), 1.0, 1.0)), Outer)


@pytest.mark.parametrize(
    ("loss", "eta", "tol", "kind"),
    [
        (Squared(), 1.0, 1e-3, Spectral),
        (Squared(), 1.0, 0.0, Dense),
        (Squared(), 0.0, 1e-3, Dense),
        (Robust(), 1.0, 1e-3, Tracked),
        (Robust(), 1.0, 1.0, Tracked),
        (Robust(), 1.0, 0.0, Dense),
        (Robust(), 0.0, 1e-3, Dense),
        (Robust(recenter=True), 1.0, 1e-3, Dense),
    ],
)
def test_eigenvectors_are_of_use_where_there_is_a_trace_term(
    loss: Loss, eta: float, tol: float, kind: type
) -> None:
    samples = as_rows(np.random.default_rng(0).normal(size=(20, 4)))
    assert isinstance(strategy_for(Problem(samples, loss, LAM, eta), tol=tol), kind)


def test_eigenvectors_are_asked_for_only_where_all_are_within_reach(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    samples = as_rows(np.random.default_rng(0).normal(size=(20, 4)))
    monkeypatch.setattr(inequality, "is_decomposed", lambda _: False)
    assert isinstance(strategy_for(Problem(samples, Robust(), LAM, ETA), tol=1e-3), Dense)


@pytest.mark.parametrize("found", [None, "spectral"])
def test_what_is_not_of_use_is_let_go(found: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    samples = as_rows(np.random.default_rng(0).normal(size=(20, 4)))
    let_go: list[Data] = []
    monkeypatch.setattr(samples, "let_go", lambda: let_go.append(samples))
    monkeypatch.setattr(inequality, "spectral", lambda *_: found)
    strategy = strategy_for(Problem(samples, Squared(), LAM, ETA), tol=1e-3)
    assert isinstance(strategy, Dense) if found is None else strategy == found
    assert let_go == ([samples] if found is None else [])


def point_of() -> Point:
    """Return a point at which M is diag(4.25, 4, 2, 1)."""
    problem = Problem(from_gram(S, n_samples=9), Squared(), LAM, ETA)
    return problem.evaluate(np.array([[0.5], [0.0], [0.0], [0.0]]))


def test_the_eigenpairs_above_eta_are_those_of_the_matrix() -> None:
    point = point_of()
    found = Dense().excess(point)
    np.testing.assert_allclose(found.values, [3.25, 3.0, 1.0], rtol=1e-14)
    np.testing.assert_allclose(np.abs(found.vectors), np.eye(4)[:, :3], atol=1e-15)
    rounding = matrix_rounding(point, *low_rank_part(point))
    size = float(np.linalg.norm([4.25, 4.0, 2.0, 1.0]))
    assert found.rest == pytest.approx(rounding + eigen_error(4, size), rel=1e-13, abs=0.0)
    assert found.proven
    assert not found.is_rough


@pytest.mark.parametrize("strategy", [Dense(), Reduced()], ids=str)
def test_a_matrix_of_random_samples_is_formed(strategy: Dense | Reduced) -> None:
    rng = np.random.default_rng(0)
    rows = as_rows(rng.normal(size=(4, 12)))
    L, v = 0.3 * rng.normal(size=(12, 2)), rng.normal(size=12)
    point = Problem(rows, Robust(recenter=True), LAM, 0.1).evaluate(L, v)
    X, W = rows.centred_rows(), L @ L.T
    A = (point.data.weights[:, None] * (X - X @ W - v)).T
    M = A @ X - LAM * W / np.linalg.norm(W, axis=0)
    M = 0.5 * (M + M.T)
    values = np.linalg.eigvalsh(M)[::-1]
    found = strategy.excess(point)
    np.testing.assert_allclose(found.values, values[values > 0.1] - 0.1, rtol=1e-11)
    image = found.vectors * (found.values + 0.1)
    np.testing.assert_allclose(M @ found.vectors, image, atol=1e-12)


def test_margins_are_tried_from_the_least() -> None:
    point = point_of()
    rounding = matrix_rounding(point, *low_rank_part(point))
    for margins, enough in (((3.5, 3.3), 3.3), ((3.2, 9.0, 4.0), 4.0)):
        found = Dense().excess(point, margins)
        assert found.is_rough
        assert found.proven
        assert found.values.shape == (0,)
        assert found.vectors.shape == (4, 0)
        trace = 4.0 * (ETA + enough) + 4.25 + 4.0 + 2.0 + 1.0
        assert found.rest == enough + rounding + cholesky_error(4, trace)
        assert found.rest - enough == pytest.approx(rounding + cholesky_error(4, trace), rel=0.1)
    np.testing.assert_allclose(Dense().excess(point, (3.2, 1.0)).values, [3.25, 3.0, 1.0])


def test_the_rounding_of_a_margin_counts_beside_it() -> None:
    point = point_of()
    coarse = replace(point, data=replace(point.data, matrix_rounding=0.125))
    assert Dense().excess(coarse, (4.0,)).rest == pytest.approx(4.125, rel=1e-12)
    assert Dense().excess(coarse).rest == pytest.approx(0.125, rel=1e-12)
    # With a matrix of zeros and a margin of zero nothing else is left.
    problem = Problem(from_gram(np.zeros((4, 4)), n_samples=9), Squared(), LAM, ETA)
    found = Dense().excess(problem.zero, (0.0,))
    assert found.rest == pytest.approx(cholesky_error(4, 4.0), rel=1e-12, abs=0.0)


def test_a_measured_error_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    samples = as_rows(np.random.default_rng(0).normal(size=(9, 4)))
    monkeypatch.setattr(type(samples), "is_measured", True)
    point = Problem(samples, Squared(), LAM, ETA).evaluate(np.eye(4)[:, :1])
    for margins in ((), (1e3,)):
        assert not Dense().excess(point, margins).proven
        assert not Reduced().excess(point, margins).proven


@pytest.mark.parametrize("loss", [Squared(), Robust()], ids=str)
def test_a_basis_of_samples_and_factor_has_all_of_the_matrix(loss: Loss) -> None:
    rng = np.random.default_rng(0)
    samples = as_rows(rng.normal(size=(4, 9)))
    point = Problem(samples, loss, LAM, ETA).evaluate(0.3 * rng.normal(size=(9, 2)))
    left, right = low_rank_part(point)
    basis, small, skew = inequality._reduced(point, left, right)
    assert basis.shape[1] == 4 + 4
    np.testing.assert_allclose(basis.T @ basis, np.eye(8), atol=1e-14)
    M = point.curvature_matrix() - 0.5 * (left @ right.T + right @ left.T)
    np.testing.assert_allclose(basis @ small @ basis.T, M, atol=1e-13)
    gram = basis.T @ basis - np.eye(8)
    assert skew == pytest.approx(np.linalg.norm(gram) + 8.0 * sum_error(9), rel=1e-12, abs=0.0)
    found = Reduced().excess(point)
    rounding = matrix_rounding(point, left, right) + 4.0 * skew * matrix_size(point, left, right)
    expected = rounding + eigen_error(8, float(np.linalg.norm(small)))
    assert found.rest == pytest.approx(expected, rel=1e-13, abs=0.0)


def test_a_factor_in_the_span_of_the_samples_is_no_exception() -> None:
    rng = np.random.default_rng(0)
    samples = as_rows(rng.normal(size=(4, 9)))
    point = Problem(samples, Squared(), 0.0, ETA).evaluate(0.1 * samples.centred_rows()[:2].T)
    basis, _, skew = inequality._reduced(point, *low_rank_part(point))
    assert skew < 1e-12
    np.testing.assert_allclose(basis.T @ basis, np.eye(basis.shape[1]), atol=1e-12)
