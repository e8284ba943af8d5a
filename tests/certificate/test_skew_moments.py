"""Multipliers by moments: the sums and lengths of dense matrices, and bounds of their errors."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone.certificate import skew, skew_moments
from sparsecone.certificate.skew import skew_bound
from sparsecone.certificate.skew_moments import Held, moment_products, moment_terms
from sparsecone.data import as_samples
from sparsecone.data.centring import as_rows
from sparsecone.linalg.lyapunov import solved
from sparsecone.linalg.rounding import sum_error
from sparsecone.linalg.types import Array
from sparsecone.model.losses import Robust
from sparsecone.model.problem import Problem
from sparsecone.model.reconstruction import Reconstruction
from sparsecone.solve import solve
from sparsecone.solvers import make_plan

RNG = np.random.default_rng(0)
N, F = 40, 6
ROWS = as_rows(RNG.normal(size=(N, F)) * [5.0, 4.0, 3.0, 1.0, 0.5, 0.1])
X = ROWS.centred_rows()
LAM = 2.0


def found(weights: Array, shift: float = 0.0) -> tuple[Reconstruction, Array]:
    """Return the solution for some weights, about another mean, and its squared residuals."""
    mean = weights @ X / weights.sum()
    Y = np.sqrt(weights)[:, None] * (X - mean)
    reconstruction = Reconstruction(solved(Y.T @ Y, np.linspace(1.0, 3.0, F)), mean + shift)
    return reconstruction, reconstruction.squared_residuals(ROWS)[0]


@pytest.mark.parametrize("recenter", [False, True])
@pytest.mark.parametrize("shift", [0.0, 0.5])
def test_sums_are_those_of_multipliers_that_are_cut(recenter: bool, shift: float) -> None:
    weights = 10.0 ** RNG.uniform(-1.0, 1.5, size=N)
    W, squares = found(weights, shift)
    problem = Problem(ROWS, Robust(recenter=recenter), LAM, 0.0)
    products = moment_products(problem, W, weights, squares)
    residuals = (X - W.mean) @ W.W.complement
    A = residuals * np.minimum(weights, 1.0 / np.sqrt(squares))[:, None]
    assert (weights * np.sqrt(squares) > 1.0).any()
    np.testing.assert_allclose(products.product, A.T @ X, atol=1e-11)
    np.testing.assert_allclose(products.diagonal, np.diag(A.T @ X), atol=1e-11)
    assert products.inner == pytest.approx(float(np.vdot(A, X)), rel=1e-12)
    assert np.linalg.norm(products.product - A.T @ X) <= products.off < 1e-9
    assert products.inner_off >= np.sqrt(F) * products.off
    # No multiplier is longer than is said, about the mean of all or not.
    mean = A.mean(axis=0) if recenter else np.zeros(F)
    lengths = np.sqrt(products.lengths.values)
    assert np.all(lengths >= np.linalg.norm(A - mean, axis=1))
    exact = np.linalg.norm(A, axis=1) + np.linalg.norm(mean)
    np.testing.assert_allclose(lengths, exact, atol=1e-11)
    assert products.lengths.longest == products.lengths.values.max()


def test_weights_are_cut_by_all_that_a_residual_may_be() -> None:
    squares, weights = np.linspace(0.5, 2.0, N), np.full(N, 1e3)
    size, length = 1e10, 3.0
    terms = moment_terms(ROWS, weights, squares, size=size, length=length)
    rounding, sizes = sum_error(F), np.sqrt(ROWS.sizes)
    longest = (1.0 + rounding) * np.sqrt(squares) + rounding * size * (sizes + length)
    gram, back, total, first, second, square = terms.sums
    omega = 1.0 / longest
    np.testing.assert_allclose(gram, (X * omega[:, None]).T @ X, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(back, omega @ X, atol=1e-12)
    assert total == pytest.approx(omega.sum())
    assert first == pytest.approx(float(omega @ sizes))
    assert second == pytest.approx(float(omega @ sizes**2))
    assert square == pytest.approx(N)
    assert np.all(terms.rowwise[0] >= 1.0 - 1e-15)
    assert terms.largest == ROWS.centre_error


def test_both_ways_prove_the_same() -> None:
    weights = 10.0 ** RNG.uniform(-0.5, 0.5, size=N)
    W, squares = found(weights)
    problem, D = Problem(ROWS, Robust(recenter=True), LAM, 0.0), np.linspace(1.0, 3.0, F)
    by_entries = skew_bound(problem, W, weights, D, low_rank=False).value
    by_moments = skew_bound(
        problem, W, weights, D, low_rank=False, squares=squares, room=1e-6
    ).value
    assert by_moments == pytest.approx(by_entries, rel=1e-2)
    optimum = solve(problem, make_plan(problem, "admm"), tol=1e-6, max_iter=5000).value
    assert by_moments <= optimum


def test_entries_take_over_where_rounding_leaves_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    weights = np.ones(N)
    W, squares = found(weights)
    problem, D = Problem(ROWS, Robust(), LAM, 0.0), np.ones(F)
    calls = []
    original = skew._entry_products
    monkeypatch.setattr(
        skew,
        "_entry_products",
        lambda *given, **named: calls.append(1) or original(*given, **named),
    )
    for room, expected in ((1e-6, 0), (0.0, 1)):
        calls.clear()
        skew_bound(problem, W, weights, D, low_rank=False, squares=squares, room=room)
        assert len(calls) == expected


@pytest.mark.parametrize(("part", "lam"), [("half the product", 0.5), ("no cut", 20.0)])
def test_a_mutant_is_caught(part: str, lam: float, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = as_samples(RNG.normal(size=(12, 5)))
    problem = Problem(rows, Robust(recenter=True), lam, 0.0)
    least = solve(problem, make_plan(problem, "admm"), tol=1e-6, max_iter=5000).value
    if part == "half the product":
        original = skew.moment_products
        monkeypatch.setattr(
            skew,
            "moment_products",
            lambda *given: (lambda it: it._replace(product=0.5 * it.product))(original(*given)),
        )
    else:
        monkeypatch.setattr(skew_moments, "_longer", _as_short_as_one)
        monkeypatch.setattr(skew_moments.np, "minimum", lambda weights, _: weights)
    bounds = []
    for scale in (1.0, 3.0, 10.0):
        weights, D = np.full(12, scale), np.full(5, 1.2 * lam)
        centred = rows.centred_rows()  # type: ignore[attr-defined]
        mean = weights @ centred / weights.sum()
        Y = np.sqrt(weights)[:, None] * (centred - mean)
        W = Reconstruction(solved(Y.T @ Y, D), mean)
        squares = W.squared_residuals(rows)[0]  # type: ignore[arg-type]
        named = {"low_rank": False, "squares": squares, "room": 1e-6}
        bounds.append(skew_bound(problem, W, weights, D, **named).value)  # type: ignore[arg-type]
    assert max(bounds) > least


def _as_short_as_one(rows: object, lengths: Array, *, by: float) -> skew_moments.Terms:
    del rows, by
    return skew_moments.Terms(largest=1.0, rowwise=(np.ones_like(lengths),))


@pytest.mark.parametrize("weight", [1.0, 0.25])
def test_moments_that_are_held_need_no_more_than_other_weights(weight: float) -> None:
    weights = np.full(N, weight)
    weights[[3, 7, 30]] *= [0.5, 0.1, 0.9]
    W, squares = found(weights)
    # As if residuals were longer, so that some multipliers are cut.
    squares = squares * (5.0 / weight) ** 2
    problem = Problem(ROWS, Robust(recenter=True), LAM, 0.0)
    plain = moment_products(problem, W, weights, squares)
    held = moment_products(problem, W, weights, squares, Held(ROWS.gram_matrix, weight))
    assert (weights * np.sqrt(squares) > 1.0).any()
    np.testing.assert_allclose(held.product, plain.product, atol=1e-12)
    assert np.linalg.norm(held.product - plain.product) <= held.off
    assert plain.off < held.off < 20.0 * plain.off
    np.testing.assert_allclose(held.lengths.values, plain.lengths.values, rtol=1e-9)
    assert np.all(held.lengths.values >= plain.lengths.values)
    # What rounds are the moments of the weight that is held, and what is taken off them.
    terms = {
        name: moment_terms(ROWS, weights, squares, size=1.0, length=0.0, held=held)
        for name, held in (("plain", None), ("held", Held(ROWS.gram_matrix, weight)))
    }
    assert terms["held"].sums[3] >= 2.0 * weight * np.sqrt(ROWS.sizes).sum() * (1.0 - 1e-12)
    assert terms["held"].sums[4] >= 2.0 * weight * ROWS.sizes.sum() * (1.0 - 1e-12)
    assert terms["held"].sums[5] == terms["plain"].sums[5]
