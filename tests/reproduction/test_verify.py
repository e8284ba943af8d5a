"""Finished cells that run again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sparsecone.reproduction.plan import ExperimentPlan, parse_plan
from sparsecone.reproduction.reproduction import ROWS_NAME, run_plans
from sparsecone.reproduction.store import RowFile, read_rows
from sparsecone.reproduction.verify import differences, verify

PLAN = parse_plan(
    """
    [[runs]]
    datasets = ["two-moon"]
    methods = ["SPCA-PSD", "SPCA-PSD (published)", "Random subset"]
    seeds = [0, 1]
    n_features = [2]
    n_runs = 2

    [[runs]]
    datasets = ["two-moon"]
    methods = ["SPCA-PSD"]
    n_runs = 0
    repeats = 2
    """,
    name="plan",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    run_plans([PLAN], tmp_path, n_jobs=1)
    return tmp_path


def test_the_same_program_gives_the_same_rows(folder: Path) -> None:
    checks = list(verify([PLAN], folder / ROWS_NAME, 100))
    assert len(checks) == len(PLAN.cells) - 1, "all but the one that is there for its time"
    assert not any(check.differences for check in checks)


def test_only_so_many_run(folder: Path) -> None:
    first, second = (list(verify([PLAN], folder / ROWS_NAME, 2, seed=1)) for _ in range(2))
    assert len(first) == 2
    assert first == second


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"value": 1.0}, "objective 1, now"),
        ({"status": "max_iter"}, "status max_iter, now converged"),
        ({"scores": []}, "other numbers of features"),
    ],
)
def test_a_changed_row_is_found(folder: Path, change: dict[str, Any], message: str) -> None:
    row = next(row for row in read_rows(folder / ROWS_NAME) if row["method"] == "SPCA-PSD")
    assert list(differences(row, row)) == []
    (found,) = differences({**row, **change}, row)
    assert message in found


@pytest.mark.parametrize(
    ("change", "message"),
    [({"features": "x"}, "not the same features"), ({"acc_mean": 0.0}, "acc_mean 0.0, now")],
)
def test_changed_scores_are_found(folder: Path, change: dict[str, Any], message: str) -> None:
    row = read_rows(folder / ROWS_NAME)[0]
    other = {**row, "scores": [{**row["scores"][0], **change}]}
    (found,) = differences(other, row)
    assert message in found


def test_without_finished_cells_there_is_nothing_to_check(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no finished cell"):
        list(verify([PLAN], tmp_path / ROWS_NAME, 1))
    with RowFile(tmp_path / ROWS_NAME) as store:
        store.append({"key": PLAN.cells[0].key, "status": "failed"})
    only = ExperimentPlan("one", PLAN.cells[:1])
    with pytest.raises(ValueError, match="no finished cell"):
        list(verify([only], tmp_path / ROWS_NAME, 1))
