"""The extensions that the documentation shows: a loss, a solver and a method of one's own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.utils.estimator_checks import parametrize_with_checks

from sparsecone import SPCAPSD
from sparsecone.certificate import InvalidCertificate
from sparsecone.data import as_samples
from sparsecone.model.losses import Squared
from sparsecone.model.problem import Problem
from sparsecone.solve.driver import solve
from sparsecone.solve.solution import Status
from sparsecone.solvers import Plan, make_plan

from descent import Descent
from deviation import MeanDeviation
from huber import Huber, HuberPCA


@pytest.fixture(scope="module")
def digits() -> np.ndarray:
    return load_digits(return_X_y=True)[0][::4]


def test_huber_has_consistent_formulas() -> None:
    loss = Huber(delta=0.7)
    t = np.array([0.2, 0.69, 0.71, 3.0])
    step = 1e-6
    slope = [
        (loss.value(np.array([(x + step) ** 2])) - loss.value(np.array([(x - step) ** 2])))
        / (2 * step)
        for x in t
    ]
    np.testing.assert_allclose(loss.weights(t**2) * t, slope, rtol=1e-5)
    # Fenchel: value plus conjugate is the product where the multiplier is the slope.
    lengths = (loss.weights(t**2) * t) ** 2
    inner = float(np.sqrt(lengths) @ t)
    assert inner - loss.conjugate(lengths) == pytest.approx(loss.value(t**2))


class WrongHuber(Huber):
    """A conjugate that is too small by a million: its dual bounds are far too high."""

    def conjugate(self, squared_lengths: np.ndarray) -> float:
        return super().conjugate(squared_lengths) - 1e6


def test_a_wrong_conjugate_is_no_proof(digits: np.ndarray) -> None:
    samples = as_samples(digits)
    knee = float(np.sqrt(np.median(samples.squared_norms)))
    problem = Problem(samples, WrongHuber(knee), 1.0, 10.0)
    with pytest.raises(InvalidCertificate, match=r"exceeds the objective .* please report"):
        solve(problem, make_plan(problem, "factored"), tol=1e-5)


def test_huber_with_a_far_knee_is_the_squared_loss(digits: np.ndarray) -> None:
    samples = as_samples(digits)
    knee = 10.0 * float(np.sqrt(samples.squared_norms.max()))
    lam, eta = 1e-3 * samples.trace, 1e-2 * samples.trace
    squared = Problem(samples, Squared(), lam, eta)
    huber = Problem(samples, Huber(knee), lam / (2 * knee), eta / (2 * knee))
    first, second = (
        solve(problem, make_plan(problem, "factored"), tol=1e-5) for problem in (squared, huber)
    )
    assert first.status == second.status == Status.CONVERGED
    assert 2 * knee * second.value == pytest.approx(first.value, rel=2e-5)


def test_huber_selector_converges(digits: np.ndarray) -> None:
    selector = HuberPCA(n_features_to_select=10).fit(digits)
    assert selector.solution_.status == Status.CONVERGED


def test_descent_reaches_the_optimum(digits: np.ndarray) -> None:
    reference = SPCAPSD(tol=1e-6).fit(digits)
    problem = Problem(as_samples(digits), Squared(), reference.lam_, reference.eta_)
    solver = Descent()
    solution = solve(problem, Plan(((solver, solver.max_iter),)), tol=1e-4)
    assert solution.status == Status.CONVERGED
    assert solution.value == pytest.approx(reference.solution_.value, rel=1.1e-4)


@parametrize_with_checks([MeanDeviation()])
def test_method_passes_the_checks_of_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


def test_method_scores_by_deviation() -> None:
    X = [[0.0, 5.0, 1.0], [0.0, -5.0, 2.0], [0.0, 5.0, 3.0]]
    selector = MeanDeviation(n_features_to_select=2).fit(X)
    assert selector.selected_.tolist() == [1, 2]
