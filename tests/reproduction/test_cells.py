"""The study of cells: its data, its orders, its measures and its page, on made-up cells."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sparsecone.reproduction.cells import costs, report, run, sets
from sparsecone.reproduction.cells.orders import DEFAULT, METHODS, Method

from made_cells import raw_counts

pytest.importorskip("anndata", reason="anndata is not installed")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a set of made-up cells under the name of a real one."""
    counts = raw_counts()
    labels = np.asarray(counts[:, :18].toarray().reshape(len(counts.indptr) - 1, 3, 6).sum(2))
    np.savez(
        tmp_path / "sc_goolam.npz",
        data=counts.data.astype(np.uint8),
        indices=counts.indices,
        indptr=counts.indptr,
        shape=counts.shape,
        y=labels.argmax(axis=1),
    )
    monkeypatch.setenv(sets.FOLDER, str(tmp_path))
    return tmp_path


def test_cells_are_scaled_to_their_median_depth(folder: Path) -> None:
    (found,) = sets.present()
    cells = sets.load(found)
    depths = np.expm1(cells.logs.toarray()).sum(axis=1)
    np.testing.assert_allclose(depths, np.median(np.asarray(cells.counts.sum(axis=1))))
    assert folder == sets.folder()


def test_deviance_is_that_of_the_dense_formula(folder: Path) -> None:
    assert folder.is_dir()
    cells = sets.load(sets.SETS[0])
    x = cells.counts.toarray()
    total = x.sum(axis=1, keepdims=True)
    mu = total * x.sum(axis=0) / total.sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        first = np.where(x > 0, x * np.log(x / mu), 0.0)
    second = (total - x) * np.log((total - x) / (total - mu))
    (deviance,) = (method for method in METHODS if method.name == "deviance")
    values = (first + second).sum(axis=0)[deviance.order(cells, 0)]
    assert (np.diff(values) <= 1e-9).all()


def test_the_study_runs_goes_on_and_writes_its_page(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("igraph", reason="igraph is not installed")
    few = [m for m in METHODS if m.name in (DEFAULT, "highest variance", "random", "all genes")]
    monkeypatch.setattr(run, "METHODS", few)
    monkeypatch.setattr(run, "COUNTS", (50, 100))
    said: list[str] = []
    run.run(folder, say=said.append)
    assert len(said) == 16
    run.run(folder, say=said.append)
    assert len(said) == 16


def test_a_method_that_is_not_installed_is_left_out_with_a_word(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "METHODS", [replace(METHODS[0], package="nowhere_to_be_found")])
    said: list[str] = []
    run.run(folder, say=said.append)
    assert said == [f"{DEFAULT} is left out: the package nowhere_to_be_found is not installed."]


def test_what_an_order_costs_is_measured(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert folder.is_dir()
    cells = sets.load(sets.SETS[0])

    def order(cells: sets.Cells, _: int) -> np.ndarray:
        return np.argsort(np.ones((2000, 5000))[0])[: cells.logs.shape[1]]

    row = costs.cost_row(sets.SETS[0], cells, Method("large", order))
    assert row["key"] == "sc_goolam/large/cost"
    assert 0.0 < row["seconds"] < 60.0
    assert 70.0 < row.get("memory", 80.0) < 110.0
    monkeypatch.setattr(costs, "FORGET", folder / "not" / "there")
    assert "memory" not in costs.cost_row(sets.SETS[0], cells, Method("large", order))


@pytest.mark.parametrize("name", ["triku", "scranpy"])
def test_packages_order_all_genes(name: str, folder: Path) -> None:
    pytest.importorskip(name, reason=f"{name} is not installed")
    assert folder.is_dir()
    (method,) = (method for method in METHODS if method.name == name)
    cells = sets.load(sets.SETS[0])
    order = method.order(cells, 0)
    assert sorted(order) == list(range(cells.logs.shape[1]))


def made_row(method: str, dataset: str, base: float) -> dict[str, Any]:
    measures = ("nmi", "ari", "purity", "silhouette", "leiden", "leiden_mean")
    machine = dict.fromkeys(
        ("processor", "cores", "system", "python", "numpy", "scipy", "scikit-learn"), "x"
    )
    return {
        "key": f"{dataset}/{method}/0",
        "dataset": dataset,
        "method": method,
        "seconds": 1.0,
        "machine": machine,
        "scores": {str(c): dict.fromkeys(measures, base) for c in run.COUNTS},
        "stability": {str(c): 0.5 for c in run.COUNTS},
    }


@pytest.mark.parametrize(("base", "word"), [(80.0, "Reached"), (60.0, "Not reached")])
def test_the_page_says_what_is_reached_and_where_it_loses(
    tmp_path: Path, base: float, word: str
) -> None:
    import json

    rows = [
        made_row(method.name, dataset, base if method.name == DEFAULT else 70.0)
        for dataset in ("sc_goolam", "sc_mix_dropseq", "sc_pbmc3k")
        for method in METHODS
    ]
    rows += [cost | {"key": "sc_goolam/seurat/cost", "memory": 31.0} for cost in rows[:1]]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / run.ROWS_NAME).write_text(text)
    blocks, files = report.write(tmp_path)
    page = files[0].read_text()
    assert f"- {word}: first in NMI of k-means" in page
    assert ("Goolam, NMI of k-means, mean over all numbers: seurat (+10.0)" in page) == (base < 70)
    assert "| seurat | 1.00 / 31 |" in page
    assert (tmp_path / "figures" / "cells.svg").is_file()
    assert len(blocks) > 8


def test_what_is_missing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(sets.FOLDER, raising=False)
    with pytest.raises(ValueError, match="set SPARSECONE_CELLS to the folder"):
        sets.present()
    with pytest.raises(ValueError, match="There are no rows of the study"):
        report.write(tmp_path)
