"""Scores that belong to sets of features, and are found once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sparsecone.metrics import evaluate_selection
from sparsecone.reproduction import evaluation
from sparsecone.reproduction.cell import Cell
from sparsecone.reproduction.evaluation import Evaluations, counts_of, evaluate
from sparsecone.reproduction.measure import run_cell
from sparsecone.reproduction.runner import run
from sparsecone.reproduction.sources import load_source
from sparsecone.reproduction.store import RowFile

from fabricated import without_times

CELL = Cell(dataset="digits", method="Highest variance", n_features=(10, 20), n_runs=3)
DIGITS = load_source("digits", scaling="stored", seed=0)


def test_scores_are_those_of_the_evaluation_of_the_set() -> None:
    order = np.random.default_rng(0).permutation(64)
    scores = evaluate(CELL, DIGITS, order, counts=(10, 20), known={})
    for score in scores:
        chosen = np.sort(order[: score["n_features"]])
        (expected,) = evaluate_selection(
            DIGITS.X, DIGITS.y, chosen, n_features=[chosen.size], n_runs=3, random_state=0
        )
        assert score["acc_mean"] == pytest.approx(expected.acc_mean, abs=1e-4)
        assert score["nmi_std"] == pytest.approx(expected.nmi_std, abs=1e-4)
        assert score["n_runs"] == 3


def test_the_order_within_a_set_does_not_matter() -> None:
    order = np.arange(64)
    turned = np.concatenate([order[:20][::-1], order[20:]])
    scores = [evaluate(CELL, DIGITS, o, counts=(20,), known={}) for o in (order, turned)]
    assert scores[0] == scores[1]


def test_a_known_set_is_not_clustered_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = run_cell(CELL)
    known = Evaluations([first])
    monkeypatch.setattr(evaluation, "evaluate_selection", None)
    again = run_cell(CELL, known.of(CELL))
    assert without_times(again) == without_times(first)


@pytest.mark.parametrize(
    "other",
    [
        {"seed": 1},
        {"n_runs": 4},
        {"scaling": "grey"},
        {"noise": 1.0},
        {"dataset": "two-moon"},
        {"read": {"label": "kind"}},
    ],
)
def test_scores_hold_for_the_same_data_and_protocol_only(other: dict[str, object]) -> None:
    row = {**CELL.settings(), "scores": [{"features": "abc"}]}
    settings = {"dataset": "digits", "method": "UDFS", "n_runs": 3, **other}
    assert "abc" not in Evaluations([row]).of(Cell(**settings))  # type: ignore[arg-type]
    assert "abc" in Evaluations([row]).of(Cell(dataset="digits", method="UDFS", n_runs=3))


def test_a_resumed_run_takes_the_scores_of_its_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with RowFile(tmp_path / "rows.jsonl") as store:
        run([CELL], store)
    monkeypatch.setattr(evaluation, "evaluate_selection", None)
    same = Cell(dataset="digits", method="Highest variance", n_features=(10,), n_runs=3)
    with RowFile(tmp_path / "rows.jsonl") as store:
        run([CELL, same], store)
        (first, second) = store.rows.values()
    assert second["scores"] == first["scores"][:1]


def test_scores_of_earlier_versions_are_left_alone() -> None:
    row = {**CELL.settings(), "scores": [{"n_features": 10, "acc_mean": 50.0}]}
    assert Evaluations([row]).of(CELL) == {}


def test_counts() -> None:
    plain = Cell(dataset="isolet", method="UDFS")
    assert counts_of(plain, 617, n_scored=None) == [50, 100, 150, 200, 250, 300]
    assert counts_of(plain, 617, n_scored=120) == [50, 100]
    assert counts_of(plain, 617, n_scored=20) == []
    rne = Cell(dataset="isolet", method="RNE", parameters={"n_features_to_select": 150})
    assert counts_of(rne, 617, n_scored=None) == [150]
    assert counts_of(Cell(dataset="isolet", method="All features"), 617, n_scored=None) == [617]
