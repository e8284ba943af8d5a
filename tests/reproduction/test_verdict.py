"""Sentences on agreement with printed numbers."""

from __future__ import annotations

import pytest

from sparsecone.reproduction.catalogue import EXPERIMENTS
from sparsecone.reproduction.plan import shipped_plan
from sparsecone.reproduction.results import Results
from sparsecone.reproduction.section import Section
from sparsecone.reproduction.verdict import Comparison, control_sentences, verdict

from fabricated import fabricate


def isolet_section(acc: float) -> Section:
    cells = [cell for cell in shipped_plan(1, "full").cells if cell.dataset == "isolet"]
    return EXPERIMENTS[1].section(Results(tuple(fabricate(cell, acc=acc) for cell in cells)))


@pytest.mark.parametrize(
    ("acc", "phrase"),
    [(70.0, "every one of the 4 entries"), (20.0, "none of the 4 entries")],
)
def test_the_page_says_where_the_controls_stand(acc: float, phrase: str) -> None:
    sentences = [block for block in isolet_section(acc).blocks if isinstance(block, str)]
    about_random = [text for text in sentences if "a random subset of 100 features" in text]
    assert len(about_random) == 1
    assert f"reaches ACC {acc:.1f}" in about_random[0]
    assert phrase in about_random[0]


def test_controls_are_compared_with_the_papers_sets_only() -> None:
    plan = shipped_plan(1, "quick")
    cells = [cell for cell in plan.cells if cell.dataset == "digits"]
    assert control_sentences(Results(tuple(map(fabricate, cells))), 30) == []


@pytest.mark.parametrize(
    ("ours", "expected"),
    [(42.0, "agrees (0.0 sd)"), (46.0, "agrees (2.0 sd)"), (46.2, "not reproduced (2.1 sd)")],
)
def test_two_standard_deviations_divide_agreement_from_difference(
    ours: float, expected: str
) -> None:
    assert verdict([Comparison(42.0, 42.0, 2.0), Comparison(ours, 42.0, 2.0)]) == expected
