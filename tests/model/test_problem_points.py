"""A point of a problem: what it says of itself, term by term."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sparsecone.data import from_gram
from sparsecone.data.centring import as_rows
from sparsecone.linalg.rounding import TINY, UNIT, sum_error
from sparsecone.model.data_term import Image
from sparsecone.model.losses import Loss, Robust, Squared
from sparsecone.model.problem import Problem, geometric_median, squared_scores

RNG = np.random.default_rng(0)
ROWS = as_rows(RNG.normal(size=(9, 5)))
X = ROWS.centred_rows()
L = 0.4 * RNG.normal(size=(5, 2))
L[4] = 0.0
V = RNG.normal(size=5)
W = L @ L.T
SCORES = np.linalg.norm(W, axis=0)
LAM, ETA = 0.3, 0.7


def problem_of(loss: Loss, lam: float = LAM, eta: float = ETA) -> Problem:
    return Problem(ROWS, loss, lam, eta)


def test_scores_are_column_norms_and_none_is_zero_where_it_divides() -> None:
    point = problem_of(Squared()).evaluate(L, eps=0.25)
    np.testing.assert_allclose(point.squared_scores, SCORES**2, rtol=1e-13, atol=1e-300)
    np.testing.assert_allclose(point.smooth_scores, np.sqrt(SCORES**2 + 0.25), rtol=1e-13)
    assert problem_of(Squared()).evaluate(L).smooth_scores[4] == np.sqrt(TINY)
    # Rounding may make the square negative.
    assert squared_scores(np.array([[1.0]]), np.array([[-1e-20]]))[0] == 0.0
    rows = (L**2).sum(axis=1)
    expected = sum_error(5 + 2 * 2) * float((L**2).sum()) * rows
    np.testing.assert_allclose(point.squared_score_errors, expected, rtol=1e-13)


@pytest.mark.parametrize("loss", [Squared(), Robust(0.1, smoothing=0.2)], ids=str)
def test_values_with_and_without_smoothing(loss: Loss) -> None:
    point = problem_of(loss).evaluate(L, eps=0.25)
    trace = ETA * float(np.trace(W))
    assert point.value == pytest.approx(point.data.value + LAM * SCORES.sum() + trace, rel=1e-13)
    smooth = LAM * float(np.sqrt(SCORES**2 + 0.25).sum()) + trace
    assert point.smooth_value == pytest.approx(point.data.smooth_value + smooth, rel=1e-13)
    noise = 16.0 * UNIT * (point.data.curvature + point.value)
    assert point.noise == pytest.approx(noise, rel=1e-14, abs=0.0)


@pytest.mark.parametrize("error", [0.0, 1e-15])
def test_the_value_is_off_by_all_that_is_summed(error: float) -> None:
    samples = from_gram(X.T @ X, n_samples=9)
    samples.matrix_error = error
    point = Problem(samples, Squared(), LAM, ETA).evaluate(L)
    squares, errors = point.squared_scores, point.squared_score_errors
    highest = np.sqrt(squares + errors)
    lowest = np.sqrt(np.maximum(squares - errors, 0.0))
    expected = point.data.rounding + LAM * float((highest - lowest).sum())
    expected += sum_error(5) * (LAM * float(highest.sum()) + ETA * float(np.trace(W)))
    A = L.T @ L
    expected += error * (1.0 + float(np.linalg.norm(2.0 * A - A @ A)))
    assert point.rounding == pytest.approx(expected, rel=1e-13, abs=0.0)


def test_the_parts_of_the_rounding_one_by_one() -> None:
    for lam, eta in ((0.0, 0.0), (0.0, ETA), (LAM, 0.0)):
        point = problem_of(Squared(), lam, eta).evaluate(L)
        point = replace(point, data=replace(point.data, rounding=0.0))
        squares, errors = point.squared_scores, point.squared_score_errors
        highest, lowest = np.sqrt(squares + errors), np.sqrt(np.maximum(squares - errors, 0.0))
        expected = lam * float((highest - lowest).sum())
        expected += sum_error(5) * (lam * float(highest.sum()) + eta * float(np.trace(W)))
        assert point.rounding == pytest.approx(expected, rel=1e-13, abs=0.0)


def test_an_error_of_the_matrix_counts_by_what_products_do_not_share() -> None:
    samples = from_gram(np.diag([3.0, 2.0]), n_samples=9)
    samples.matrix_error = 0.125
    problem = Problem(samples, Squared(), 0.0, 0.0)
    point = problem.evaluate(np.diag([0.5, 1.0]))
    # 2W - W^2 of W = diag(1/4, 1).
    spread = 1.0 + np.hypot(0.5 - 0.0625, 1.0)
    assert point.rounding == pytest.approx(0.125 * spread, rel=1e-12)
    assert problem.matrix_slack == pytest.approx(0.125 * (1.0 + np.sqrt(2.0)), rel=1e-15)
    assert replace(problem, eta=20.0).matrix_slack == pytest.approx(
        0.125 * (1.0 + np.sqrt(0.5)), rel=1e-15
    )
    assert replace(problem, eta=0.5).matrix_slack == problem.matrix_slack
    small = from_gram(np.diag([0.1, 0.1]), n_samples=9)
    small.matrix_error = 0.125
    slack = Problem(small, Squared(), 0.0, 0.5).matrix_slack
    assert slack == pytest.approx(0.125 * (1.0 + np.sqrt(2.0 * 0.2 / 0.5)), rel=1e-15)
    samples.matrix_error = 0.0
    assert problem.matrix_slack == 0.0
    samples.matrix_error = 1.0
    assert problem.matrix_slack == pytest.approx(1.0 + np.sqrt(2.0))


def test_other_weights_make_no_difference_at_zero() -> None:
    problem = problem_of(Robust(recenter=True))
    changed = problem.with_weights(lam=2.0, eta=3.0, reason="why")
    assert (changed.lam, changed.eta, changed.reason) == (2.0, 3.0, "why")
    assert changed.zero.data is problem.zero.data
    assert changed.zero.problem is changed
    assert problem.with_weights(lam=2.0, eta=3.0).reason == problem.reason == ""


def test_the_level_that_a_component_is_kept_above() -> None:
    # eta / 2 for the squared loss.
    assert problem_of(Squared()).kept_level == pytest.approx(0.5 * ETA, rel=1e-14)
    robust = problem_of(Robust())
    curvature = float(np.linalg.norm(X, axis=1).sum())
    expected = ETA * float((X**2).sum()) / curvature
    assert robust.kept_level == pytest.approx(expected, rel=1e-13)
    nothing = Problem(as_rows(np.zeros((3, 2))), Squared(), LAM, ETA)
    assert nothing.kept_level == 0.0
    little = Problem(as_rows(np.array([[0.1], [-0.1]])), Squared(), LAM, ETA)
    assert little.kept_level == pytest.approx(0.5 * ETA, rel=1e-13)


def test_the_best_offset_at_zero_is_the_geometric_median() -> None:
    problem = problem_of(Robust(recenter=True))
    v = problem.zero.v
    assert v is not None
    # The unit vectors from it to all samples add up to nothing.
    differences = X - v
    units = differences / np.linalg.norm(differences, axis=1)[:, None]
    np.testing.assert_allclose(units.sum(axis=0), 0.0, atol=1e-7)
    assert problem_of(Robust()).zero.v is None
    assert problem_of(Robust()).zero.L.shape == problem.zero.L.shape == (5, 0)
    at_once = Problem(as_rows(np.array([[1.0], [-1.0]])), Robust(recenter=True), LAM, 0.0)
    np.testing.assert_allclose(geometric_median(at_once), 0.0, atol=1e-15)
    assert problem.evaluate(L).v is not None
    np.testing.assert_array_equal(problem.evaluate(L).v, np.zeros(5))  # type: ignore[arg-type]


def test_the_median_ends_once_its_steps_are_small(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, calls = problem_of(Robust(recenter=True)), []
    plain = Problem.evaluate

    def evaluate(self: Problem, *given: object) -> object:
        calls.append(np.asarray(given[1]))
        return plain(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(Problem, "evaluate", evaluate)
    last = geometric_median(problem)
    steps = [after - before for before, after in zip(calls, [*calls[1:], last], strict=True)]
    squares = [float(step @ step) for step in steps]
    least = 1e-18 * ROWS.trace
    assert squares[-1] <= least < min(squares[:-1])
    # Plain steps would be 19.
    assert 1 < len(squares) < 15


def test_a_factor_may_turn() -> None:
    turn = np.array([[0.6, 0.8], [-0.8, 0.6]])
    point = problem_of(Robust(recenter=True)).evaluate(L, V, eps=0.5)
    found = point.turned(turn)
    np.testing.assert_allclose(found.L, L @ turn)
    assert found.value == pytest.approx(point.value, rel=1e-13)
    assert found.eps == 0.5
    np.testing.assert_allclose(found.gradient[:, :2], point.gradient[:, :2] @ turn, atol=1e-12)
    np.testing.assert_allclose(found.gradient[:, 2], point.gradient[:, 2], atol=1e-12)


@pytest.mark.parametrize("loss", [Squared(), Robust(), Robust(recenter=True)], ids=str)
def test_the_gradient_is_that_of_dense_matrices(loss: Loss) -> None:
    v = V if loss.recenter else None
    point = problem_of(loss).evaluate(L, v, eps=0.25)
    omega = 2.0 * np.ones(9) if point.data.weights is None else point.data.weights
    # -(A X + X'A') L for the data, with a_i = omega_i r_i, and the penalties.
    A = (omega[:, None] * (X - X @ W - (0.0 if v is None else v))).T
    B = W / np.sqrt(SCORES**2 + 0.25)
    expected = (LAM * (B + B.T) - A @ X - X.T @ A.T + 2.0 * ETA * np.eye(5)) @ L
    np.testing.assert_allclose(point.gradient[:, :2], expected, atol=1e-12)
    if v is not None:
        np.testing.assert_allclose(point.gradient[:, 2], -A.sum(axis=1), atol=1e-12)


@pytest.mark.parametrize("loss", [Squared(), Robust()], ids=str)
@pytest.mark.parametrize("gram", [False, True])
def test_products_with_the_weighted_data(loss: Loss, gram: bool) -> None:
    point = problem_of(loss).evaluate(L, gram=gram)
    omega = 2.0 * np.ones(9) if point.data.weights is None else point.data.weights
    weighted = X.T @ (omega[:, None] * X)
    np.testing.assert_allclose(point.curvature_product(L), weighted @ L, atol=1e-13)
    matrix = point.curvature_matrix()
    np.testing.assert_allclose(matrix, weighted, atol=1e-13)
    matrix[:] = 0.0
    np.testing.assert_allclose(point.curvature_matrix(), weighted, atol=1e-13)
    values = np.linalg.eigvalsh(weighted)[::-1]
    found = point.curvature_spectrum(0.5 * (values[1] + values[2]))
    np.testing.assert_allclose(found.values, values[:2], rtol=1e-12)
    assert found.floor == pytest.approx(values[2], rel=1e-12)
    assert point.curvature_spectrum(0.0, most=1).values.size == 1
    if loss.needs_rows:
        off = replace(point, data=replace(point.data, matrix_rounding=0.5))
        assert off.curvature_spectrum(0.0).residual == pytest.approx(0.5, rel=1e-12)


def test_points_nearby() -> None:
    other = 1.5 * L
    plain = problem_of(Robust(0.1)).evaluate(L, eps=0.5)
    assert not plain.nearby(other).data.is_majorised
    assert plain.nearby(other).eps == 0.5
    known = plain.with_gram()
    found = known.nearby(other)
    assert found.data.is_majorised
    np.testing.assert_allclose(found.data.H, plain.curvature_matrix() @ other, atol=1e-13)
    length = float(np.linalg.norm(other))
    expected = plain.data.matrix_rounding * length
    assert found.data.H_error == pytest.approx(expected, rel=1e-14, abs=0.0)
    image = Image(plain.curvature_matrix() @ other, 0.25)
    assert known.with_image(other, image).data.H_error == 0.25
    assert plain.under(problem_of(Robust(0.1), 9.0, 9.0)).eps == 0.0
    assert plain.smoothed(0.5) is plain
    assert plain.smoothed(0.25).eps == 0.25


def test_what_is_known_of_a_factor_is_kept_and_nothing_else() -> None:
    point = problem_of(Robust(0.1)).evaluate(L, eps=0.5)
    known = point.A, point.lengths, point.squared_scores, point.squared_score_errors
    assert point.smooth_scores.min() > 0.0
    for other in (point.smoothed(0.25), point.under(problem_of(Robust(0.1), 9.0, 9.0))):
        kept = other.A, other.lengths, other.squared_scores, other.squared_score_errors
        assert all(one is two for one, two in zip(known, kept, strict=True))
        expected = np.sqrt(known[2] + other.eps)
        np.testing.assert_allclose(other.smooth_scores, expected, rtol=1e-14, atol=1e-150)
    lengths, directions = point.lengths
    np.testing.assert_allclose((directions * lengths) @ directions.T, L.T @ L, atol=1e-14)
