"""The command, on plans that take a second."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import sparsecone
from sparsecone import cli
from sparsecone.cli.app import app
from sparsecone.reproduction import reproduction
from sparsecone.reproduction.plan import parse_plan
from sparsecone.reproduction.store import read_rows

PLAN = """
[[runs]]
datasets = ["digits"]
methods = ["CSPCA-PSD (published)", "Highest variance"]
n_features = [10]
n_runs = 2
keep = ["history"]
"""


TIMED = """
[[runs]]
datasets = ["digits"]
methods = ["CSPCA-PSD (published)"]
n_runs = 0
repeats = 2
"""


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    return path


def call(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["reproduce", *map(str, arguments)])
    return result.exit_code, " ".join(result.output.split())


def test_runs_a_plan_prints_tables_and_writes_the_page(plan: Path, tmp_path: Path) -> None:
    code, output = call(1, "--plan", plan, "--out", tmp_path / "out")
    assert code == 0, output
    assert "Experiment 1: CSPCA-PSD and AW-SPCA-PSD against their originals" in output
    assert "not testable here: No pair has rows on the paper's data sets." in output
    assert len(read_rows(tmp_path / "out" / "rows.jsonl")) == 2
    assert (tmp_path / "out" / "results.html").is_file()
    assert (tmp_path / "out" / "figures" / "1_scores.svg").is_file()


def test_page_only_runs_nothing(plan: Path, tmp_path: Path) -> None:
    code, output = call(1, "--plan", plan, "--out", tmp_path / "out", "--page-only")
    assert code == 0, output
    assert not (tmp_path / "out" / "rows.jsonl").exists()
    assert "results.md" in output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("7",), "'7' must be a number from 1 to 6, all, timings, choosing or cells."),
        (("1", "--verify", "0"), "--verify"),
        (("1", "--jobs", "0"), "--jobs"),
        (("1", "--plan", "nowhere.toml"), "does not exist"),
    ],
)
def test_wrong_arguments_are_explained(arguments: tuple[str, ...], message: str) -> None:
    code, output = call(*arguments)
    assert code == 2
    assert message in output.replace(" │ │ ", " ")


def test_a_level_and_a_plan_exclude_each_other(plan: Path) -> None:
    code, output = call("1", "--quick", "--plan", plan)
    assert code == 2
    assert "exclude each other" in output


def test_verify_runs_cells_again_and_fails_on_a_difference(plan: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    call(1, "--plan", plan, "--out", out)
    code, output = call(1, "--plan", plan, "--out", out, "--verify", 9)
    assert code == 0, output
    assert "the same: digits, CSPCA-PSD (published)" in output
    assert "All 2 cells came out as their rows say." in output
    rows = out / "rows.jsonl"
    value = next(row["value"] for row in read_rows(rows) if "value" in row)
    rows.write_text(rows.read_text().replace(f'"value":{value}', f'"value":{2 * value}'))
    code, output = call(1, "--plan", plan, "--out", out, "--verify", 9)
    assert code == 1
    assert "DIFFERS: digits, CSPCA-PSD (published)" in output
    assert "objective" in output
    assert "1 of 2 cells came out otherwise than their rows." in output


def test_verify_without_rows_is_one_line(plan: Path, tmp_path: Path) -> None:
    code, output = call(1, "--plan", plan, "--out", tmp_path / "out", "--verify", 1)
    assert code == 1
    assert "has no finished cell of this plan" in output


def test_timings_run_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = parse_plan(PLAN + TIMED, name="small")
    monkeypatch.setattr(reproduction, "shipped_plan", lambda *_: small)
    code, output = call("timings", "--quick", "--out", tmp_path)
    assert code == 0, output
    (row,) = read_rows(tmp_path / "rows.jsonl")
    assert len(row["seconds_all"]) == row["repeats"] == 2


def test_a_faulty_plan_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text("[[runs]]")
    code, output = call(1, "--plan", path, "--out", tmp_path)
    assert code == 1
    assert "plan.toml, block 1 lacks 'datasets'." in output


def test_a_missing_package_is_named(
    plan: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What is imported anew becomes an entry of its package, which other tests would go by.
    monkeypatch.setattr(sparsecone, "reproduction", sparsecone.reproduction)
    for name in [name for name in sys.modules if name.startswith("sparsecone.reproduction")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "jinja2", None)
    code, output = call(1, "--plan", plan, "--out", tmp_path)
    assert code == 1
    assert "needs the package jinja2: pip install 'sparsecone[experiments]'." in output


def test_without_typer_the_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("sparsecone.cli.app", "sparsecone.cli.reproduce", "sparsecone.cli.console"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "typer", None)
    with pytest.raises(SystemExit, match=r"pip install 'sparsecone\[cli\]'"):
        cli.main()
