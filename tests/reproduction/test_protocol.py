"""Data, protocol and cells as tables."""

from __future__ import annotations

import pytest

from sparsecone.reproduction.measure import failed_row
from sparsecone.reproduction.plan import parse_plan, shipped_plan
from sparsecone.reproduction.protocol import (
    absent_sentences,
    cells_table,
    coverage_table,
    data_table,
    protocol_table,
    reasons_table,
)
from sparsecone.reproduction.results import Results

from fabricated import emptied, fabricate, results_of

PLAN = parse_plan(
    """
[[runs]]
datasets = ["isolet", "colon", "lung"]
methods = ["SPCA-PSD (published)"]
scaling = "grey"
n_runs = 10
[runs.parameters]
lam = [1.0, 10.0]
eta = [1.0, 10.0]
""",
    name="small",
)


@pytest.fixture
def results() -> Results:
    """Of 12 cells 4 have no data, 2 are empty, 3 failed, 1 has not run."""
    present = [cell for cell in PLAN.cells if cell.dataset != "lung"]
    rows = [fabricate(cell) for cell in present[:2]]
    rows += [emptied(fabricate(cell)) for cell in present[2:4]]
    rows += [
        failed_row(cell, f"TimeoutError: not done within {seconds} seconds of CPU time")
        for cell, seconds in zip(present[4:7], (60, 60, 120), strict=True)
    ]
    return Results(tuple(rows), ("lung",), PLAN.cells)


def test_every_cell_is_counted_once(results: Results) -> None:
    (line,) = cells_table({3: results}).rows
    assert line == ("3", "12", "2", "2", "3", "1", "4", "0")


def test_reasons_that_differ_in_numbers_are_one(results: Results) -> None:
    (table,) = reasons_table({3: results})
    found = {(state, cells) for state, _, cells, *_ in table.rows}
    assert found == {("empty", "2"), ("failed", "3")}


def test_the_absent_are_named(results: Results) -> None:
    away, waiting = absent_sentences({3: results})
    assert "lung.mat" in away
    assert waiting == "Planned, but not run (cells): experiment 3: colon (1)."


def test_coverage_is_scored_of_planned(results: Results) -> None:
    table = coverage_table(results)
    assert table.columns == ("Method", "Isolet", "colon")
    assert table.rows == (("SPCA-PSD (published)", "2 / 4", "0 / 4"),)


def test_what_differs_from_the_paper_is_marked(results: Results) -> None:
    (line,) = protocol_table({3: results}).rows
    sets, scaling, settings, _, runs, seeds = line[1:]
    assert sets == "≠ 1 of 10 and 1 more"
    assert scaling == "grey"
    assert settings == "≠ 4 (2 parameters)"
    assert runs.startswith("≠ 10")
    assert seeds == "1 (SPCA-PSD (published))"
    data = {row[0]: row for row in data_table({3: results}).rows}
    assert data["colon"][6] == "≠ no"
    assert data["Isolet"][6:8] == ("yes", "3")
    assert set(data) == {"Isolet", "colon", "Lung"}


def test_settings_over_the_noise_are_counted_apart() -> None:
    (line,) = protocol_table({2: results_of(shipped_plan(2, "standard"))}).rows
    whole, over_noise = line[3].split("; over the noise ")
    assert whole == "9 (1 parameter), 81 (2 parameters)"
    assert over_noise.startswith("≠ ")


@pytest.mark.parametrize("number", range(1, 7))
def test_the_papers_own_setting_has_a_line(number: int) -> None:
    results = results_of(shipped_plan(number, "full"))
    (line,) = protocol_table({number: results}).rows
    assert len(line) == 7
    assert all(line[:3])
