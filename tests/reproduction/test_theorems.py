"""Theorem 1: the counterexamples hold, by a general convex solver too."""

from __future__ import annotations

import pytest

from sparsecone.reproduction.cell import Cell
from sparsecone.reproduction.claims import Outcome
from sparsecone.reproduction.results import Results
from sparsecone.reproduction.theorems import (
    below_the_cone,
    counterexamples,
    example_data,
    theorem_section,
)

from fabricated import fabricate
from oracle import optimum


@pytest.mark.parametrize(("place", "loss"), [(0, {}), (1, {"delta": 0.0, "offset": True})])
def test_a_matrix_off_the_cone_is_better_than_all_on_it(place: int, loss: dict[str, float]) -> None:
    found = counterexamples()[place]
    X = example_data()
    on_cone, free = (
        optimum(X, found.lam, 0.0, over=over, **loss)  # type: ignore[arg-type]
        for over in ("psd", "any")
    )
    assert found.bound == pytest.approx(on_cone, rel=1e-5)
    assert found.bound <= on_cone * (1.0 + 1e-7)
    # What was reached lies above the least over all matrices, and below that of the cone.
    assert free * (1.0 - 1e-7) <= found.free < found.bound


def test_rows_below_the_certified_bound_are_named() -> None:
    free = fabricate(Cell(dataset="pie", method="AW-SPCA", keep=("history",)))
    cone = fabricate(Cell(dataset="pie", method="AW-SPCA-PSD"))
    free["history"], cone["bound"] = [20.0, 10.0], 11.0
    assert below_the_cone(Results((free, cone))) == {"pie": (10.0, 11.0)}
    cone["bound"] = 9.0
    assert below_the_cone(Results((free, cone))) == {}


def test_the_section_has_the_verdict_and_links_the_repair() -> None:
    section = theorem_section(Results(()))
    assert [verdict.outcome for verdict in section.verdicts] == [Outcome.NOT_REPRODUCED]
    assert any("mathematics.md#" in block for block in section.blocks if isinstance(block, str))
