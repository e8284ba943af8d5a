"""Runs that are killed, repeated, spread over processes, or fail in places."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from sparsecone.reproduction import runner, sources
from sparsecone.reproduction.cell import Cell, Row
from sparsecone.reproduction.plan import parse_plan
from sparsecone.reproduction.runner import run
from sparsecone.reproduction.store import RowFile, read_rows

from fabricated import without_times

PLAN = """
[[runs]]
datasets = ["two-moon", "three-ring"]
methods = ["SPCA-PSD", "SPCA-PSD (published)"]
seeds = [0, 1, 2, 3, 4]
n_features = [2]
n_runs = 3
keep = ["history", "selected"]
parameters = { lam = [0.1, 0.2], eta = 0.1 }
"""

CELLS = parse_plan(PLAN, name="test").cells

#: What a killed process runs: the plan, the file and the number of jobs are its arguments.
PROGRAM = """
import sys
from pathlib import Path
from sparsecone.reproduction.plan import parse_plan
from sparsecone.reproduction.runner import run
from sparsecone.reproduction.store import RowFile

if __name__ == "__main__":
    plan, file, n_jobs = sys.argv[1:]
    with RowFile(Path(file)) as store:
        run(parse_plan(Path(plan).read_text(), name="test").cells, store, n_jobs=int(n_jobs))
"""


def run_all(path: Path, cells: tuple[Cell, ...] = CELLS, n_jobs: int = 1) -> list[Row]:
    with RowFile(path) as store:
        run(cells, store, n_jobs=n_jobs)
    return read_rows(path)


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    return run_all(tmp_path_factory.mktemp("uninterrupted") / "rows.jsonl")


def same_rows(some: list[Row], others: list[Row]) -> bool:
    first, second = ({row["key"]: without_times(row) for row in rows} for rows in (some, others))
    return len(some) == len(others) == len(first) and first == second


def test_every_cell_has_one_complete_row(uninterrupted: list[Row]) -> None:
    assert [row["key"] for row in uninterrupted] == [cell.key for cell in CELLS]
    for row in uninterrupted:
        expected = "stalled" if "published" in row["method"] else "converged"
        assert row["status"] == expected
        assert 0.0 <= row["gap"] <= 1.0
        assert row["scores"][0]["n_features"] == 2
        assert len(row["selected"]) == 9
        assert len(row["history"]) <= row["n_iter"]
        assert row["seconds"] > 0.0
        assert row["machine"]["cores"] >= 1


def test_same_seed_gives_the_same_rows(uninterrupted: list[Row], tmp_path: Path) -> None:
    assert same_rows(run_all(tmp_path / "rows.jsonl"), uninterrupted)


def test_a_second_start_runs_nothing(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    seen: list[int] = []
    run_all(path, CELLS[:3])
    with RowFile(path) as store:
        run(CELLS[:4], store, watch=lambda total, _: seen.append(total))
        run(CELLS[:4], store, watch=lambda total, _: seen.append(total))
    assert seen == [1, 1, 0]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL here")
@pytest.mark.parametrize(("n_jobs", "n_kills"), [(1, 2), (2, 1)])
def test_kill_and_restart_lose_and_double_nothing(
    n_jobs: int, n_kills: int, uninterrupted: list[Row], tmp_path: Path
) -> None:
    path, plan, program = (tmp_path / name for name in ("rows.jsonl", "plan.toml", "program.py"))
    plan.write_text(PLAN)
    program.write_text(PROGRAM)
    n_before = 0
    for _ in range(n_kills):
        # A group of its own shows afterwards whether any worker outlived the kill.
        process = subprocess.Popen(
            [sys.executable, program, plan, path, str(n_jobs)], start_new_session=True
        )
        wait_until(lambda n=n_before: n_begun(path) > n + 3)
        process.kill()
        assert process.wait() == -signal.SIGKILL
        wait_until(lambda group=process.pid: not is_alive(group))
        n_before = len(read_rows(path))
        assert 3 < n_before < len(CELLS)
    assert same_rows(run_all(path), uninterrupted)


def n_begun(path: Path) -> int:
    return path.read_bytes().count(b'{"key"') if path.is_file() else 0


def is_alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until(condition: object, seconds: float = 60.0) -> None:
    assert callable(condition)
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.002)


def test_a_failing_cell_is_a_row_with_its_reason(tmp_path: Path) -> None:
    bad = Cell(dataset="two-moon", method="SPCA-PSD", parameters={"lam": -1.0}, n_runs=1)
    unknown = Cell(dataset="two-moon", method="SPCA-PSD", parameters={"size": 3}, n_runs=1)
    rows = run_all(tmp_path / "rows.jsonl", (bad, unknown, CELLS[0]))
    assert [row["status"] for row in rows] == ["failed", "failed", "converged"]
    assert "InvalidParameterError: The 'lam' parameter" in rows[0]["reason"]
    assert "ValueError: Invalid parameter 'size'" in rows[1]["reason"]


def test_a_cell_that_kills_its_process_is_a_row_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "run_cell", die_on_seed_4)
    cells = tuple(cell for cell in CELLS if cell.parameters["lam"] == 0.1)[3:6]
    rows = {row["seed"]: row for row in run_all(tmp_path / "rows.jsonl", cells, n_jobs=2)}
    assert {seed: row["status"] for seed, row in rows.items()} == {
        3: "done",
        4: "failed",
        0: "done",
    }
    assert "died" in rows[4]["reason"]


def die_on_seed_4(cell: Cell, known: object = None) -> Row:  # noqa: ARG001
    if cell.seed == 4:
        os._exit(9)
    return {"key": cell.key, **cell.settings(), "status": "done"}


def test_a_cell_with_more_time_runs_again(tmp_path: Path) -> None:
    short = Cell(dataset="digits", method="SOGFS", n_runs=0, max_seconds=0.05)
    path = tmp_path / "rows.jsonl"
    for _ in range(2):
        assert [row["status"] for row in run_all(path, (short,))] == ["failed"]
    assert n_begun(path) == 1
    assert [row["status"] for row in run_all(path, (replace(short, max_seconds=60.0),))] == ["done"]
    assert n_begun(path) == 2


def test_cells_for_their_times_come_last(tmp_path: Path) -> None:
    timed = replace(CELLS[0], n_runs=0, repeats=2)
    rows = run_all(tmp_path / "rows.jsonl", (timed, *CELLS[:2]))
    assert [row["repeats"] for row in rows] == [1, 1, 2]


def test_missing_data_have_no_rows_and_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPARSECONE_DATA", str(tmp_path))
    absent = Cell(dataset="isolet", method="SPCA-PSD")
    with RowFile(tmp_path / "rows.jsonl") as store:
        assert run((absent, CELLS[0]), store) == ["isolet"]
        assert list(store.rows) == [CELLS[0].key]
    assert "Isolet.mat" in sources.how_to_get("isolet")
