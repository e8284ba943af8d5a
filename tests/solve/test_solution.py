from __future__ import annotations

import re
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparsecone import SPCAPSD, Solution, Status
from sparsecone.certificate import relative_gap
from sparsecone.data import as_samples
from sparsecone.model.losses import Robust
from sparsecone.model.problem import Point, Problem
from sparsecone.solve import solve
from sparsecone.solve.history import convergence_of
from sparsecone.solve.solution import percent_above
from sparsecone.solvers import Iterate, Plan, make_plan


@pytest.fixture(scope="module")
def solution() -> Solution:
    X = np.random.default_rng(0).standard_normal((30, 8))
    return SPCAPSD(solver="factored", tol=1e-6).fit(X).solution_


def test_it_prints_in_a_line(solution: Solution) -> None:
    text = repr(solution)
    assert "\n" not in text
    assert len(text) < 200
    for part in ("converged", f"{solution.value:.8g}", f"rank {solution.rank}", "factored"):
        assert part in text


def test_notebooks_show_what_matters(solution: Solution) -> None:
    html = solution._repr_html_()
    assert len(html) < 5_000
    tree = ET.fromstring(html)
    cells = [element.text for element in tree.iter("td")]
    assert f"{solution.value:.10g}" in cells
    assert f"{solution.gap:.2g}" in cells
    assert any(f"{solution.n_iter} (" in (cell or "") for cell in cells)
    assert len(list(tree.iter("svg"))) == 1
    assert not re.search(r"#[0-9a-f]{3,6}|rgb\(", html), "colours are the notebook's"


def test_what_is_not_ours_is_escaped(solution: Solution) -> None:
    html = replace(solution, solver="<img src=x>")._repr_html_()
    assert "<img" not in html
    assert "&lt;img" in html


def test_verdict_promises_no_more_than_is_proven(solution: Solution) -> None:
    assert solution.verdict == (
        f"Proven: no matrix W has an objective more than {percent_above(solution.gap)} below that "
        "of the one found."
    )
    exact = replace(solution, bound=solution.value, rounding=0.0)
    assert "no matrix W has a lower objective" in exact.verdict
    unknown = replace(solution, bound=0.0, status=Status.MAX_ITER)
    assert unknown.verdict.startswith("Nothing is proven")
    unproven = replace(solution, status=Status.ESTIMATED, proven=False)
    assert unproven.verdict.startswith("Estimated (it fails with a probability below")
    early = replace(solution, bound=0.9 * solution.value, rounding=0.0, status=Status.MAX_TIME)
    assert "more than 10 % below" in early.verdict
    assert "ended (max_time) before" in early.verdict


@given(st.floats(1e-8, 1.0))
def test_percentages_are_rounded_up_by_less_than_a_tenth(share: float) -> None:
    shown = float(percent_above(share).removesuffix(" %"))
    assert 100 * share * (1 - 1e-9) <= shown <= 100 * share * 1.11


def test_history_as_arrays(solution: Solution) -> None:
    history = convergence_of(solution)
    records = solution.history
    assert history.iterations.tolist() == [record.n_iter for record in records]
    known = [record for record in records if record.bound > 0.0]
    assert np.isnan(history.gaps).sum() == len(records) - len(known)
    expected = [record.gap for record in known]
    np.testing.assert_allclose(history.gaps[-len(known) :], expected, atol=1e-16)
    first = records[0]
    gap = relative_gap(first.value, solution.bound, first.rounding)
    assert history.distances[0] == pytest.approx(gap)


def test_history_without_iterations_or_values(solution: Solution) -> None:
    empty = convergence_of(replace(solution, history=()))
    assert empty.gaps.shape == (0,)
    with pytest.warns(UserWarning, match="constant"):
        nothing = SPCAPSD().fit(np.ones((4, 3))).solution_
    assert convergence_of(nothing).gaps.tolist() == [0.0]
    assert "lower objective" in nothing._repr_html_()


def test_a_fit_states_the_seconds_of_all_its_phases():
    X = np.random.default_rng(0).normal(size=(60, 8)) * np.geomspace(3.0, 0.3, 8)
    started = time.perf_counter()
    solution = SPCAPSD(n_features_to_select=3).fit(X).solution_
    taken = time.perf_counter() - started
    assert list(solution.phases) == ["reading", "weights", "start", "solving", "choosing"]
    assert solution.elapsed == sum(solution.phases.values())
    assert solution.history[-1].elapsed < solution.phases["solving"]
    assert 0.5 * taken < solution.elapsed <= taken


@pytest.mark.parametrize("limit", [{"max_iter": 1}, {"max_time": 1e-9}], ids=str)
def test_a_solve_that_is_cut_short_states_the_bound_of_its_last_step(limit: Any) -> None:
    X = np.random.default_rng(0).normal(size=(30, 8)) * np.arange(1.0, 9.0)
    problem = Problem(as_samples(X), Robust(recenter=True), 20.0, 0.0)
    found = solve(problem, make_plan(problem, "lyapunov"), tol=1e-9, **limit)
    assert found.status in (Status.MAX_ITER, Status.MAX_TIME)
    assert 0.0 < found.bound < found.value < problem.zero.value


class Growing:
    """Short steps, each of which announces that the next one takes a thousand times longer."""

    name: ClassVar[str] = "growing"
    exact: ClassVar[bool] = True
    max_iter: ClassVar[int] = 3

    def iterate(
        self, problem: Problem, *, tol: float, start: Point | None = None
    ) -> Iterator[Iterate]:
        del tol, start
        for _ in range(self.max_iter):
            time.sleep(0.01)
            yield Iterate(problem.zero, growth=1000.0)


@pytest.mark.parametrize(("limit", "expected"), [(5.0, 1), (None, 3)])
def test_no_step_is_begun_that_announces_to_end_too_late(
    limit: float | None, expected: int
) -> None:
    X = np.random.default_rng(0).normal(size=(30, 8))
    problem = Problem(as_samples(X), Robust(recenter=True), 1.0, 0.0)
    plan = Plan(((Growing(), 10),))
    found = solve(problem, plan, max_time=limit)
    assert found.n_iter == expected
    assert found.status is (Status.STALLED if limit is None else Status.MAX_TIME)
