"""Experiment 3."""

from __future__ import annotations

import pytest

from sparsecone.reproduction.catalogue import EXPERIMENTS
from sparsecone.reproduction.plan import shipped_plan
from sparsecone.reproduction.results import Results
from sparsecone.reproduction.section import Figure

from fabricated import fabricate
from shared import folder


def test_pixels_are_shown_where_the_faces_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARSECONE_DATA", str(folder("data")))
    cells = [cell for cell in shipped_plan(3, "standard").cells if cell.dataset == "pie"]
    section = EXPERIMENTS[3].section(Results(tuple(map(fabricate, cells))))
    assert "3_pixels" in [block.name for block in section.blocks if isinstance(block, Figure)]
