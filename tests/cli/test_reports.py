"""The pages that commands write: what they say, and recipes that run."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest


@pytest.fixture
def gappy(tmp_path: Path) -> Path:
    """Return a table with gaps, a column to leave out, and very different scales."""
    rng = np.random.default_rng(0)
    columns = {f"feature {j}": 10.0**j * rng.normal(size=40) for j in range(5)}
    columns["feature 1"][3] = np.nan
    path = tmp_path / "gappy.csv"
    pl.DataFrame({"note": rng.random(40), **columns}).fill_nan(None).write_csv(path)
    return path


def recipe_in(page: Path) -> str:
    """Return the Python of a page."""
    blocks = re.findall(r"<pre><code>(.*?)</code></pre>", page.read_text(encoding="utf-8"), re.S)
    return unescape(blocks[-1])


def test_the_recipe_repeats_reading_filling_and_scaling(
    run: Any, gappy: Path, tmp_path: Path
) -> None:
    page, ranking = tmp_path / "report.html", tmp_path / "ranking.csv"
    arguments = ("--drop", "note", "--missing", "median", "--scale", "standard", "-k", 2)
    result = run("select", gappy, *arguments, "--report", page, "--out", ranking)
    assert result.exit_code == 0, result.output
    names: dict[str, Any] = {}
    exec(recipe_in(page), names)
    best = [f"feature {j}" for j in names["selector"].selected_]
    assert best == pl.read_csv(ranking)["feature"].to_list()[:2]
    assert names["X"].std(axis=0) == pytest.approx(np.ones(5))


def test_a_path_is_shown_when_asked_for(run: Any, gappy: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    arguments = ("select", gappy, "--missing", "median", "--scale", "standard", "-k", 2)
    result = run(*arguments, "--path", 3, "--report", page)
    assert result.exit_code == 0, result.output
    assert "Along 3 weights lam" in result.stdout
    assert "The model solved for 3 weights lam" in page.read_text(encoding="utf-8")
    refused = run(*arguments, "--path", 3, "--method", "max-variance")
    assert refused.exit_code == 2
    assert "--path needs one of the methods spca-psd" in refused.stderr


def test_a_comparison_as_a_page(run: Any, gappy: Path, tmp_path: Path) -> None:
    page = tmp_path / "comparison.html"
    arguments = ("--missing", "median", "--scale", "standard", "-k", 2, "--report", page)
    result = run("compare", gappy, *arguments)
    assert result.exit_code == 0, result.output
    assert f"Written: {page}" in result.stdout.replace("\n", "")
    names: dict[str, Any] = {}
    exec(recipe_in(page), names)
    assert len(names["selectors"]) == 4
    assert all(selector.selected_.size == 2 for selector in names["selectors"].values())
