"""Experiment 1."""

from __future__ import annotations

from sparsecone.reproduction.catalogue import EXPERIMENTS
from sparsecone.reproduction.paper import PSD_TEST
from sparsecone.reproduction.plan import shipped_plan
from sparsecone.reproduction.results import Results
from sparsecone.reproduction.section import Section, Table

from fabricated import fabricate


def isolet_section(acc: float) -> Section:
    cells = [cell for cell in shipped_plan(1, "full").cells if cell.dataset == "isolet"]
    return EXPERIMENTS[1].section(Results(tuple(fabricate(cell, acc=acc) for cell in cells)))


def test_verdicts_follow_the_rows() -> None:
    printed = PSD_TEST["isolet", "CSPCA-PSD"]
    table = next(block for block in isolet_section(printed.acc).blocks if isinstance(block, Table))
    verdicts = {row[1]: row[-1] for row in table.rows}
    assert verdicts["CSPCA-PSD, as stated"].startswith("not reproduced")
    assert "iterations differ (20, not 25)" in verdicts["CSPCA-PSD, as stated"]
    assert verdicts["Random subset"] == ""
