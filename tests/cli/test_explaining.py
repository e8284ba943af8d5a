"""Why a feature is selected or left out, and what the selected explain, on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a table with a strong column, its copy, another one and a constant."""
    z = np.random.default_rng(0).normal(size=(100, 2)) * [3.0, 2.0]
    path = tmp_path / "table.csv"
    columns = {"a": z[:, 0], "twin": 2.0 * z[:, 0], "b": z[:, 1], "still": np.ones(100)}
    pd.DataFrame(columns).to_csv(path, index=False)
    return path


def test_reasons_in_sentences(run: Any, file: Path) -> None:
    result = run("select", file, "-k", 2, "--explain", "a,still", "--explain", "twin")
    assert result.exit_code == 0
    assert "a is left out: copy of twin, chosen 1st. The selected explain" in result.stdout
    assert "still is left out: constant." in result.stdout
    assert "twin is selected: chosen 1st." in result.stdout
    assert "These 2 features explain" in result.stdout


def test_reasons_for_machines(run: Any, file: Path) -> None:
    found = json.loads(run("select", file, "-k", 2, "--explain", "still", "--json").stdout)
    assert found["reasons"] == {"still": "still is left out: constant."}
    assert 0.0 < found["explained"]["share"] <= found["explained"]["ceiling"] <= 1.0


def test_a_name_that_is_not_there_is_one_line(run: Any, file: Path) -> None:
    result = run("select", file, "--explain", "twins")
    assert result.exit_code == 2
    assert "there is no feature 'twins'. Did you mean 'twin'?" in result.stderr


def test_the_warning_of_features_without_a_score_is_a_note(run: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 1)) @ np.ones((1, 6)) + 0.3 * rng.normal(size=(300, 6))
    path = tmp_path / "noise.csv"
    pd.DataFrame(np.c_[X, 0.1 * rng.normal(size=(300, 3))]).to_csv(path, index=False)
    result = run("select", path, "-k", 9)
    assert "of the 9 selected features have a score of zero" in result.stderr
    assert "lower lam" in result.stderr


def test_wishes_on_the_command_line(run: Any, file: Path) -> None:
    found = json.loads(run("select", file, "-k", 2, "--keep", "a", "--json").stdout)
    assert [row["feature"] for row in found["selected"]] == ["a", "b"]
    excluded = run("select", file, "-k", 2, "--exclude", "t*", "--json")
    assert [row["feature"] for row in json.loads(excluded.stdout)["selected"]] == ["a", "b"]
    grouped = run("select", file, "-k", 2, "--group", "a,twin", "--per-group", "all", "--json")
    assert {row["feature"] for row in json.loads(grouped.stdout)["selected"]} == {"a", "twin"}
    conflict = run("select", file, "--keep", "a", "--exclude", "a")
    assert conflict.exit_code == 2
    assert "'a' is in keep and in exclude" in conflict.stderr
