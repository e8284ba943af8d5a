"""The start of the exact solvers, against formulas and dense matrices."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone.data import Spectrum, from_gram
from sparsecone.data.centring import as_rows
from sparsecone.linalg.types import Array
from sparsecone.model import closed_form as module
from sparsecone.model.closed_form import closed_form, leading_factor
from sparsecone.model.losses import Loss, Robust, Squared
from sparsecone.model.problem import Point, Problem

S = np.diag([4.0, 3.0, 2.0, 0.25])
RNG = np.random.default_rng(0)
ROWS = as_rows(RNG.normal(size=(30, 5)) * [5.0, 4.0, 3.0, 1.0, 0.5])
X = ROWS.centred_rows()


def shrunk(kappa: Array, eta: float, lam: float, d: int) -> Array:
    """Return the fixed point of w = (kappa - eta)_+ / (kappa + lam / g), g^2 the mean of w^2."""
    above = np.maximum(kappa - eta, 0.0)
    w = above / kappa
    for _ in range(500 if lam else 0):
        w = above / (kappa + lam / max(np.sqrt(float(w @ w) / d), 1e-8))
    return np.asarray(w)


@pytest.mark.parametrize(("eta", "lam"), [(1.0, 0.0), (1.0, 0.5), (5.0, 0.25), (0.0, 0.1)])
def test_eigenvalues_are_shrunk_by_both_weights(eta: float, lam: float) -> None:
    problem = Problem(from_gram(S, n_samples=9), Squared(), lam, eta)
    expected = shrunk(2.0 * np.diag(S), eta, lam, 4)
    point = closed_form(problem)
    np.testing.assert_allclose(np.diag(point.L @ point.L.T), expected, rtol=1e-4, atol=1e-12)
    np.testing.assert_allclose(point.data.H, 2.0 * S @ point.L, atol=1e-12)
    factor = leading_factor(problem)
    np.testing.assert_allclose(factor @ factor.T, point.L @ point.L.T, atol=1e-13)


def test_without_a_penalty_of_columns_it_is_the_optimum() -> None:
    problem = Problem(from_gram(S, n_samples=9), Squared(), 0.0, 1.0)
    point = closed_form(problem)
    np.testing.assert_allclose(point.gradient, 0.0, atol=1e-12)
    spectrum = problem.zero.curvature_spectrum(1.0)
    expected = spectrum.error * float(np.linalg.norm(point.L))
    assert point.data.H_error == pytest.approx(expected, rel=1e-13, abs=0.0)


def test_nothing_varies() -> None:
    problem = Problem(as_rows(np.zeros((3, 2))), Squared(), 0.5, 1.0)
    assert closed_form(problem) is problem.zero
    one = Problem(as_rows(np.array([[np.sqrt(0.5)], [-np.sqrt(0.5)]])), Squared(), 0.0, 1.0)
    assert closed_form(one).L.size == 1


def test_large_penalties_leave_little() -> None:
    problem = Problem(from_gram(S, n_samples=9), Squared(), 1e9, 1.0)
    # A score is taken to be no smaller than this.
    expected = (8.0 - 1.0) / (8.0 + 1e9 / 1e-8)
    point = closed_form(problem)
    assert float(np.diag(point.L @ point.L.T)[0]) == pytest.approx(expected, rel=1e-6)


def rounds_of(problem: Problem, count: int = 3) -> Array:
    """Return W after rounds of weights and their closed form, by dense matrices."""
    zero = problem.zero
    v = 0.0 if zero.v is None else zero.v
    omega, W = zero.data.weights, np.zeros((5, 5))
    for _ in range(count):
        values, vectors = np.linalg.eigh(X.T @ (omega[:, None] * X))
        W = (vectors * shrunk(values, problem.eta, problem.lam, 5)) @ vectors.T
        omega = 1.0 / np.sqrt(((X - X @ W - v) ** 2).sum(axis=1) + problem.loss.delta)
    return W


@pytest.mark.parametrize(
    ("loss", "eta"), [(Robust(0.5, recenter=True), 0.0), (Robust(0.5), 0.0)], ids=str
)
def test_three_rounds_of_weights_where_all_is_decomposed(loss: Loss, eta: float) -> None:
    problem = Problem(ROWS, loss, 2.0, eta)
    point = closed_form(problem)
    np.testing.assert_allclose(point.L @ point.L.T, rounds_of(problem), atol=1e-4)
    if loss.recenter:
        np.testing.assert_array_equal(point.v, problem.zero.v)  # type: ignore[arg-type]


@pytest.mark.parametrize("lam", [0.0, 2.0])
def test_rounds_in_the_span_of_eigenvectors(lam: float) -> None:
    zero = Problem(ROWS, Robust(0.5), 0.0, 0.0).zero
    values = np.linalg.eigvalsh(X.T @ (zero.data.weights[:, None] * X))
    problem = Problem(ROWS, Robust(0.5), lam, float(values[2]))
    point = closed_form(problem)
    # All eigenvectors above a third of eta are taken in: here all but the weakest.
    reach = values > values[2] / 3.0
    V = np.linalg.eigh(X.T @ (zero.data.weights[:, None] * X))[1][:, reach]
    W = (V * shrunk(values[reach], problem.eta, lam, 5)) @ V.T
    for _ in range(3):
        omega = 1.0 / np.sqrt(((X - X @ W) ** 2).sum(axis=1) + 0.5)
        kappa, turn = np.linalg.eigh(V.T @ X.T @ (omega[:, None] * X) @ V)
        weights = shrunk(kappa, problem.eta, lam, 5)
        W = (V @ turn * weights) @ (V @ turn).T
    kept = kappa > 0.8 * problem.eta
    least = np.maximum(weights[kept], 1e-3)
    expected = (V @ turn[:, kept] * least) @ (V @ turn[:, kept]).T
    np.testing.assert_allclose(point.L @ point.L.T, expected, atol=1e-4)
    assert point.L.shape[1] == kept.sum()


@pytest.mark.parametrize("scale", [1.0, 1e25, 1e-25])
def test_moments_in_a_span_are_those_of_the_weights_there(scale: float) -> None:
    rows, loss = as_rows(scale * X), Robust(0.5 * scale**2)
    V = np.linalg.qr(RNG.normal(size=(5, 2)))[0]
    T = np.diag([0.5, 0.25])
    W = V @ T @ V.T
    omega = 1.0 / np.sqrt(((X - X @ W) ** 2).sum(axis=1) + 0.5)
    expected = V.T @ X.T @ (omega[:, None] * X) @ V
    for known in (None, module.Coordinates.of(rows, V)):
        terms = module._gram_terms(rows, loss=loss, V=V, known=known, missing=np.eye(2) - T)
        assert terms.sums[0].dtype == np.float64
        np.testing.assert_allclose(terms.sums[0] / scale, expected, rtol=1e-6)


@pytest.mark.parametrize("eta", [0.5, 4.0])
def test_directions_just_below_eta_stay_with_a_small_eigenvalue(eta: float) -> None:
    # Samples along the axes: at W = 0 the curvature of an axis is twice the length of its samples.
    curvatures = eta * np.array([2.0, 0.85, 0.75, 0.3])
    rows = np.vstack([np.diag(0.5 * curvatures), -np.diag(0.5 * curvatures)])
    point = closed_form(Problem(as_rows(rows), Robust(), 0.0, eta))
    W = point.L @ point.L.T
    assert W[0, 0] > 0.5
    np.testing.assert_allclose(np.diag(W)[1:], [1e-3, 0.0, 0.0], rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("many", [1, 4])
def test_eigenvectors_are_taken_in_down_to_a_third_of_eta(
    many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[float, int | None]] = []
    plain = Point.curvature_spectrum

    def spectrum(self: Point, threshold: float, *, most: int | None = None) -> Spectrum:
        asked.append((threshold, most))
        return plain(self, threshold, most=most)

    monkeypatch.setattr(Point, "curvature_spectrum", spectrum)
    monkeypatch.setattr(module, "most_vectors", lambda _: many)
    problem = Problem(ROWS, Robust(0.5), 0.0, 20.0)
    above = plain(problem.zero, 20.0).values.size
    assert 1 < above < 4
    closed_form(problem)
    # At least all of those above eta, whatever memory there is.
    assert asked == [(20.0, None), (pytest.approx(20.0 / 3.0), max(above, many))]
