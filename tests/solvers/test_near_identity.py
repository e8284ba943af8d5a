"""W = I where it is optimal: one bound, for equal weights or for those of a few samples."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from sparsecone import AWSPCAPSD, Status
from sparsecone.data import as_samples
from sparsecone.linalg.types import Array
from sparsecone.model.losses import Robust
from sparsecone.model.problem import Problem
from sparsecone.solve import solve
from sparsecone.solvers import make_plan
from sparsecone.solvers import near_identity as near
from sparsecone.solvers.near_identity import near_identity, scaled_inverse

TOL, ROOM = 1e-4, 1e-5
RNG = np.random.default_rng(0)
PLAIN = RNG.normal(size=(300, 6)) * np.linspace(3.0, 1.0, 6)
# Few samples have the last feature, one of them most of it: with equal weights its multiplier is
# too long.
RARE = np.column_stack([PLAIN, np.append([6.0, *10 * [0.8]], np.zeros(289))])


def problem_of(X: Array, lam: float, **loss: object) -> Problem:
    given = {"recenter": True, **loss}
    return Problem(as_samples(X, weighed=True), Robust(**given), lam, 0.0)  # type: ignore[arg-type]


@pytest.mark.parametrize("recenter", [False, True])
@pytest.mark.parametrize(("X", "lam"), [(PLAIN, 10.0), (RARE, 9.0)])
def test_it_is_proven_to_be_best(X: Array, lam: float, recenter: bool) -> None:
    problem = problem_of(X, lam, recenter=recenter)
    found = near_identity(problem, TOL, ROOM)
    assert found is not None
    assert found.point is not None
    most = lam * X.shape[1]
    assert most < found.point.value <= most * (1.0 + 0.11 * TOL)
    assert most * (1.0 - 0.3 * TOL) <= found.bound <= most
    # What the factor explains is the value, too.
    exact = problem.evaluate(found.point.L, found.point.v)
    assert found.point.value == pytest.approx(exact.value, abs=2.0 * found.point.rounding)
    other = solve(problem, make_plan(problem, "admm"), tol=1e-6, max_iter=5000)
    assert other.bound <= most * (1.0 + 1e-12)
    assert found.bound <= other.value


def test_long_multipliers_are_shortened(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = problem_of(RARE, 9.0)
    shortened = near_identity(problem, TOL, ROOM)
    assert shortened is not None
    # With equal weights they are not what proves it.
    monkeypatch.setattr(near, "_shortened", lambda _, __, found, omega: (found, omega))
    equal = near_identity(problem, TOL, ROOM)
    assert equal is not None
    assert equal.bound < (1.0 - 10.0 * TOL) * shortened.bound


@pytest.mark.parametrize("scale", [1e25, 1e-25])
def test_scales_beyond_single_precision_change_nothing(scale: float) -> None:
    plain = near_identity(problem_of(RARE, 9.0), TOL, ROOM)
    found = near_identity(problem_of(scale * RARE, 9.0 * scale), TOL, ROOM)
    assert plain is not None
    assert found is not None
    assert found.bound == pytest.approx(scale * plain.bound, rel=1e-6)


def test_samples_that_were_left_out_are_taken_in(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = problem_of(RARE, 9.0)
    monkeypatch.setattr(near, "NEAR", 1e9)
    found = near_identity(problem, TOL, ROOM)
    assert found is not None
    assert found.bound >= (1.0 - TOL) * 9.0 * 7


@pytest.mark.parametrize(
    ("X", "lam", "loss"),
    [
        (PLAIN, 200.0, {}),
        (PLAIN, 1e4, {}),
        (PLAIN, 10.0, {"delta": 1e-3}),
        (PLAIN[:6], 1e-3, {}),
        (np.column_stack([PLAIN, np.ones(300)]), 1.0, {}),
        (np.column_stack([PLAIN, PLAIN[:, 0]]), 1.0, {}),
        # One sample alone has the last feature: no weights make its multiplier shorter.
        (np.column_stack([PLAIN, np.arange(300) == 0]), 4.0, {}),
    ],
)
def test_it_is_none_where_something_else_is_best(
    X: Array, lam: float, loss: dict[str, float]
) -> None:
    assert near_identity(problem_of(X, lam, **loss), TOL, ROOM) is None


def test_a_fit_ends_with_it_and_has_an_order() -> None:
    fitted = AWSPCAPSD(lam=10.0, units="absolute").fit(PLAIN)
    assert fitted.solution_.status is Status.CONVERGED
    assert fitted.n_iter_ == 1
    assert np.unique(fitted.scores_).size == 6
    # Features of a larger variance that nothing else predicts are farther from zero.
    np.testing.assert_array_equal(np.argsort(-fitted.scores_), np.arange(6))
    sparse = AWSPCAPSD(lam=10.0, units="absolute").fit(sp.csr_matrix(PLAIN))
    np.testing.assert_allclose(sparse.scores_, fitted.scores_, rtol=1e-12)
    larger = AWSPCAPSD(lam=200.0, units="absolute").fit(PLAIN)
    assert larger.solution_.status is Status.CONVERGED
    assert larger.n_iter_ > 1


def test_an_inverse_is_that_of_a_positive_definite_matrix() -> None:
    matrix = PLAIN.T @ PLAIN
    np.testing.assert_allclose(scaled_inverse(matrix, 2.0) @ matrix, 2.0 * np.eye(6), atol=1e-12)  # type: ignore[operator]
    assert scaled_inverse(np.diag([1.0, 0.0]), 2.0) is None
    assert scaled_inverse(np.diag([1.0, 1e-310]), 2.0) is None
