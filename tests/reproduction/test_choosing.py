"""The study: from fabricated rows, and end to end on the digits."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from sparsecone.cli.app import app
from sparsecone.reproduction.cell import Cell, Row
from sparsecone.reproduction.choosing import report
from sparsecone.reproduction.measure import run_cell
from sparsecone.reproduction.methods import METHODS
from sparsecone.reproduction.plan import shipped_plan
from sparsecone.reproduction.results import Results
from sparsecone.reproduction.section import Block, Figure, Points, Table
from sparsecone.reproduction.store import read_rows
from sparsecone.reproduction.study import DEFAULT, LABELLED, RANDOM, Study
from sparsecone.reproduction.time_limit import time_limit

from fabricated import emptied, fabricate

PLAN = """
[[runs]]
datasets = ["digits"]
methods = ["SPCA-PSD (auto)", "SPCA-PSD (auto, scores)", "Highest variance", "All features"]
n_features = [10, 30]
n_runs = 2
keep = ["selected"]

[[runs]]
datasets = ["digits"]
methods = ["Random subset"]
seeds = [0, 1]
n_features = [10, 30]
n_runs = 2
keep = ["selected"]
"""


def row(method: str, acc: float, dataset: str = "digits", **settings: object) -> Row:
    return fabricate(Cell(dataset=dataset, method=method, n_features=(10, 30), **settings), acc=acc)  # type: ignore[arg-type]


def words(*rows: Row) -> str:
    return text_of(report(Results(rows)))


def text_of(blocks: Sequence[Block]) -> str:
    """Return all sentences, and the table of who is ahead."""
    told = []
    for block in blocks:
        if isinstance(block, Points):
            told += block.sentences
        elif isinstance(block, Table) and block.columns == ("Data", "Ahead"):
            told += [": ".join(line) for line in block.rows]
        elif isinstance(block, str):
            told.append(block)
    return " ".join(told)


def test_a_small_plan_runs_end_to_end(tmp_path: Path) -> None:
    plan, out = tmp_path / "plan.toml", tmp_path / "out"
    plan.write_text(PLAN)
    result = CliRunner().invoke(app, ["reproduce", "choosing", "--plan", plan, "--out", out])  # type: ignore[list-item]
    assert result.exit_code == 0, result.output
    assert len(read_rows(out / "rows.jsonl")) == 6
    page = (out / "choosing.md").read_text()
    assert page.startswith("# Choosing without labels\n")
    assert "Against random subsets the default is" in page
    assert "| SPCA-PSD (auto, scores) |" in page
    assert r"\caption{ACC in \%, mean over" in (out / "choosing.tex").read_text()
    ET.fromstring((out / "figures" / "choosing_acc.svg").read_text())


def test_the_default_is_ahead_or_behind_as_the_rows_say() -> None:
    others = (row(LABELLED[0], 60.0), row(RANDOM, 50.0))
    above, below = (words(row(DEFAULT, acc), *others) for acc in (61.0, 53.0))
    assert "1.0 points of mean ACC ahead on 1 data set" in above
    assert "7.0 points of mean ACC behind" in below
    assert "3.0 points of mean ACC ahead" in below
    assert "digits (scikit-learn): SPCA-PSD (published) (by 7.0)" in below
    for text in (above, below):
        assert "Reached" not in text
        assert "Missed" not in text


def test_a_zero_matrix_is_nobodys_best_setting() -> None:
    zero = emptied(row(LABELLED[0], 99.0, parameters={"eta": 1e4}))
    rows = (row(DEFAULT, 61.0), row(LABELLED[0], 60.0), row(RANDOM, 50.0))
    assert words(*rows, zero) == words(*rows)


def test_a_part_of_a_grid_is_not_compared() -> None:
    rows = (row(DEFAULT, 60.0), row("SPCAFS", 65.0, parameters={"lam": 1.0}))
    waiting = Cell(dataset="digits", method="SPCAFS", parameters={"lam": 2.0})
    assert Study(Results(rows)).lead("digits", "SPCAFS", "acc") == pytest.approx(-5.0)
    assert Study(Results(rows, (), (waiting,))).lead("digits", "SPCAFS", "acc") is None


def test_one_data_set_says_nothing_about_others() -> None:
    behind, ahead = (words(row(DEFAULT, 60.0), row("FPS", acc)) for acc in (59.0, 61.0))
    assert "**On 1 data set no other selection without labels has a higher mean ACC" in behind
    assert "**On 1 data set FPS has a mean ACC 1.0 points above the default" in ahead
    for text in (behind, ahead):
        assert "1 data set is too few for a test, so this says nothing about other data" in text


@pytest.mark.parametrize(
    ("leads", "said"),
    [
        ((1, 2, 3, 4, 5, 6), "more than chance explains (Wilcoxon's signed-rank test"),
        ((1, -2, 3, -4, 5, -6), "the two are not told apart (Wilcoxon's signed-rank test"),
        ((0, 0, 0, 0, 0, 0), "the two are not told apart (Wilcoxon's signed-rank test"),
    ],
)
def test_several_data_sets_are_tested(leads: tuple[float, ...], said: str) -> None:
    names = ("digits", "isolet", "usps", "pie", "colon", "allaml")
    rows = [row(DEFAULT, 60.0 + lead, name) for name, lead in zip(names, leads, strict=True)]
    assert said in words(*rows, *(row("FPS", 60.0, name) for name in names))


@pytest.mark.parametrize(
    ("fps", "labelled", "phrase"),
    [
        (70.0, 50.0, "has 2.00, behind FPS (1.00)"),
        (50.0, 70.0, "has 2.00, behind SPCA-PSD (published) (1.00)"),
        (50.0, 50.0, "1.00, the best of all"),
    ],
)
def test_who_is_before_the_default_in_rank_is_named(
    fps: float, labelled: float, phrase: str
) -> None:
    accuracies = {DEFAULT: 60.0, "FPS": fps, LABELLED[0]: labelled, RANDOM: 40.0}
    rows = [
        row(method, acc, name)
        for name in ("digits", "isolet")
        for method, acc in accuracies.items()
    ]
    assert phrase in words(*rows)


def test_differences_are_over_the_numbers_of_features_that_both_have() -> None:
    ours, theirs = row(DEFAULT, 60.0), row("RNE", 55.0)
    ours["scores"][0]["acc_mean"] = 0.0
    theirs["scores"] = theirs["scores"][1:]
    assert Study(Results((ours, theirs))).lead("digits", "RNE", "acc") == pytest.approx(5.0)


def test_only_a_choice_among_settings_is_starred_and_missing_results_are_named() -> None:
    rows = [row(DEFAULT, 60.0), row(DEFAULT, 60.0, "isolet"), row(RANDOM, 50.0, seed=1)]
    rows += [row("SPCAFS", acc, parameters={"lam": acc}) for acc in (55.0, 65.0)]
    blocks = report(Results(tuple(rows)))
    table = next(block for block in blocks if isinstance(block, Table))
    assert [line[0] for line in table.rows] == [DEFAULT, "SPCAFS *", RANDOM]
    assert [line[1] for line in table.rows][:2] == ["60.0", "65.0"]
    text = text_of(blocks)
    assert "Without a result: SPCAFS on Isolet; Random subset on Isolet." in text


def test_the_shipped_plan_makes_a_whole_page() -> None:
    cells = {
        cell.key: cell for name in ("choosing", 3) for cell in shipped_plan(name, "quick").cells
    }
    rows = [fabricate(cell) for cell in cells.values()]
    for fabricated in rows:
        # Its features are not those of the data set.
        del fabricated["selected"]
    blocks = report(Results(tuple(rows)))
    figures = [block.name for block in blocks if isinstance(block, Figure)]
    assert figures == ["choosing_ranks", "choosing_acc"]
    for block in blocks:
        if isinstance(block, Table):
            assert {len(line) for line in block.rows} == {len(block.columns)}


def test_controls_of_the_study_are_those_of_experiment_3() -> None:
    shared = {cell.key for cell in shipped_plan("choosing", "standard").cells} & {
        cell.key for cell in shipped_plan(3, "standard").cells
    }
    # On 7 data sets 10 random subsets, on MNIST 3; all features and highest variance on all 8.
    assert len(shared) == 7 * 10 + 3 + 2 * 8


@pytest.mark.parametrize(
    "method", [name for name, method in METHODS.items() if method.kind == "further"]
)
def test_further_methods_order_all_features(method: str) -> None:
    done = run_cell(
        Cell(dataset="digits", method=method, n_features=(20,), n_runs=1, keep=("selected",))
    )
    assert done["status"] == "done", done
    assert sorted(done["selected"]) == list(range(64))


def test_what_takes_too_long_ends_and_what_does_not_goes_on() -> None:
    def forever() -> None:
        with time_limit(0.05):
            while True:
                np.ones(10).sum()

    with pytest.raises(TimeoutError, match=r"not done within 0\.05 seconds of CPU"):
        forever()
    for seconds in (60.0, None):
        with time_limit(seconds):
            assert np.ones(10).sum() == 10.0
