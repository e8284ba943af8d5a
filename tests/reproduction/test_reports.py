"""Tables, figures and sentences from rows that no run was needed for."""

from __future__ import annotations

import pytest

from sparsecone.reproduction.catalogue import EXPERIMENTS
from sparsecone.reproduction.cell import Cell
from sparsecone.reproduction.measure import failed_row
from sparsecone.reproduction.paper import PSD_TEST
from sparsecone.reproduction.plan import shipped_plan
from sparsecone.reproduction.results import Results, best_score, scores_of
from sparsecone.reproduction.section import Figure, Section, Table
from sparsecone.reproduction.sensitivity import follows_rule
from sparsecone.reproduction.verdict import Comparison, control_sentences, verdict

from fabricated import fabricate, results_of
from shared import folder


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


def test_pixels_are_shown_where_the_faces_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARSECONE_DATA", str(folder("data")))
    cells = [cell for cell in shipped_plan(3, "standard").cells if cell.dataset == "pie"]
    section = EXPERIMENTS[3].section(Results(tuple(map(fabricate, cells))))
    assert "3_pixels" in [block.name for block in section.blocks if isinstance(block, Figure)]


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


def test_seeds_are_pooled_and_settings_are_not() -> None:
    seeds = [
        Cell(dataset="digits", method="Random subset", seed=s, n_features=(9,)) for s in (0, 1)
    ]
    low, high = (fabricate(cell, acc=acc) for cell, acc in zip(seeds, (40.0, 46.0), strict=True))
    pooled = scores_of([low, high])[9]
    assert pooled.acc == 43.0
    # Within 2 a seed, between seeds 3: the variances add.
    assert pooled.acc_std == pytest.approx((2.0**2 + 3.0**2) ** 0.5)
    other = Cell(dataset="digits", method="Random subset", n_features=(9,), parameters={"a": 1})
    best = best_score([low, high, fabricate(other, acc=45.0)], 9)
    assert best is not None
    assert best.acc == 45.0
    assert best_score([low], 10) is None


@pytest.mark.parametrize(
    ("lam", "eta", "expected"),
    [(1e2, 1e3, True), (1e3, 1e4, True), (2e2, 1e3, False), (1.0, 9e2, False), (1.0, 2e4, False)],
)
def test_rule_of_the_paper(lam: float, eta: float, expected: bool) -> None:
    assert follows_rule({"lam": lam, "eta": eta, "trace": 1e5}) is expected
