"""What every experiment has to say."""

from __future__ import annotations

import pytest

from sparsecone.reproduction.catalogue import EXPERIMENTS
from sparsecone.reproduction.measure import failed_row
from sparsecone.reproduction.plan import shipped_plan
from sparsecone.reproduction.results import Results
from sparsecone.reproduction.section import Figure, Table

from fabricated import results_of


@pytest.mark.parametrize("number", EXPERIMENTS)
def test_every_experiment_has_tables_figures_and_sentences(number: int) -> None:
    section = EXPERIMENTS[number].section(results_of(shipped_plan(number, "quick")))
    for kind in (Table, Figure, str):
        assert any(isinstance(block, kind) for block in section.blocks)
    for block in section.blocks:
        if isinstance(block, Table):
            assert block.rows
            assert {len(row) for row in block.rows} == {len(block.columns)}
        if isinstance(block, Figure):
            assert block.svg.startswith("<svg")


@pytest.mark.parametrize("number", EXPERIMENTS)
def test_an_experiment_without_results_says_what_is_missing(number: int) -> None:
    plan = shipped_plan(number, "full")
    failed = failed_row(plan.cells[0], "ValueError: odd")
    section = EXPERIMENTS[number].section(Results((failed,), ("isolet",), len(plan.cells)))
    text = " ".join(block for block in section.blocks if isinstance(block, str))
    assert "Isolet" in text
    assert f"{len(plan.cells) - 1} of the {len(plan.cells)} cells" in text
    assert "1 cells failed" in text
    assert "ValueError: odd" in text


@pytest.mark.parametrize(("number", "measures"), [(1, 1), (3, 2), (6, 1)])
def test_controls_are_on_every_plot_of_scores(number: int, measures: int) -> None:
    section = EXPERIMENTS[number].section(results_of(shipped_plan(number, "quick")))
    figures = [block for block in section.blocks if isinstance(block, Figure)]
    scored = [f for f in figures if "ACC" in f.caption or "NMI" in f.caption]
    with_controls = [f for f in scored if "Random subset" in f.svg and "All features" in f.svg]
    assert len(with_controls) >= measures
