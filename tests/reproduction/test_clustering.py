"""Experiment 3."""

from __future__ import annotations

import pytest

from sparsecone.reproduction.catalogue import EXPERIMENTS
from sparsecone.reproduction.cell import Cell
from sparsecone.reproduction.plan import shipped_plan
from sparsecone.reproduction.results import Results
from sparsecone.reproduction.section import Figure, Table

from fabricated import fabricate
from shared import folder


def test_pixels_are_shown_where_the_faces_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARSECONE_DATA", str(folder("data")))
    cells = [cell for cell in shipped_plan(3, "standard").cells if cell.dataset == "pie"]
    section = EXPERIMENTS[3].section(Results(tuple(map(fabricate, cells))))
    assert "3_pixels" in [block.name for block in section.blocks if isinstance(block, Figure)]


def test_the_best_is_bold_and_ties_are_italic() -> None:
    accuracies = {"SPCAFS": 60.0, "UDFS": 59.9, "SOGFS": 50.0, "All features": 70.0}
    rows = [
        fabricate(Cell(dataset="pie", method=name, n_features=(50,)), acc=acc)
        for name, acc in accuracies.items()
    ]
    blocks = EXPERIMENTS[3].section(Results(tuple(rows))).blocks
    table = next(b for b in blocks if isinstance(b, Table) and b.name == "3_peak_acc")
    found = dict(table.rows)
    # All features are no selection: nothing is compared with them.
    expected = {"SPCAFS": "**60.0**", "UDFS": "*59.9*", "SOGFS": "50.0", "All features": "70.0"}
    assert found == expected
