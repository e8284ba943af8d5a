"""The edge of the noise and the weights that follow from it, against formulas and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import hadamard
from scipy.optimize import minimize_scalar

from sparsecone.data import from_gram
from sparsecone.data.centring import as_rows
from sparsecone.linalg.types import Array
from sparsecone.model import weights
from sparsecone.model.closed_form import leading_factor
from sparsecone.model.lambda_max import ratio
from sparsecone.model.losses import Robust, Squared
from sparsecone.model.problem import Problem
from sparsecone.model.weights import (
    Noise,
    automatic_eta,
    automatic_lam,
    noise_edge,
    noise_of,
    paper_eta,
)


def least(t: Array, m: int) -> float:
    """Return the least of alpha + (1/m) sum t alpha / (alpha - t) over alpha > max t."""

    def edge(log: float) -> float:
        alpha = float(t.max()) * (1.0 + np.exp(log))
        return alpha * (1.0 + float((t / (alpha - t)).sum()) / m)

    found = minimize_scalar(edge, bounds=(-12.0, 12.0), method="bounded", options={"xatol": 1e-10})
    return float(found.fun)


@pytest.mark.parametrize("n", [1, 2, 3, 50, 1000])
@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e8])
@pytest.mark.parametrize(
    "t", [(1.0,), (1.0, 1.0, 1.0), (5.0, 1.0, 0.5, 0.0), tuple(np.geomspace(1.0, 100.0, 30))]
)
def test_the_edge_is_the_least_of_its_formula(t: tuple[float, ...], n: int, scale: float) -> None:
    squares = scale * np.array(t)
    found = noise_edge(squares, n)
    assert found == pytest.approx(least(squares[squares > 0.0], max(n - 1, 1)), rel=1e-9)


def test_equal_columns_have_the_edge_of_marchenko_and_pastur() -> None:
    # t (1 + sqrt(d / m))^2.
    assert noise_edge(np.full(9, 2.0), 37) == pytest.approx(2.0 * (1.0 + 0.5) ** 2, rel=1e-12)
    assert noise_edge(np.zeros(3), 10) == 0.0
    assert noise_edge(np.array([0.0, 0.5]), 5) == pytest.approx(0.5 * 1.5**2, rel=1e-12)


def problem_of(values: tuple[float, ...], n: int) -> Problem:
    """Return a problem whose components are the features."""
    return Problem(from_gram(np.diag(values), n_samples=n), Squared(), 0.0, 0.0)


def even(values: tuple[float, ...], n: int) -> Problem:
    """Return a problem whose components are spread evenly over as many features."""
    H = hadamard(len(values)) / np.sqrt(len(values))
    S = (H * values) @ H.T
    return Problem(from_gram(0.5 * (S + S.T), n_samples=n), Squared(), 0.0, 0.0)


def even_edge(rest: float, n: int, rank: int = 0) -> float:
    """Return the edge of 2S where the rest of the variance is spread over 64 features."""
    edge = 2.0 * rest / 64.0 * (1.0 + np.sqrt(64.0 / (n - 1))) ** 2
    return float(edge / ((1.0 - rank / n) * (1.0 - rank / 64.0)))


def test_strong_components_are_taken_away_one_by_one() -> None:
    values = (1000.0, 200.0, *np.linspace(11.0, 10.0, 62))
    found = noise_of(even(values, 400))
    assert found.rank == 2
    assert found.is_floor
    assert found.edge == pytest.approx(even_edge(sum(values[2:]), 400, 2), rel=1e-9)
    assert found.half_mean == pytest.approx(0.5 * 2.0 * sum(values) / 64, rel=1e-12)


def test_the_unit_of_the_data_makes_no_difference() -> None:
    values = (1000.0, 200.0, *np.linspace(11.0, 10.0, 62))
    small = noise_of(even(tuple(1e-6 * value for value in values), 400))
    large = noise_of(even(values, 400))
    assert small.rank == large.rank == 2
    assert small.edge == pytest.approx(1e-6 * large.edge, rel=1e-9)


def test_of_few_features_one_component_is_looked_at() -> None:
    found = noise_of(even((1000.0, 900.0, 1.0, 1.0), 400))
    assert (found.rank, found.is_floor) == (1, False)
    # Two samples have one component.
    assert noise_of(problem_of((3.0, 1.0, 1.0), 2)).half_mean == pytest.approx(5.0, rel=1e-14)


def test_a_component_in_several_features_leaves_the_rest_of_them() -> None:
    u = np.zeros(40)
    u[:2] = 0.6, 0.8
    S = 10.0 * np.eye(40) + 500.0 * np.outer(u, u)
    problem = Problem(from_gram(S, n_samples=400), Squared(), 0.0, 0.0)
    found = noise_of(problem)
    left = np.diag(S) - 510.0 * u**2
    edge = 2.0 * least(left[left > 0.0], 399) / ((1.0 - 1.0 / 400) * (1.0 - 1.0 / 40))
    assert (found.rank, found.is_floor) == (1, True)
    assert found.edge == pytest.approx(edge, rel=1e-9)


def test_more_features_than_samples_have_fewer_components() -> None:
    rows = as_rows(np.random.default_rng(0).normal(size=(9, 40)))
    found = noise_of(Problem(rows, Squared(), 0.0, 0.0))
    assert found.half_mean == pytest.approx(0.5 * 2.0 * rows.trace / 8, rel=1e-12)
    robust = Problem(rows, Robust(), 0.0, 0.0)
    # The squares are those of the weighted samples, but for their shape.
    curvature = float(np.sqrt(rows.squared_norms).sum())
    assert noise_of(robust).half_mean == pytest.approx(0.5 * curvature / 8, rel=1e-12)


def decaying(count: int) -> tuple[float, ...]:
    """Return components each of which is half of the one before, and then equal ones."""
    return (*(1e6 * 0.5 ** np.arange(float(count))), *np.ones(64 - count))


@pytest.mark.parametrize(("count", "is_floor"), [(11, True), (12, True), (13, False)])
def test_components_that_go_on_have_no_floor(count: int, is_floor: bool) -> None:
    # Of 64 features a quarter are looked at, and three quarters of those make a floor.
    found = noise_of(even(decaying(count), 10_000))
    assert found.is_floor == is_floor
    if is_floor:
        assert found.rank == count
    else:
        assert found.edge == pytest.approx(even_edge(sum(decaying(count)), 10_000), rel=1e-9)
        assert found.rank == np.count_nonzero(2.0 * np.array(decaying(count)) > found.edge)


def test_how_many_components_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = even(decaying(10), 10_000)
    for most, floor in ((10, False), (12, False), (13, False), (14, True)):
        monkeypatch.setattr(weights, "MOST_COMPONENTS", most)
        assert noise_of(problem).is_floor == floor
    monkeypatch.setattr(weights, "MOST_COMPONENTS", 5)
    monkeypatch.setattr(weights, "PART_OF_COMPONENTS", 14.5 / 64)
    assert noise_of(problem).is_floor
    monkeypatch.setattr(weights, "is_decomposed", lambda _: False)
    assert not noise_of(problem).is_floor
    monkeypatch.undo()
    monkeypatch.setattr(weights, "LARGEST_VECTORS", 64 * 13)
    assert not noise_of(problem).is_floor


def test_a_single_feature_is_its_own_component() -> None:
    found = noise_of(problem_of((3.0,), 2))
    # The edge of one column over one degree of freedom is four times its square.
    assert found == Noise(pytest.approx(24.0, rel=1e-12), 0, True, 3.0)


def planted() -> Problem:
    return even((1000.0, *np.full(63, 10.0)), 400)


def test_eta_is_at_the_edge_or_half_of_a_mean_component() -> None:
    problem = planted()
    noise = noise_of(problem)
    eta, reason = automatic_eta(problem)
    assert eta == noise.edge
    assert noise.rank == 1
    share = 100.0 * eta / (1000.0 + 630.0)
    assert reason.startswith(f"eta is {share:.2g} % of the total variance: that keeps 1 component,")
    flat = problem_of((10.0,) * 64, 400)
    assert automatic_eta(flat)[0] == pytest.approx(10.0, rel=1e-13)
    assert automatic_eta(problem_of((0.0, 0.0), 9)) == (0.0, "eta is 0, because no feature varies.")
    assert automatic_eta(problem_of((0.5, 0.5), 9))[0] > 0.0
    assert "none of uncorrelated" in automatic_eta(even(decaying(13), 10_000))[1]


def test_the_papers_rule_is_the_middle_of_one_and_ten_percent() -> None:
    eta, reason = paper_eta(planted())
    assert eta == pytest.approx(np.sqrt(0.01 * 0.1) * 1630.0, rel=1e-12)
    assert reason == "eta is 3.2 % of the total variance, the middle of the paper's rule."


def test_lam_is_a_tenth_of_eta_or_a_part_of_the_loss() -> None:
    lam, reason = automatic_lam(planted().with_weights(lam=0.0, eta=20.0))
    assert lam == pytest.approx(2.0, rel=1e-15)
    assert reason == "lam is 10 % of eta: lower it to give more features a score."
    small = planted().with_weights(lam=0.0, eta=0.5)
    assert automatic_lam(small)[0] == pytest.approx(0.05, rel=1e-15)
    rows = as_rows(np.random.default_rng(0).normal(size=(90, 4)))
    problem = Problem(rows, Robust(recenter=True), 0.0, 0.0)
    lam, reason = automatic_lam(problem)
    assert lam == pytest.approx(2e-4 * problem.zero.value, rel=1e-14)
    assert reason.startswith("lam is 0.02 % of the loss at W = 0: lower it")
    nothing = automatic_lam(problem_of((0.0, 0.0), 9))
    assert nothing == (0.0, "lam is 0, because nothing is left to explain.")
    assert automatic_lam(problem_of((0.5, 0.5), 9).with_weights(lam=0.0, eta=1.0))[0] > 0.0


def test_lam_is_half_of_what_would_select_nothing() -> None:
    # At W = I the ratio is the mean of 2S less eta; that of the leading component is 2 s_1 - eta.
    values = 10.0, 1.0, 1.0
    for eta in (7.0, 19.0):
        problem = problem_of(values, 9).with_weights(lam=0.0, eta=eta)
        limit = 0.5 * ratio(problem, leading_factor(problem))[0]
        assert limit == pytest.approx(0.5 * (20.0 - eta), rel=1e-12)
        lam, reason = automatic_lam(problem)
        assert lam == pytest.approx(min(0.1 * eta, limit), rel=1e-12)
        assert ("twice that would select nothing" in reason) == (0.1 * eta > limit)
    # Where nothing is kept there is no limit.
    lam, reason = automatic_lam(problem_of(values, 9).with_weights(lam=0.0, eta=30.0))
    assert lam == pytest.approx(3.0, rel=1e-15)
    assert "lower it" in reason


def test_the_ratio_at_the_identity() -> None:
    rows = as_rows(np.random.default_rng(0).normal(size=(20, 4)) ** 2)
    for problem in (
        Problem(rows, Squared(), 0.0, 0.5),
        Problem(rows, Robust(), 0.0, 0.5),
        Problem(rows, Robust(recenter=True), 0.0, 0.0),
    ):
        expected = ratio(problem, np.eye(4))[0]
        assert weights._ratio_at_identity(problem) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("part", "text"),
    [
        (0.9, "90 %"),
        (0.5, "50 %"),
        (0.1, "10 %"),
        (0.0999, "10 %"),
        (0.0123, "1.2 %"),
        (1e-5, "0.001 %"),
    ],
)
def test_percents_have_two_digits(part: float, text: str) -> None:
    assert weights._percent(3.0 * part, 3.0) == text
