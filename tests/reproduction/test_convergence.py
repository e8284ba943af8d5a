"""Experiment 5 and Theorem 2."""

from __future__ import annotations

import pytest

from sparsecone.reproduction.cell import Cell, Row
from sparsecone.reproduction.claims import Outcome
from sparsecone.reproduction.convergence import judge
from sparsecone.reproduction.results import Results

from fabricated import fabricate


def row(history: list[float], dataset: str = "pie", n_iter: int = 20) -> Row:
    cell = Cell(dataset=dataset, method="SPCA-PSD (published)", n_runs=0, keep=("history",))
    return {**fabricate(cell), "history": history, "n_iter": n_iter}


@pytest.mark.parametrize(
    ("history", "expected"),
    [
        ([9.0, 3.0, 2.0, 2.0], Outcome.REPRODUCED),
        ([9.0, 3.0, 2.0, 2.0 * (1.0 + 1e-12)], Outcome.REPRODUCED),
        ([9.0, 3.0, 2.0, 2.1], Outcome.NOT_REPRODUCED),
    ],
)
def test_theorem_2_holds_only_where_no_step_rises(history: list[float], expected: Outcome) -> None:
    verdict = judge(Results((row(history),)))[1]
    assert verdict.outcome is expected
    assert ("Frobenius metric" in verdict.numbers) == (expected is Outcome.NOT_REPRODUCED)


@pytest.mark.parametrize(
    ("history", "n_iter", "expected"),
    [
        ([9.0, 1.0, 1.0], 49, Outcome.REPRODUCED),
        ([9.0, 1.0, 1.0], 50, Outcome.NOT_REPRODUCED),
        ([20.0 - k for k in range(19)], 19, Outcome.NOT_REPRODUCED),
    ],
)
def test_few_iterations_and_a_rapid_fall(
    history: list[float], n_iter: int, expected: Outcome
) -> None:
    assert judge(Results((row(history, n_iter=n_iter),)))[0].outcome is expected


def test_sets_that_are_not_in_the_papers_figure_do_not_judge_its_speed() -> None:
    other = row([9.0, 3.0], "isolet", n_iter=90)
    assert judge(Results((other,)))[0].outcome is Outcome.UNTESTABLE
    assert judge(Results((other, row([9.0, 1.0, 1.0]))))[0].outcome is Outcome.REPRODUCED
