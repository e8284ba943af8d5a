"""Columns named to do harm: in the terminal, in tables, in JSON, and back again."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from sparsecone.datasets import load_file

NAMES = [
    "<script>alert(1)</script>",
    '=HYPERLINK("http://evil.example","click")',
    "+1-800",
    "@SUM(A1)",
    "\tx",
    "\U0001f9ec gene",
    "x" * 10_000,
    "two\nlines",
    "[bold red]loud[/bold red]",
    "\x1b[31mred\x1b[0m \x07",
    'comma, and "quotes"',
    "-5",
    "self",
    "../../etc/passwd",
]


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((25, len(NAMES))) * np.arange(len(NAMES), 0, -1)
    pl.DataFrame(X, schema=NAMES).write_parquet(tmp_path / "hostile.parquet")
    return tmp_path / "hostile.parquet"


def select(run: Any, path: Path, *arguments: object) -> Any:
    result = run("select", path, "-m", "max-variance", "-k", len(NAMES), *arguments)
    assert result.exit_code == 0, result.output
    return result


def test_the_terminal_shows_them_as_text(run: Any, hostile: Path) -> None:
    output = select(run, hostile).stdout
    assert "<script>alert(1)</script>" in output
    assert "[bold red]loud[/bold red]" in output
    assert r"\x1b[31mred\x1b[0m \x07" in output
    assert r"two\nlines" in output
    assert not {char for char in output if not char.isprintable()} - {"\n"}
    assert max(map(len, output.splitlines())) <= 200


def test_json_keeps_them_as_they_are(run: Any, hostile: Path, tmp_path: Path) -> None:
    result = select(run, hostile, "--json", "--out", tmp_path / "r.json")
    features = json.loads(result.stdout)["selected"]
    assert {feature["feature"] for feature in features} == set(NAMES)
    assert result.stdout.isascii()
    assert {row["feature"] for row in json.loads((tmp_path / "r.json").read_text())} == set(NAMES)


def test_tables_of_text_are_safe_in_a_spreadsheet(run: Any, hostile: Path, tmp_path: Path) -> None:
    select(run, hostile, "--out", tmp_path / "r.csv", "--save-selected", tmp_path / "s.csv")
    with (tmp_path / "r.csv").open(encoding="utf-8", newline="") as file:
        ranking = [row["feature"] for row in csv.DictReader(file)]
    with (tmp_path / "s.csv").open(encoding="utf-8", newline="") as file:
        header = next(csv.reader(file))
    for written in (ranking, header):
        formulas = [name for name in written if name.startswith(("=", "+", "-", "@", "\t"))]
        assert formulas == ["-5"], "a number is no formula"
        assert {name.removeprefix("'") for name in written} == set(NAMES)


def test_a_parquet_table_keeps_them(run: Any, hostile: Path, tmp_path: Path) -> None:
    select(run, hostile, "--out", tmp_path / "r.parquet")
    assert set(pl.read_parquet(tmp_path / "r.parquet")["feature"]) == set(NAMES)


def test_a_model_finds_them_again_even_in_a_safe_table(
    run: Any, hostile: Path, tmp_path: Path
) -> None:
    model, safe, back = (tmp_path / name for name in ("m.json", "s.csv", "back.parquet"))
    select(run, hostile, "--save-model", model, "--save-selected", safe)
    result = run("apply", model, safe, "--out", back)
    assert result.exit_code == 0, result.output
    original, again = pl.read_parquet(hostile), pl.read_parquet(back)
    assert set(again.columns) == set(NAMES)
    assert again.select(original.columns).equals(original)


def test_messages_about_them_are_one_short_line(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    for name in NAMES:
        pl.DataFrame({name: ["\x1b[31m" + "y" * 1000] * 2, "b": [1, 2]}).write_csv(path)
        result = run("select", path)
        assert result.exit_code == 2
        assert result.stderr.count("\n") == 1
        assert len(result.stderr) < 1000
        assert "\x1b" not in result.stderr
        assert "has text in column" in result.stderr


def test_names_survive_text_in_and_out(tmp_path: Path, hostile: Path) -> None:
    names = [name for name in NAMES if name == name.strip()]
    pl.read_parquet(hostile).select(names).write_csv(tmp_path / "t.csv")
    assert load_file(tmp_path / "t.csv").feature_names == tuple(names)
