"""`sparsecone compare`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from scipy import sparse

import anndata
from sparsecone import MaxVariance
from sparsecone.metrics import reconstruction_error


def test_compare_measures_every_method(run: Any, small_table: Path, tmp_path: Path) -> None:
    out = tmp_path / "table.csv"
    arguments = ("--methods", "max-variance, spca-psd,random", "-k", 2, "--label", "kind")
    result = run("compare", small_table, *arguments, "--json", "--out", out)
    assert result.exit_code == 0, result.output
    rows = json.loads(result.stdout)
    assert [row["method"] for row in rows] == ["max-variance", "spca-psd", "random"]
    X = pl.read_csv(small_table).drop("kind").to_numpy()
    selected = MaxVariance(n_features_to_select=2).fit(X).selected_
    explained = 100 * (1 - reconstruction_error(X, selected))
    assert rows[0]["explained"] == pytest.approx(explained)
    assert [row["overlap"] for row in rows[:2]] == [100.0, 100.0]
    assert rows[2]["overlap"] < 100.0
    assert rows[0]["acc"] == rows[1]["acc"] > rows[2]["acc"]
    assert pl.read_csv(out)["nmi"].to_list() == pytest.approx([row["nmi"] for row in rows])
    shown = run("compare", small_table, *arguments).stdout
    assert all(word in shown for word in ("max-variance", "explained", "overlap", "ACC", "NMI"))


def test_a_method_that_fails_is_a_row(run: Any, tmp_path: Path) -> None:
    counts = sparse.random(30, 40, density=0.3, format="csr", random_state=0)
    anndata.AnnData(X=counts).write_h5ad(tmp_path / "c.h5ad")
    arguments = ("compare", tmp_path / "c.h5ad", "-k", 5, "--methods", "rne,spca-psd")
    result = run(*arguments, "--json")
    assert result.exit_code == 1
    failed, done = json.loads(result.stdout)
    assert "sparse" in failed["failure"].lower()
    assert 0.0 < done["explained"] < 100.0
    shown = run(*arguments)
    assert "failed" in shown.stdout
    assert "rne: " in shown.stderr


def test_no_method_at_all_is_refused(run: Any, small_table: Path) -> None:
    result = run("compare", small_table, "--methods", ",")
    assert result.exit_code == 2
    assert "--methods names none" in result.stderr


def test_methods_are_given_one_by_one_or_together(run: Any, small_table: Path) -> None:
    arguments = ("compare", small_table, "--drop", "kind", "-k", 2, "--json")
    result = run(*arguments, "-m", "max-variance", "-m", "cur,random")
    assert result.exit_code == 0, result.output
    names = [row["method"] for row in json.loads(result.stdout)]
    assert names == ["max-variance", "cur", "random"]
