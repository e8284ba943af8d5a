"""What every experiment has to say."""

from __future__ import annotations

import pytest

from sparsecone.reproduction.catalogue import EXPERIMENTS
from sparsecone.reproduction.claims import Outcome
from sparsecone.reproduction.measure import failed_row
from sparsecone.reproduction.plan import shipped_plan
from sparsecone.reproduction.results import Results
from sparsecone.reproduction.section import Figure, Table

from fabricated import emptied, fabricate, results_of


@pytest.mark.parametrize("number", EXPERIMENTS)
def test_every_experiment_has_verdicts_tables_and_figures(number: int) -> None:
    section = EXPERIMENTS[number].section(results_of(shipped_plan(number, "quick")))
    assert section.verdicts
    for kind in (Table, Figure):
        assert any(isinstance(block, kind) for block in section.blocks)
    names = [block.name for block in section.blocks if isinstance(block, Table | Figure)]
    assert len(set(names)) == len(names)
    assert all(names)
    for block in section.blocks:
        if isinstance(block, Table):
            assert block.rows
            assert {len(row) for row in block.rows} == {len(block.columns)}
        if isinstance(block, Figure):
            assert block.svg.startswith("<svg")


@pytest.mark.parametrize("number", EXPERIMENTS)
def test_without_results_nothing_is_testable_and_nothing_breaks(number: int) -> None:
    cells = shipped_plan(number, "full").cells
    rows = [failed_row(cell, "ValueError: odd") for cell in cells[:3]]
    rows += [emptied(fabricate(cell)) for cell in cells[3:6] if not cell.is_timing]
    section = EXPERIMENTS[number].section(Results(tuple(rows), ("isolet",), cells))
    assert {verdict.outcome for verdict in section.verdicts} == {Outcome.UNTESTABLE}
    assert not [block for block in section.blocks if isinstance(block, Table)]


@pytest.mark.parametrize("number", EXPERIMENTS)
@pytest.mark.parametrize("part", [2, 5])
def test_any_part_of_the_rows_makes_a_section(number: int, part: int) -> None:
    plan = shipped_plan(number, "quick")
    rows = [fabricate(cell) for cell in plan.cells[::part]]
    rows = [emptied(row) if place % 3 == 0 else row for place, row in enumerate(rows)]
    section = EXPERIMENTS[number].section(Results(tuple(rows), (), plan.cells))
    for block in section.blocks:
        if isinstance(block, Table):
            assert {len(row) for row in block.rows} == {len(block.columns)}


@pytest.mark.parametrize(("number", "measures"), [(1, 1), (3, 2), (6, 1)])
def test_controls_are_on_every_plot_of_scores(number: int, measures: int) -> None:
    plan = shipped_plan(number, "full" if number == 6 else "quick")
    cells = [c for c in plan.cells if number != 6 or c.dataset == "isolet"]
    section = EXPERIMENTS[number].section(Results(tuple(map(fabricate, cells)), (), plan.cells))
    figures = [block for block in section.blocks if isinstance(block, Figure)]
    scored = [f for f in figures if "ACC" in f.caption or "NMI" in f.caption]
    with_controls = [f for f in scored if "Random subset" in f.svg and "All features" in f.svg]
    assert len(with_controls) >= measures
