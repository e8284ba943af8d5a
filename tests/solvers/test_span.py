"""Within the span of a factor: the best W there, and what M has above eta on its account."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from sparsecone import SPCAPSD
from sparsecone.certificate import Excess, SpanPart, bound_with, certify, strategy_for
from sparsecone.certificate.inequality import Dense, Reduced
from sparsecone.certificate.outer import Outer
from sparsecone.certificate.spectral import Spectral, Tracked
from sparsecone.data import as_samples
from sparsecone.model.losses import Loss, Robust, Squared
from sparsecone.model.problem import Point, Problem
from sparsecone.solve.driver import solve
from sparsecone.solvers import make_plan
from sparsecone.solvers import span as room
from sparsecone.solvers.span import RowSpan, SingleRowSpan, best_factor_in_span, best_in_span

SEEDS = st.integers(0, 10_000)
LOSSES: list[Loss] = [Squared(), Robust(0.1), Robust(0.1, recenter=True)]


def random_point(seed: int, loss: Loss | None = None, *, scale: float = 0.3) -> Point:
    rng = np.random.default_rng(seed)
    lam, eta = rng.uniform(0.1, 2.0, size=2)
    X = rng.normal(size=(15, 8)) * np.geomspace(2.0, 0.2, 8)
    problem = Problem(as_samples(X), loss or Squared(), lam, eta)
    return problem.evaluate(scale * rng.normal(size=(8, 3)), eps=1e-8)


def matrix_of(point: Point) -> NDArray[Any]:
    """Return M by its definition, sym(A X + B)."""
    X, L = point.problem.samples.centred_rows(), point.L
    W, v = L @ L.T, 0.0 if point.v is None else point.v
    weights = 2.0 * np.ones(len(X)) if point.data.weights is None else point.data.weights
    A = (weights[:, None] * (X - X @ W - v)).T
    M = A @ X - point.problem.lam * W / point.smooth_scores
    return np.asarray(0.5 * (M + M.T))


@given(seed=SEEDS)
def test_no_direction_within_the_span_is_left(seed: int) -> None:
    point = random_point(seed)
    best = best_in_span(point)
    assert best.smooth_value <= point.smooth_value
    together = np.column_stack([point.L, best.L])
    assert np.linalg.matrix_rank(together, tol=1e-8) <= point.L.shape[1]
    # What a short step of any kind within the span changes is of second order.
    rng = np.random.default_rng(seed)
    for _ in range(5):
        step = 1e-3 * best.L @ rng.normal(size=(best.L.shape[1], best.L.shape[1]))
        moved = point.problem.evaluate(best.L + step, eps=point.eps)
        assert moved.smooth_value >= best.smooth_value - 1e-5 * best.smooth_value


@given(seed=SEEDS)
def test_directions_that_are_left_out_cost_nothing_to_speak_of(seed: int) -> None:
    tol = 1e-3
    whole, point = best_in_span(random_point(seed)), best_in_span(random_point(seed), tol)
    assert point.smooth_value <= whole.smooth_value * (1.0 + 1e-4 * tol)
    assert point.L.shape[1] <= whole.L.shape[1]


def test_an_idle_direction_is_left_out() -> None:
    # Two features that vary, and a third whose direction costs more than it explains.
    X = np.random.default_rng(0).normal(size=(200, 3)) * [3.0, 2.0, 0.1]
    problem = Problem(as_samples(X), Squared(), lam=1.0, eta=100.0)
    point = problem.evaluate(np.diag([0.9, 0.9, 0.02]), eps=1e-12)
    assert best_in_span(point, tol=1e-4).L.shape[1] == 2


def test_it_needs_no_data(monkeypatch: pytest.MonkeyPatch) -> None:
    point = random_point(0)
    expected = best_in_span(point)

    def refuse(*_: Any) -> None:
        raise AssertionError("a product with the data")

    monkeypatch.setattr(type(point.problem.samples), "gram_product", refuse)
    found = best_in_span(point)
    monkeypatch.undo()
    again = point.problem.evaluate(found.L, eps=point.eps)
    assert found.value == pytest.approx(expected.value)
    np.testing.assert_allclose(found.data.H, again.data.H, atol=1e-9)


@pytest.mark.parametrize("factor", [1e-6, 1e6])
def test_the_unit_of_the_data_changes_nothing(factor: float) -> None:
    point = random_point(1)
    X, problem = point.problem.samples.centred_rows(), point.problem
    scaled = Problem(
        as_samples(factor * X), problem.loss, factor**2 * problem.lam, factor**2 * problem.eta
    )
    found = best_in_span(scaled.evaluate(point.L, eps=point.eps))
    assert found.value == pytest.approx(factor**2 * best_in_span(point).value, rel=1e-6)


@pytest.mark.parametrize("loss", LOSSES, ids=str)
@given(seed=SEEDS)
def test_the_span_part_is_that_of_the_matrix(loss: Loss, seed: int) -> None:
    point = random_point(seed, loss)
    part = SpanPart.of(point)
    shifted = matrix_of(point) - point.problem.eta * np.eye(len(point.L))
    outside = shifted @ part.basis - part.basis @ (part.basis.T @ shifted @ part.basis)
    np.testing.assert_allclose(part.basis.T @ shifted @ part.basis, part.inside, atol=1e-8)
    np.testing.assert_allclose(outside.T @ outside, part.square, atol=1e-7)


@given(seed=SEEDS)
def test_the_excess_of_the_span_bounds_the_matrix(seed: int) -> None:
    point = random_point(seed)
    part, M = SpanPart.of(point), matrix_of(point)
    complement = np.eye(len(M)) - part.basis @ part.basis.T
    largest = float(np.linalg.eigvalsh(complement @ M @ complement)[-1])
    eta = 0.5 + max(largest, float(np.linalg.eigvalsh(M)[-1]) / 2.0)
    here = Point(replace(point.problem, eta=eta), point.L, point.v, point.eps, point.data)
    found = SpanPart.of(here).excess(eta - largest)
    positive = (found.vectors * found.values) @ found.vectors.T
    assert np.linalg.eigvalsh(M - positive)[-1] <= eta + 1e-8


def test_a_slack_costs_no_more_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sparsecone.certificate.inequality.is_decomposed", lambda *_: False)
    n_rough = 0
    for seed in range(30):
        problem = random_point(seed).problem
        factor = solve(problem, make_plan(problem, "factored"), tol=1e-3).factor
        point = problem.evaluate(factor, eps=1e-8)
        for slack in np.geomspace(1e-6, 1.0, 7):
            exact, rough = certify(point), certify(point, slacks=(slack,), tol=1.0)
            assert rough.bound <= exact.bound + 1e-9 * point.value
            if rough.excess.is_rough:
                n_rough += 1
                nothing = Excess(np.zeros(0), np.zeros((8, 0)), 0.0)
                # To first order, at a point whose own gap is at most 1e-3.
                least = bound_with(point, nothing).value - 1.001 * slack * point.value
                assert rough.bound >= least
    assert n_rough > 20


def test_cholesky_does_not_pass_what_exceeds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sparsecone.certificate.inequality.is_decomposed", lambda *_: False)
    point = random_point(2, scale=1e-3)
    above = Dense().excess(point).largest
    assert above > 0.0
    assert Dense().excess(point, (1e-9,)).largest == pytest.approx(above)


@given(seed=SEEDS, share=st.floats(0.05, 0.9))
def test_eigenvectors_of_the_data_make_the_excess_complete(seed: int, share: float) -> None:
    point, M = random_point(seed), matrix_of(random_point(seed))
    spectrum = point.curvature_spectrum(2.0 * share * np.linalg.eigvalsh(M)[-1])
    eta = 0.1 + spectrum.floor
    here = Point(replace(point.problem, eta=eta), point.L, point.v, point.eps, point.data)
    part = SpanPart.of(here, spectrum)
    np.testing.assert_allclose(part.basis.T @ part.basis, np.eye(part.basis.shape[1]), atol=1e-6)
    shifted = M - eta * np.eye(len(M))
    np.testing.assert_allclose(part.basis.T @ shifted @ part.basis, part.inside, atol=1e-6)
    found = part.excess(eta - spectrum.floor - part.outside)
    positive = (found.vectors * found.values) @ found.vectors.T
    assert np.linalg.eigvalsh(M - positive)[-1] <= eta + found.rest
    assert found.rest < 1e-6


@given(seed=SEEDS)
def test_the_bound_from_the_spectrum_holds_and_is_close(seed: int) -> None:
    point = best_in_span(random_point(seed))
    strategy = strategy_for(point.problem, tol=1e-3)
    assert isinstance(strategy, Spectral)
    quick, dense = certify(point, strategy), certify(point)
    assert quick.bound <= dense.bound + 1e-6 * point.value
    assert quick.bound >= dense.bound - 0.2 * (point.value - dense.bound) - 1e-6 * point.value


def test_where_the_spectrum_does_not_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = random_point(0).problem
    assert isinstance(strategy_for(problem, tol=1e-3), Spectral)
    assert isinstance(strategy_for(problem), Dense)
    assert isinstance(strategy_for(random_point(0, Robust(0.1)).problem, tol=1e-3), Tracked)
    recentred = random_point(0, Robust(0.1, recenter=True)).problem
    assert isinstance(strategy_for(recentred, tol=1e-3), Dense)
    assert isinstance(strategy_for(replace(problem, eta=0.0), tol=1e-3), Dense)
    # Too many eigenvalues are close to eta, and no side is small.
    monkeypatch.setattr("sparsecone.certificate.spectral.MOST_VECTORS", 1)
    for shape, other in (((100, 2000), Reduced), ((1200, 1200), Outer)):
        samples = as_samples(np.random.default_rng(0).normal(size=shape))
        largest = float(samples.leading(0.0, most=1).values[0])
        problem = Problem(samples, Squared(), 0.1, 2.0 * largest)
        assert isinstance(strategy_for(problem, tol=1e-3), other)


def test_what_was_left_out_and_came_back_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "RISE", 1.0)
    rng = np.random.default_rng(1)
    rates = rng.gamma(0.3, 2.0, size=300)
    signal = np.exp(0.3 * rng.normal(size=(120, 1)) @ rng.normal(size=(1, 300)))
    counts = rng.poisson(rates * signal, size=(120, 300)).astype(float)
    X = (counts - counts.mean(axis=0)) / (counts.std(axis=0) + 1e-9)
    selector = SPCAPSD(selection="scores", max_iter=50).fit(X)
    assert selector.solution_.status == "converged"


@pytest.mark.parametrize("scale", [1.0, 1e25, 1e-25])
def test_coordinates_in_single_precision_lead_to_the_same_factor(scale: float) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3)) @ rng.normal(size=(3, 8)) + 0.1 * rng.normal(size=(60, 8))
    loss = Robust(smoothing=1e-8 * scale**2)
    problem = Problem(as_samples(scale * X), loss, 0.5 * scale, 2.0 * scale)
    point = problem.evaluate(0.5 * rng.normal(size=(8, 3)), eps=1e-8)
    missing = np.eye(3) - 0.1 * np.ones((3, 3))
    exact, single = RowSpan.of(point), SingleRowSpan.of(point)
    assert single.single_rows[0].dtype == np.float32
    value, slope = exact.data_part(missing)
    found = single.data_part(missing)
    assert value != found[0] == pytest.approx(value, rel=1e-6)
    assert found[1].dtype == np.float64
    np.testing.assert_allclose(found[1], slope, rtol=1e-5, atol=1e-5 * np.abs(slope).max())
    # Nothing but the tolerance decides.
    values = {
        tol: problem.evaluate(best_factor_in_span(point, tol), eps=1e-8).smooth_value
        for tol in (0.0, 1e-6, room.SINGLE)
    }
    assert values[0.0] == values[1e-6] != values[room.SINGLE]
    assert values[room.SINGLE] == pytest.approx(values[0.0], rel=1e-7)
    assert values[0.0] < point.smooth_value
