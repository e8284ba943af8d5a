"""Experiment 6."""

from __future__ import annotations

import pytest

from sparsecone.reproduction.cell import Cell, Row
from sparsecone.reproduction.claims import Outcome
from sparsecone.reproduction.grid import METHOD, Grid, follows_rule
from sparsecone.reproduction.paper import GRID
from sparsecone.reproduction.results import Results
from sparsecone.reproduction.rule_verdicts import judge

from fabricated import emptied, fabricate


@pytest.mark.parametrize(
    ("lam", "eta", "expected"),
    [(1e2, 1e3, True), (1e3, 1e4, True), (2e2, 1e3, False), (1.0, 9e2, False), (1.0, 2e4, False)],
)
def test_rule_of_the_paper(lam: float, eta: float, expected: bool) -> None:
    assert follows_rule({"lam": lam, "eta": eta, "trace": 1e5}) is expected


def scored(lam: float, eta: float, acc: float) -> Row:
    parameters = {"lam": lam, "eta": eta}
    return fabricate(Cell(dataset="isolet", method=METHOD, parameters=parameters), acc=acc)


def timed(lam: float, eta: float, seconds: float) -> Row:
    parameters = {"lam": lam, "eta": eta}
    cell = Cell(dataset="isolet", method=METHOD, parameters=parameters, n_runs=0, repeats=5)
    return {**fabricate(cell), "seconds": seconds}


def outcomes_of(inside: list[float], outside: list[float]) -> list[Outcome]:
    """Return the verdicts on peak and rule. The trace is 1e5: 1e3 follows the rule, 1e-4 not."""
    rows = [scored(1.0 + k, 1e3, acc) for k, acc in enumerate(inside)]
    rows += [scored(1.0 + k, 1e-4, acc) for k, acc in enumerate(outside)]
    return [verdict.outcome for verdict in judge(Results(tuple(rows)))[:2]]


@pytest.mark.parametrize(
    ("inside", "outside", "holds"),
    [
        ([60.0, 61.0, 62.0, 60.5], [50.0, 51.0, 52.0, 53.0, 54.0], True),
        # Better in the mean, but one elsewhere is better than all: no peak.
        ([60.0, 61.0, 62.0, 60.5], [50.0, 51.0, 52.0, 53.0, 66.0], False),
        # None elsewhere is better, but those there are no better either.
        ([50.0, 51.0, 62.0, 50.5], [50.0, 51.0, 52.0, 53.0, 54.0], False),
    ],
)
def test_a_peak_is_higher_as_a_whole_and_nowhere_surpassed(
    inside: list[float], outside: list[float], holds: bool
) -> None:
    expected = Outcome.REPRODUCED if holds else Outcome.NOT_REPRODUCED
    assert outcomes_of(inside, outside) == [expected] * 2


def test_the_best_of_many_settings_is_high_by_chance() -> None:
    # 1.5 points at an error of 0.5 is beyond chance for one setting, not for one of sixty.
    inside = [60.0] * 6
    assert outcomes_of(inside, [61.5, *[40.0] * 9])[0] is Outcome.NOT_REPRODUCED
    assert outcomes_of(inside, [61.5, *[40.0] * 59])[0] is Outcome.REPRODUCED


def test_what_selects_nothing_has_no_place_on_the_grid() -> None:
    rows = (scored(10.0, 1e3, 60.0), emptied(scored(10.0, 1e4, 99.0)))
    assert [(each.lam, each.eta) for each in Grid(Results(rows), "isolet").settings] == [(10, 1e3)]


def test_times_are_judged_on_the_papers_lines() -> None:
    # Held at 1e3 on Isolet: with eta fixed fast, and slow from lambda = 100 on.
    lines = [timed(value, 1e3, 1.0 + (value >= 100.0) * value) for value in GRID if value != 1e3]
    lines += [timed(1e3, value, 5e4 + value) for value in GRID]
    order, rise = judge(Results(tuple(lines)))[2:]
    assert order.outcome is rise.outcome is Outcome.REPRODUCED
    slower = [{**row, "seconds": 1.0 / row["seconds"]} for row in lines]
    assert [verdict.outcome for verdict in judge(Results(tuple(slower)))[2:]] == [
        Outcome.NOT_REPRODUCED
    ] * 2
    loaded = [{**row, "repeats": 1} for row in lines]
    assert [verdict.outcome for verdict in judge(Results(tuple(loaded)))[2:]] == [
        Outcome.UNTESTABLE
    ] * 2
