"""Every term of a bound without a trace term: lengths, columns, errors, and what features keep."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from sparsecone.certificate import skew
from sparsecone.certificate.dual_point import Bound, Excess, Multipliers
from sparsecone.certificate.skew import shares_for, skew_bound
from sparsecone.data import Rows
from sparsecone.data.centring import as_rows
from sparsecone.linalg.lyapunov import Symmetric
from sparsecone.linalg.rounding import sum_error
from sparsecone.linalg.types import Array
from sparsecone.model.losses import Robust
from sparsecone.model.problem import Problem
from sparsecone.model.reconstruction import Reconstruction

RNG = np.random.default_rng(0)
X = RNG.normal(size=(7, 4))
D = np.array([0.5, 1.0, 2.0, 4.0])
LAM = 3.0
N, F = X.shape


def reconstruction(*, low_rank: bool = False) -> Reconstruction:
    """Return a W that is no solution of anything, about some mean."""
    basis = np.linalg.qr(RNG.normal(size=(4, 4)))[0]
    core = np.diag([0.9, 0.5, 0.25, 0.125])
    if low_rank:
        W = Symmetric(core, np.eye(4) - core, basis)
    else:
        W = Symmetric(basis @ core @ basis.T, np.eye(4) - basis @ core @ basis.T)
    return Reconstruction(W, np.array([0.1, -0.2, 0.3, 0.0]))


class Taken(NamedTuple):
    """A dual point that a bound was taken of, and what sym(A X + B) is off by."""

    point: Multipliers
    excess: Excess


class Trial:
    """All dual points that a bound is taken of; the bounds are given."""

    def __init__(
        self, patch: pytest.MonkeyPatch, bounds: tuple[float, ...] = (1.0, 2.0, 3.0)
    ) -> None:
        self.taken: list[Taken] = []

        def bound(point: Multipliers, problem: Problem, excess: Excess) -> Bound:
            assert problem.lam == LAM
            self.taken.append(Taken(point, excess))
            return Bound(bounds[len(self.taken) - 1], 0.5)

        patch.setattr(Multipliers, "bound", bound)


def full(W: Symmetric) -> Array:
    return W.core if W.basis is None else W.basis @ W.core @ W.basis.T


def multipliers_of(rows: Rows, weights: Array, found: Reconstruction) -> Array:
    """Return the multipliers by their definition: residuals times weights, none longer than one."""
    R = (rows.centred_rows() - found.mean) @ (np.eye(F) - full(found.W))
    lengths = np.linalg.norm(R, axis=1)
    return np.asarray(R * np.minimum(weights, 1.0 / lengths)[:, None])


@pytest.mark.parametrize("recenter", [False, True])
@pytest.mark.parametrize("low_rank", [False, True])
def test_the_dual_point_is_that_of_dense_matrices(
    low_rank: bool, recenter: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = as_rows(X)
    problem = Problem(rows, Robust(recenter=recenter), LAM, 0.0)
    found, weights = reconstruction(low_rank=low_rank), np.linspace(0.1, 3.0, N)
    trial = Trial(monkeypatch)
    best = skew_bound(problem, found, weights, D, low_rank=low_rank)
    A, centred, W = multipliers_of(rows, weights, found), rows.centred_rows(), full(found.W)
    rounds = 2 if low_rank else 3
    assert best == (float(rounds), 0.5)
    assert len(trial.taken) == rounds
    # What sums of products and what is left of the mean may have moved A X by.
    size = np.linalg.norm(A)
    off = size * sum_error(N + F) * np.sqrt(rows.sizes.sum())
    off += size * 2.0 * np.sqrt(N) * rows.centre_error
    shares = np.ones(F)
    for point, excess in trial.taken:
        product = shares[:, None] * (A.T @ centred)
        B = 0.5 * (D[:, None] * W - W * D) - 0.5 * (product + product.T)
        squares = (B**2).sum(axis=0)
        np.testing.assert_allclose(point.squared_columns, squares, rtol=1e-12)
        np.testing.assert_allclose(point.diagonal, np.diag(B), atol=1e-14)
        assert point.inner == pytest.approx(float(np.trace(product)), rel=1e-13)
        assert point.projections.shape == (F, 0)
        assert (point.quadratic, point.quadratic_rounding) == (0.0, 0.0)
        taken, diagonal = 1.0 - shares, np.diag(A.T @ centred)
        rounding = off * (1.0 + np.linalg.norm(taken)) + sum_error(F) * taken @ np.abs(diagonal)
        assert point.inner_rounding == pytest.approx(rounding, rel=1e-10, abs=0.0)
        error = 0.0 if low_rank else sum_error(2) * np.linalg.norm(B)
        assert excess.rest == pytest.approx(off + error, rel=1e-10, abs=0.0)
        assert (excess.values.shape, excess.vectors.shape) == ((0,), (F, 0))
        lengths = np.sqrt(squares) / LAM
        shares = shares * shares_for(lengths, shares * diagonal, float(np.trace(A.T @ centred)))
    centre = A.mean(axis=0) if recenter else 0.0
    slack = sum_error(N) * size / np.sqrt(N)
    known = trial.taken[0].point.lengths
    assert known is not None
    exact = (np.linalg.norm(A - centre, axis=1) * (1.0 + sum_error(F)) + slack) ** 2
    np.testing.assert_allclose(known.values, exact, rtol=2e-15)
    assert known.longest == known.values.max()


def test_no_more_bounds_are_taken_once_one_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Problem(as_rows(X), Robust(), LAM, 0.0)
    given = reconstruction(), np.ones(N), D
    for enough, rounds in ((0.5, 1), (1.0, 1), (1.5, 2), (9.0, 3)):
        trial = Trial(monkeypatch)
        best = skew_bound(problem, *given, low_rank=False, enough=enough)
        assert len(trial.taken) == rounds
        assert best.value == float(rounds)
    Trial(monkeypatch, (3.0, 1.0, 2.0))
    assert skew_bound(problem, *given, low_rank=False).value == 3.0


def test_the_slack_of_the_mean_is_that_of_a_sum() -> None:
    rows, found = as_rows(X), reconstruction()
    weights, mean = np.full(N, 0.1), np.zeros(F)
    terms = [
        skew.length_terms(rows, weights, reconstruction=found, mean=mean, slack=slack)
        for slack in (0.0, 0.25)
    ]
    first, last = (np.sqrt(found.rowwise[0]) for found in terms)
    assert terms[0].largest == terms[0].rowwise[0].max() < 1.0
    np.testing.assert_allclose(last - first, 0.25, rtol=1e-13)
    exact = np.linalg.norm(multipliers_of(rows, weights, found), axis=1)
    np.testing.assert_allclose(first / exact - 1.0, sum_error(F), rtol=0.2)


def test_a_residual_of_zero_has_no_multiplier() -> None:
    rows = as_rows(np.array([[1.0, 0.0], [-1.0, 0.0]]))
    W = Symmetric(np.diag([1.0, 0.0]), np.diag([0.0, 1.0]))
    terms = skew.product_terms(
        rows, np.ones(2), reconstruction=Reconstruction(W, np.zeros(2)), with_product=True
    )
    product, diagonal, total, inner, square, sizes = terms.sums
    assert not product.any()
    assert not diagonal.any()
    assert not total.any()
    assert (inner, square, sizes) == (0.0, 0.0, 2.0)


@pytest.mark.parametrize("with_product", [False, True])
def test_sums_over_the_samples(with_product: bool) -> None:
    rows, found, weights = as_rows(X), reconstruction(), np.linspace(0.1, 3.0, N)
    terms = skew.product_terms(rows, weights, reconstruction=found, with_product=with_product)
    product, diagonal, total, inner, square, sizes = terms.sums
    A, centred = multipliers_of(rows, weights, found), rows.centred_rows()
    assert product.shape == ((F, F) if with_product else (0, 0))
    if with_product:
        np.testing.assert_allclose(product, A.T @ centred, atol=1e-14)
    np.testing.assert_allclose(diagonal, np.diag(A.T @ centred), atol=1e-14)
    np.testing.assert_allclose(total, A.sum(axis=0), atol=1e-14)
    assert inner == pytest.approx(float(np.vdot(A, centred)), rel=1e-13)
    assert square == pytest.approx(float(np.vdot(A, A)), rel=1e-13)
    assert sizes == pytest.approx(float((centred**2).sum()), rel=1e-13)
    assert terms.largest == rows.centre_error


def test_columns_of_a_product_are_longer_by_their_rounding() -> None:
    rows, found = as_rows(X), reconstruction(low_rank=True)
    A = multipliers_of(rows, np.ones(N), found)
    # Nothing is left of B where both parts vanish, but for what was summed.
    same = skew._low_rank_columns(0.0 * X, A, np.ones(F), found, np.ones(F))
    R, _ = found.W.signed_root
    left = np.column_stack([A.T, 0.0 * X.T, R, R])
    right = np.abs(0.5 * np.column_stack([0.0 * X.T, A.T, R, R]))
    sizes = right @ np.linalg.norm(left, axis=0)
    k = 2 * N + 2 * R.shape[1]
    np.testing.assert_allclose(same.squares, sum_error(F + k) * sizes**2, rtol=0.1)
    assert same.error == 0.0


def test_what_features_keep_is_where_both_costs_together_are_least() -> None:
    lengths, diagonal = np.array([1.3, 1.25, 1.125, 0.5]), np.array([1.0, 2.0, 4.0, 8.0])
    # Twice the sums of the diagonal are 2, 6, 14 and 30.
    for inner, common in (
        (1.9, 0.3),
        (2.0, 0.3),
        (2.1, 0.25),
        (6.1, 0.125),
        (14.1, 0.0),
        (99.0, 0.0),
    ):
        longer = np.maximum(lengths - 1.0, 0.0)
        taken = 2.0 * np.maximum(longer - common, 0.0) / (1.0 + longer)
        found = shares_for(lengths, diagonal, inner)
        np.testing.assert_allclose(found, 1.0 - taken, rtol=1e-15)


def test_features_keep_at_least_a_half_and_negative_ones_cost_nothing() -> None:
    found = shares_for(np.array([9.0, 1.1]), np.array([1.0, 1.0]), 100.0)
    np.testing.assert_allclose(found, [0.5, 1.0 - 0.2 / 1.1], rtol=1e-14)
    # A negative diagonal does not make room for others.
    found = shares_for(np.array([1.4, 1.2]), np.array([-5.0, 1.0]), 1.0)
    np.testing.assert_allclose(found, [1.0 - 2.0 * 0.2 / 1.4, 1.0], rtol=1e-14)
