"""How far a selection is the same on halves of the rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from sklearn.datasets import load_digits

from sparsecone import SPCAPSD
from sparsecone.stability import selection_stability

X, _ = load_digits(return_X_y=True)


@pytest.fixture(scope="module")
def digits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("digits") / "digits.csv"
    pl.DataFrame(X, schema=[f"pixel {index}" for index in range(64)]).write_csv(path)
    return path


def result_of(run: Any, *arguments: object) -> dict[str, Any]:
    result = run("select", *arguments, "--json")
    assert result.exit_code == 0, result.output
    return dict(json.loads(result.stdout))


def test_stability_is_that_of_python(run: Any, digits: Path) -> None:
    found = result_of(run, digits, "-k", 9, "--stability", 4, "--seed", 7)
    peer = selection_stability(
        SPCAPSD(n_features_to_select=9, random_state=7), X, n_resamples=4, random_state=7
    )
    agreement = {"n_resamples": 4, "kuncheva": peer.kuncheva, "jaccard": peer.jaccard}
    assert found["stability"] == pytest.approx(agreement)
    for row in found["selected"]:
        assert row["frequency"] == peer.frequencies[row["index"]]


def test_an_index_that_is_not_defined_is_not_made_up(
    run: Any, small_table: Path, tmp_path: Path
) -> None:
    arguments = ("select", small_table, "--drop", "kind", "-k", 6, "--stability", 3)
    result = run(*arguments, "--report", tmp_path / "r.html")
    assert "Kuncheva index not defined, Jaccard index 1.00" in result.stdout
    assert "is <strong>not defined</strong>" in (tmp_path / "r.html").read_text()
    assert json.loads(run(*arguments, "--json").stdout)["stability"]["kuncheva"] is None
    assert run("select", small_table, "--stability", 1).exit_code == 2
