"""Lines that are shorter than their rows, and give them back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sparsecone.reproduction.cell import Cell
from sparsecone.reproduction.measure import run_cell
from sparsecone.reproduction.row_text import RowWriter, rows_of

from fabricated import fabricate

CELLS = [
    Cell(dataset="digits", method="UDFS", seed=seed, n_runs=3, keep=("selected",))
    for seed in range(3)
]


def test_rows_come_back_and_what_they_share_is_written_once() -> None:
    rows = [fabricate(cell) for cell in CELLS]
    writer = RowWriter()
    lines = b"".join(map(writer.text, rows)).splitlines()
    assert len(lines) == len(rows) + 1
    assert list(rows_of(lines)) == rows
    assert sum(map(len, lines[1:])) < 0.6 * sum(len(json.dumps(row)) for row in rows)


def test_a_real_row_comes_back() -> None:
    row = run_cell(Cell(dataset="two-moon", method="SPCA-PSD", n_features=(2,), n_runs=1))
    assert list(rows_of(RowWriter().text(row).splitlines())) == [row]


def test_a_writer_knows_what_earlier_rows_share() -> None:
    first, second = (fabricate(cell) for cell in CELLS[:2])
    assert RowWriter([first]).text(second).count(b"\n") == 1


@pytest.mark.parametrize("other", [{"machine": {"numpy": "0.1"}}, {"n_runs": 7}, {"read": {}}])
def test_rows_that_share_less_are_told_apart(other: dict[str, Any]) -> None:
    first, second = (fabricate(cell) for cell in CELLS[:2])
    machine = {**second["machine"], **other.get("machine", {})}
    second = {**second, **other, "machine": machine}
    writer = RowWriter()
    lines = (writer.text(first) + writer.text(second)).splitlines()
    assert len(lines) == 4
    assert list(rows_of(lines)) == [first, second]


def test_rows_of_other_studies_keep_their_scores() -> None:
    row = {**fabricate(CELLS[0]), "scores": {"50": {"nmi": 1.0}}}
    assert list(rows_of(RowWriter().text(row).splitlines())) == [row]
