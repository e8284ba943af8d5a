"""AW-SPCA-PSD without projections: the optimum of small problems, on all kinds of data."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_digits

from sparsecone import AWSPCAPSD, CSPCAPSD, SPCAPSD, Status, from_blocks
from sparsecone.data import as_samples
from sparsecone.linalg.anderson import Anderson
from sparsecone.linalg.types import Array
from sparsecone.model.losses import Robust
from sparsecone.model.problem import Problem
from sparsecone.solve import solve
from sparsecone.solvers import Lyapunov, lyapunov, majorised, make_plan
from sparsecone.solvers.lyapunov import Steps

from oracle import optimum


def problem_of(X: Array, lam: float, *, recenter: bool = True) -> Problem:
    return Problem(as_samples(X, weighed=True), Robust(recenter=recenter), lam, 0.0)


def samples(n: int, d: int, seed: int = 0) -> Array:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2)) @ rng.normal(size=(2, d)) + 0.3 * rng.normal(size=(n, d))
    X[0] += 4.0
    return X


@pytest.mark.parametrize("recenter", [False, True])
@pytest.mark.parametrize("lam", [0.6, 1.5, 3.0])
def test_the_optimum_is_that_of_a_general_solver(lam: float, recenter: bool) -> None:
    X = samples(20, 6)
    solution = solve(problem_of(X, lam, recenter=recenter), plan_of(X, lam, recenter), tol=1e-6)
    expected = optimum(X, lam, 0.0, delta=0.0, offset=recenter)
    assert solution.status is Status.CONVERGED
    assert solution.solver == "lyapunov"
    assert solution.value == pytest.approx(expected, rel=2e-6)
    assert solution.bound <= expected * (1.0 + 1e-7)


@pytest.mark.parametrize("seed", [2, 3])
@pytest.mark.parametrize("loss", [{}, {"delta": 0.0, "offset": True}], ids=["squared", "robust"])
def test_without_a_trace_symmetry_is_all_that_the_cone_asks_for(
    loss: dict[str, Any], seed: int
) -> None:
    X = np.random.default_rng(seed).integers(-3, 4, size=(8, 6)).astype(float)
    lam = 5.0 if loss else 50.0
    on_cone, symmetric, free = (
        optimum(X, lam, 0.0, over=over, **loss) for over in ("psd", "symmetric", "any")
    )
    assert symmetric == pytest.approx(on_cone, rel=1e-6)
    # The optimum over all matrices is not on the cone, whatever the paper's first theorem says.
    assert free < (1.0 - 1e-3) * symmetric
    if loss:
        found = solve(problem_of(X, lam), plan_of(X, lam, True), tol=1e-6)
        assert free < found.bound <= on_cone * (1.0 + 1e-7)


def plan_of(X: Array, lam: float, recenter: bool) -> Any:
    return make_plan(problem_of(X, lam, recenter=recenter), "lyapunov")


@settings(max_examples=15, deadline=None)
@given(n=st.integers(3, 30), d=st.integers(2, 12), seed=st.integers(0, 100))
def test_the_objective_falls_with_every_plain_step(n: int, d: int, seed: int) -> None:
    steps = Steps(problem_of(samples(n, d, seed), 0.4), 1e-6, None)
    values = []
    for _ in range(8):
        steps.take()
        # Without a history there is nothing to mix, and the smoothing is held.
        steps.anderson.forget()
        steps._mix()
        values.append(steps.value)
        steps.smooth_value = np.inf
    assert all(after <= before * (1.0 + 1e-6) for before, after in pairwise(values))


def test_mixtures_save_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    X = load_digits().data[::3]
    mixed = AWSPCAPSD(n_features_to_select=4).fit(X).solution_
    monkeypatch.setattr(Anderson, "mixture", lambda _, length: np.eye(length)[-1])
    plain = AWSPCAPSD(n_features_to_select=4).fit(X).solution_
    assert mixed.status is plain.status is Status.CONVERGED
    assert mixed.n_iter < 0.6 * plain.n_iter


KINDS = {
    "dense": lambda X: X,
    "csr": sp.csr_matrix,
    "blocks": lambda X: from_blocks([X[:11], X[11:30], X[30:]]),
    "single": lambda X: X.astype(np.float32),
}


@pytest.mark.parametrize("kind", KINDS)
def test_all_kinds_of_data_have_the_same_optimum(kind: str) -> None:
    X = samples(50, 9).astype(np.float32).astype(np.float64)
    dense = AWSPCAPSD(n_features_to_select=3).fit(X).solution_
    found = AWSPCAPSD(n_features_to_select=3).fit(KINDS[kind](X)).solution_
    assert found.solver == "lyapunov"
    assert found.status is Status.CONVERGED
    assert found.value == pytest.approx(dense.value, rel=2e-4)
    assert max(found.bound, dense.bound) <= min(found.value, dense.value) * (1.0 + 1e-12)


@pytest.mark.parametrize("model", [AWSPCAPSD, CSPCAPSD])
def test_wide_data_are_solved_in_a_subspace(model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    X = samples(12, 150)
    named = {"lam": 0.3, "units": "absolute", "n_features_to_select": 3}
    named |= {} if model is AWSPCAPSD else {"eta": 0.0}
    wide = model(**named).fit(X).solution_
    monkeypatch.setattr(majorised, "WIDE", 1000)
    whole = model(**named).fit(X).solution_
    assert wide.status is whole.status is Status.CONVERGED
    assert wide.value == pytest.approx(whole.value, rel=2e-4)
    assert max(wide.bound, whole.bound) <= min(wide.value, whole.value) * (1.0 + 1e-12)


def test_samples_that_are_reproduced_exactly_are_proven() -> None:
    # With hardly any penalty all residuals vanish, whatever n and d are.
    for shape in ((2, 6), (9, 9), (5, 40)):
        solution = AWSPCAPSD(n_features_to_select=1).fit(samples(*shape)).solution_
        assert solution.status is Status.CONVERGED


def test_another_solver_takes_over_where_it_is_stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Steps, "is_stuck", property(lambda self: self.idle >= 0))
    solution = AWSPCAPSD(n_features_to_select=2, lam=0.1).fit(samples(30, 6)).solution_
    assert solution.solver == "lyapunov, admm"
    assert solution.status is Status.CONVERGED


def test_a_start_is_where_it_begins() -> None:
    X = samples(40, 7)
    problem = problem_of(X, 0.5)
    cold = solve(problem, plan_of(X, 0.5, True), tol=1e-8)
    point = problem.evaluate(cold.factor, cold.offset)
    warm = list(Lyapunov().iterate(problem, tol=1e-4, start=point))
    assert warm[0].point is not None
    assert warm[0].point.value <= cold.value * (1.0 + 1e-3)


@pytest.mark.parametrize(
    ("model", "named"), [(SPCAPSD, {}), (AWSPCAPSD, {"lam": 0.0}), (CSPCAPSD, {"eta": 0.1})]
)
def test_what_has_no_such_equation_is_refused(model: Any, named: dict[str, float]) -> None:
    X = as_samples(samples(20, 4), weighed=True)
    problem = model(**named)._problem(X)
    with pytest.raises(ValueError, match="solver='lyapunov' is for AWSPCAPSD with lam > 0"):
        make_plan(problem, "lyapunov")


def test_steps_in_a_subspace_announce_how_it_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    # From far away the first steps are rough, and later ones are not.
    monkeypatch.setattr(lyapunov, "has_spectral_start", lambda _: False)
    problem = problem_of(samples(10, 200), 2.0)
    steps, sizes, announced = Steps(problem, 1e-6, None), [], [1.0]
    for _ in range(4):
        steps.take()
        sizes.append(len(steps.reconstruction.W.core))
        announced.append(steps.growth)
    np.testing.assert_allclose(announced[1:-1], [(b / a) ** 2 for a, b in pairwise(sizes)])
    assert announced[1] > 2.0
    dense = Steps(problem_of(samples(40, 6), 2.0), 1e-6, None)
    dense.take()
    assert dense.growth == 1.0


@pytest.mark.parametrize(
    ("gap", "solved", "growth", "tries"),
    [
        (1e-4, 1e-5, 1.0, True),
        (1.6e-4, 1e-5, 1.0, False),
        (1e-4, 1e-2, 7.9, False),
        # Another step would cost more than a bound that may be enough.
        (1e-4, 1e-2, 8.0, True),
        (1.6e-4, 1e-2, 100.0, False),
    ],
)
def test_in_a_subspace_a_bound_waits_for_an_equation_that_is_solved_unless_that_is_dear(
    gap: float, solved: float, growth: float, tries: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    X = np.random.default_rng(0).normal(size=(5, 40))
    steps = Steps(Problem(as_samples(X, weighed=True), Robust(recenter=True), 1.0, 0.0), 1e-4, None)
    steps.equation.low_rank = True
    monkeypatch.setattr(Steps, "growth", growth)
    steps.gap, steps.solved = gap, solved
    assert steps.is_likely == tries
