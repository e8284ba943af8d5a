"""The ratio whose largest value is `lambda_max`, against dense matrices."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from sparsecone.data import from_gram
from sparsecone.data.centring import as_rows
from sparsecone.linalg.types import Array
from sparsecone.model import lambda_max
from sparsecone.model.lambda_max import ascended, ratio, single_feature
from sparsecone.model.losses import Loss, Robust, Squared
from sparsecone.model.problem import Problem

S = np.diag([4.0, 3.0, 2.0, 0.25])
RNG = np.random.default_rng(0)
ROWS = as_rows(RNG.normal(size=(30, 5)) * [5.0, 4.0, 3.0, 1.0, 0.5])
X = ROWS.centred_rows()


def descent(problem: Problem) -> Array:
    """Return K, minus the gradient of the data term at W = 0."""
    zero = problem.zero
    omega = 2.0 * np.ones(30) if zero.data.weights is None else zero.data.weights
    K = X.T @ (omega[:, None] * (X - (0.0 if zero.v is None else zero.v)))
    return np.asarray(0.5 * (K + K.T))


@pytest.mark.parametrize("loss", [Squared(), Robust(), Robust(recenter=True)], ids=str)
@pytest.mark.parametrize("eps", [0.0, 0.1])
def test_the_ratio_and_its_gradient(loss: Loss, eps: float) -> None:
    problem = Problem(ROWS, loss, 0.0, 0.5)
    L = RNG.normal(size=(5, 2))
    K = descent(problem) - 0.5 * np.eye(5)

    def value(L: Array) -> float:
        W = L @ L.T
        return float(np.vdot(K, W)) / float(np.sqrt((W**2).sum(axis=0) + eps).sum())

    found, gradient = ratio(problem, L, eps)
    assert found == pytest.approx(value(L), rel=1e-12)
    known = ratio(problem, L, eps, image=descent(problem) @ L)
    assert known[0] == pytest.approx(found, rel=1e-12)
    direction = RNG.normal(size=L.shape)
    slope = (value(L + 1e-6 * direction) - value(L - 1e-6 * direction)) / 2e-6
    assert float(np.vdot(gradient, direction)) == pytest.approx(slope, rel=1e-5)
    assert ratio(problem, L)[0] == ratio(problem, L, 0.0)[0]


def test_the_largest_ratio_of_one_feature_is_its_variance() -> None:
    # K = 2S diagonal: W on the feature of the largest entry is the best.
    problem = Problem(from_gram(S, n_samples=9), Squared(), 0.0, 0.5)
    np.testing.assert_array_equal(single_feature(problem), [[1.0], [0.0], [0.0], [0.0]])
    assert ascended(problem, 1e-9) == pytest.approx(8.0 - 0.5, rel=1e-6)
    assert ascended(problem, 1e-9) <= 7.5 * (1.0 + 1e-12)


def test_the_largest_ratio_is_never_below_that_of_the_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem = Problem(ROWS, Squared(), 0.0, 0.5)
    best = ascended(problem, 1e-9)
    starts = problem.zero.curvature_spectrum(0.0).vectors
    given = [starts, np.column_stack([single_feature(problem), 1e-3 * starts])]
    assert best >= max(ratio(problem, start)[0] for start in given)
    monkeypatch.setattr(lambda_max, "minimise", lambda _, flat, **__: np.ones_like(flat))
    reached = max(ratio(problem, start)[0] for start in [*given, np.ones((5, 5))])
    assert ascended(problem, 1e-9) == pytest.approx(reached, rel=1e-12)


def test_the_unit_of_the_data_makes_no_difference() -> None:
    problem = Problem(from_gram(0.01 * S, n_samples=9), Squared(), 0.0, 0.005)
    assert ascended(problem, 1e-9) == pytest.approx(0.08 - 0.005, rel=1e-6)


def test_the_smoothing_is_lowered_in_stages(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, used = Problem(ROWS, Squared(), 0.0, 0.5), []
    plain = lambda_max.ratio

    def recorded(problem: Problem, L: Array, eps: float = 0.0) -> tuple[float, Array]:
        used.append(eps)
        return plain(problem, L, eps)

    def minimise(function: Callable[[Array], object], flat: Array, **_: object) -> Array:
        function(flat)
        return flat

    monkeypatch.setattr(lambda_max, "ratio", recorded)
    monkeypatch.setattr(lambda_max, "minimise", minimise)
    lambda_max._ascend(problem, 2.0 * np.eye(5), 1e-9)
    # Parts of the mean square of the scores, which are four.
    np.testing.assert_allclose([eps for eps in used if eps], [16e-2, 16e-5, 16e-9], rtol=1e-13)
