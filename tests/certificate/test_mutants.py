"""Every mutant of the certificate is caught: it gives some problem a bound above its optimum.

A test that no change of the certificate can break proves nothing. Each of `MUTANTS` makes one
mistake in it; the bounds at a fixed set of points of the three models must show it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest

from sparsecone.certificate import (
    Bound,
    Excess,
    InvalidCertificate,
    Multipliers,
    SpanPart,
    certify,
    dual_point,
    inequality,
    outer,
    span,
    strategy_for,
)
from sparsecone.certificate.damping import Damping
from sparsecone.certificate.dual_point import Lengths
from sparsecone.certificate.inequality import Dense, Reduced
from sparsecone.certificate.outer import Outer
from sparsecone.certificate.spectral import Tracked
from sparsecone.data import as_samples, from_gram
from sparsecone.linalg import eigen
from sparsecone.linalg.types import Array
from sparsecone.model import data_term
from sparsecone.model.losses import Loss, Robust, Squared
from sparsecone.model.problem import Point, Problem
from sparsecone.solve import solve
from sparsecone.solvers import admm, make_plan

LOSSES: dict[str, Loss] = {
    "squared": Squared(),
    "robust": Robust(smoothing=0.01),
    "smoothed": Robust(delta=0.1),
    "recentred": Robust(recenter=True, smoothing=0.01),
}
# lam and eta as parts of the loss at W = 0.
WEIGHTS = ((0.002, 0.03), (0.02, 0.05), (0.01, 0.0), (0.2, 0.3))
# How far beyond the optimum a bound is above it for sure; it is known more exactly than that.
BEYOND = 1e-6
# How far below it the bound of an all but optimal point may be.
LOOSE = 1e-3


class Target(NamedTuple):
    """A problem, an objective that some W has, and points whose bounds must not exceed it."""

    name: str
    reached: float
    points: tuple[Point, ...]


def problems() -> Iterator[tuple[str, Problem]]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(25, 3)) @ rng.normal(size=(3, 7)) + 0.3 * rng.normal(size=(25, 7))
    X[0] += 5.0
    for name, loss in LOSSES.items():
        free = Problem(as_samples(X), loss, 0.0, 0.0)
        for lam, eta in WEIGHTS:
            eta = 0.0 if loss.recenter else eta
            unit = free.zero.value
            yield f"{name} {lam} {eta}", replace(free, lam=lam * unit, eta=eta * unit)


@cache
def targets() -> tuple[Target, ...]:
    """Return the targets, solved by the certificate as it is."""
    found = []
    for name, problem in problems():
        solution = solve(problem, make_plan(problem, "admm"), tol=1e-7, max_iter=3000)
        L, v = solution.factor, solution.offset
        noise = np.random.default_rng(1).normal(size=L.shape)
        others = [0.9 * L, 0.5 * L, 1.1 * L, 1.5 * L, L + 0.01 * noise, L + 0.3 * noise, L[:, :1]]
        points = [problem.evaluate(factor, v, eps=1e-8) for factor in (L, *others)]
        if v is not None:
            points += [problem.evaluate(L, v + shift) for shift in (0.3, 3.0)]
        found.append(Target(name, solution.value, (problem.zero, *points)))
    return tuple(found)


STRATEGIES: dict[str, Callable[[Problem], Any]] = {
    "chosen": lambda problem: strategy_for(problem, tol=1e-3),
    "dense": lambda _: Dense(),
    "reduced": lambda _: Reduced(),
    "outer": lambda _: Outer(),
    "tracked": lambda problem: earlier_weights(problem),
}


def earlier_weights(problem: Problem) -> Any:
    """Return the strategy that knows the eigenvectors for the weights at W = 0."""
    strategy = strategy_for(problem, tol=1e-3)
    if isinstance(strategy, Tracked):
        strategy.excess(problem.zero)
    return strategy


def matrix_of(point: Point) -> Array:
    """Return M by its definition, sym(A X + B)."""
    samples, W = point.problem.samples, point.L @ point.L.T
    X = samples.centred_rows()
    weights = 2.0 * np.ones(len(X)) if point.data.weights is None else point.data.weights
    A = (weights[:, None] * (X - X @ W - (0.0 if point.v is None else point.v))).T
    M = A @ X - point.problem.lam * W / point.smooth_scores
    return np.asarray(0.5 * (M + M.T))


def violations() -> Iterator[str]:
    """Yield what contradicts the mathematics, at all points, by every strategy."""
    for target in targets():
        for index, point in enumerate(target.points):
            M = matrix_of(point)
            for name, make in STRATEGIES.items():
                where = f"{target.name}, point {index}, {name}"
                strategy = make(point.problem)
                excess = strategy.excess(point)
                repaired = M - (excess.vectors * excess.values) @ excess.vectors.T
                largest = float(np.linalg.eigvalsh(repaired)[-1])
                if largest > point.problem.eta + excess.rest + 1e-9 * target.reached:
                    yield f"{where}: the matrix inequality does not hold"
                bounds = [certify(point, strategy, slacks=s).bound for s in ((), (1e-3, 1e-1))]
                bounds.append(certify(point, strategy, tol=1e-9).bound)
                if max(bounds) > target.reached * (1.0 + BEYOND):
                    yield f"{where}: the bound is above the optimum"
                exact = point.problem.loss.smoothing == 0.0 and (index, name) == (1, "dense")
                if exact and max(bounds) < target.reached * (1.0 - LOOSE):
                    yield f"{where}: the bound is far below the optimum"
    nothing = Excess(np.zeros(0), np.zeros((7, 0)), 0.0)
    problem, samples = targets()[5].points[0].problem, targets()[5].points[0].problem.samples
    long = Lengths(samples, np.full(25, 4.0), 4.0)
    zeros, none = np.zeros(7), np.zeros((7, 0))
    point = Multipliers(1.0, 0.0, 0.0, 0.0, long, zeros, zeros, none)
    if point.bound(problem, nothing).value > 0.5:
        yield "multipliers that are too long count in full"


def swapped(owner: Any, name: str, change: Callable[..., Any]) -> Callable[..., None]:
    """Return the mutant that passes what a function returns through a change."""

    def mutate(patch: pytest.MonkeyPatch) -> None:
        original = getattr(owner, name)

        def changed(*arguments: Any, **named: Any) -> Any:
            return change(original(*arguments, **named), *arguments)

        patch.setattr(owner, name, changed)

    return mutate


def with_fields(**factors: float) -> Callable[..., Callable[..., None]]:
    """Return the mutant whose multipliers have some fields multiplied."""

    def mutate(patch: pytest.MonkeyPatch) -> None:
        original = Multipliers.bound

        def bound(self: Multipliers, problem: Problem, excess: Excess, *value: float) -> Bound:
            fields = {name: factor * getattr(self, name) for name, factor in factors.items()}
            return original(replace(self, **fields), problem, excess, *value)

        patch.setattr(Multipliers, "bound", bound)

    return mutate


def less_excess(excess: Excess, *_: Any) -> Excess:
    return replace(excess, values=0.5 * excess.values)


def no_rest(patch: pytest.MonkeyPatch) -> None:
    original = Multipliers.bound

    def bound(self: Multipliers, problem: Problem, excess: Excess, *value: float) -> Bound:
        return original(self, problem, replace(excess, rest=0.0), *value)

    patch.setattr(Multipliers, "bound", bound)


def shorter_lengths(patch: pytest.MonkeyPatch) -> None:
    original = dual_point.Lengths.best_bound

    def best(self: Any, loss: Any, inner: float, limit: float) -> Bound:
        return original(replace(self, longest=0.25 * self.longest), loss, inner, limit)

    patch.setattr(dual_point.Lengths, "best_bound", best)


def any_scale(patch: pytest.MonkeyPatch) -> None:
    def best(self: Multipliers, loss: Loss, limit: float) -> Bound:
        if self.lengths is not None:
            return self.lengths.best_bound(loss, self.inner, limit)
        scale = self.inner / (2.0 * self.quadratic)
        return Bound(scale * self.inner - scale**2 * self.quadratic, scale)

    patch.setattr(Multipliers, "_best", best)


def wrong_sign_of_the_low_rank_part(patch: pytest.MonkeyPatch) -> None:
    original = span.low_rank_part

    def negative(point: Point) -> tuple[Array, Array]:
        left, right = original(point)
        return left, 2.0 * right

    for module in (span, inequality, outer):
        patch.setattr(module, "low_rank_part", negative)


def no_penalty_in_the_matrix(patch: pytest.MonkeyPatch) -> None:
    def without(point: Point) -> tuple[Array, Array]:
        free = Point(replace(point.problem, lam=0.0), point.L, point.v, point.eps, point.data)
        return original(free)

    original = span.low_rank_part
    patch.setattr(inequality, "low_rank_part", without)


def mixing_is_ignored(patch: pytest.MonkeyPatch) -> None:
    original = SpanPart.excess

    def excess(self: SpanPart, room: float) -> Excess:
        return original(replace(self, square=np.zeros_like(self.square)), room)

    patch.setattr(SpanPart, "excess", excess)


def cholesky_never_fails(patch: pytest.MonkeyPatch) -> None:
    for module in (inequality, outer):
        patch.setattr(module, "is_below", lambda *_: True)


# Each makes one mistake in the certificate.
MUTANTS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "half of the excess": swapped(inequality, "_excess_of", less_excess),
    "an excess that is forgotten": swapped(
        inequality, "pairs_above", lambda found, *_: (found[0][:0], found[1][:, :0])
    ),
    "the rest is dropped": no_rest,
    "half of the quadratic term": with_fields(quadratic=0.5),
    "no quadratic term": with_fields(quadratic=0.0),
    "the quadratic term with the wrong sign": with_fields(quadratic=-1.0),
    "twice the inner product": with_fields(inner=2.0),
    "a scale without its limit": any_scale,
    "multipliers half as long as they are": shorter_lengths,
    "a conjugate with the wrong sign": swapped(Robust, "conjugate", lambda found, *_: -found),
    "twice the conjugate": swapped(Robust, "conjugate", lambda found, *_: 2.0 * found),
    "a repair that costs nothing": swapped(
        Multipliers, "_repaired_columns", lambda *found: np.full_like(found[0], found[3])
    ),
    "a repair that costs half": swapped(
        Multipliers, "_repaired_columns", lambda found, *_: 0.5 * found
    ),
    "columns that are clipped for nothing": swapped(dual_point, "clipped_scale", lambda *_: 1.0),
    "the low-rank part twice": wrong_sign_of_the_low_rank_part,
    "a matrix without the penalty": no_penalty_in_the_matrix,
    "half of the curvature": swapped(Point, "curvature_matrix", lambda found, *_: 0.5 * found),
    "half of the curvature in products": swapped(
        Point, "curvature_product", lambda found, *_: 0.5 * found
    ),
    "what leaves the span is ignored": mixing_is_ignored,
    "shorter multipliers that cost nothing": lambda patch: patch.setattr(Damping, "lost", 0.0),
    "shorter multipliers that cost half": lambda patch: patch.setattr(
        Damping, "lost", property(lambda self: 0.5 * float(np.vdot(self.core, self.inside)))
    ),
    "a Cholesky factorisation that never fails": cholesky_never_fails,
    "a largest eigenvalue that is too small": swapped(
        outer, "randomised_largest", lambda found, *_: found._replace(value=0.0, bound=0.0)
    ),
}


def test_the_certificate_itself_is_sound() -> None:
    assert list(violations()) == []


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    targets()
    MUTANTS[name](monkeypatch)
    assert next(violations(), None), f"'{name}' changes nothing for the worse"


# Each forgets one error; the bound must have been lower for it.
ERRORS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "of sums": swapped(data_term, "sum_error", lambda *_: 0.0),
    "of eigenvalues": swapped(inequality, "eigen_error", lambda *_: 0.0),
    "of the matrix": swapped(inequality, "matrix_rounding", lambda *_: 0.0),
    "of dual sums": swapped(dual_point, "sum_error", lambda *_: 0.0),
}


@pytest.mark.parametrize("name", ERRORS)
def test_every_error_counts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    samples = as_samples(np.random.default_rng(0).normal(size=(30, 6)) + 1e3)
    problem = Problem(samples, Robust(delta=0.1), 0.1, 1.0)
    L = 0.3 * np.random.default_rng(1).normal(size=(6, 2))
    before = certify(problem.evaluate(L, eps=1e-6), Dense()).bound
    ERRORS[name](monkeypatch)
    after = certify(problem.evaluate(L, eps=1e-6), Dense()).bound
    assert after > before


def test_a_gram_matrix_that_is_off_moves_the_bound_by_its_error() -> None:
    X = np.random.default_rng(0).normal(size=(40, 6))
    S = X.T @ X
    exact, off = from_gram(S, n_samples=40), from_gram(S, n_samples=40)
    off.gram_error += 1e-3 * exact.trace
    bounds = []
    for samples in (exact, off):
        problem = Problem(samples, Squared(), 0.01 * exact.trace, 0.05 * exact.trace)
        found = solve(problem, make_plan(problem, "factored"), tol=0.5)
        bounds.append(certify(problem.evaluate(found.factor), Dense()).bound)
    assert bounds[1] <= bounds[0] - 1e-3 * exact.trace


def test_a_matrix_that_all_products_share_counts_in_value_and_bound() -> None:
    X = np.random.default_rng(0).normal(size=(40, 6)) * [9, 5, 3, 1, 1, 1]
    S = X.T @ X
    exact, forgotten = from_gram(S, n_samples=40), []
    truth = Problem(exact, Squared(), 0.01 * exact.trace, 0.05 * exact.trace)
    optimum = solve(truth, make_plan(truth, "factored"), tol=1e-6)
    for seed in range(10):
        E = np.random.default_rng(seed).normal(size=(6, 6))
        np.fill_diagonal(E, 0.0)
        off = from_gram(S + 1e-3 * exact.trace * (E + E.T), n_samples=40)
        problem = Problem(off, Squared(), truth.lam, truth.eta)
        L = solve(problem, make_plan(problem, "factored"), tol=1e-6).factor
        forgotten.append(certify(problem.evaluate(L), Dense()).bound > optimum.value)
        off.matrix_error = float(np.linalg.norm(off.gram_matrix - S))
        point = problem.evaluate(L)
        assert certify(point, Dense()).bound <= optimum.bound
        assert abs(truth.evaluate(L).value - point.value) <= point.rounding
    assert any(forgotten)


def test_a_contradiction_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    name, problem = next(problems())
    swapped(admm.State, "bound", lambda found, *_: found + 1e-3 * problem.zero.value)(monkeypatch)
    with pytest.raises(InvalidCertificate, match=r"exceeds the objective .* \(solver admm\)"):
        solve(problem, make_plan(problem, "admm"), tol=1e-9)
    assert name.startswith("squared")


def test_a_failed_part_of_the_spectrum_is_computed_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = np.diag([3.0, 2.0, 1.0])

    def fail(*_: Any, **__: Any) -> None:
        raise np.linalg.LinAlgError("Internal Error.")

    monkeypatch.setattr(eigen.scipy.linalg, "eigh", fail)
    np.testing.assert_allclose(eigen.pairs_above(matrix, 1.5)[0], [3.0, 2.0])
