"""`sparsecone select` on annotated cells: layers, batches, raw counts, and .h5ad as output."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import scipy.sparse as sp

from made_cells import N_CELLS, N_GENES, raw_counts

anndata = pytest.importorskip("anndata", reason="anndata is not installed")

from sparsecone.anndata import select_genes  # noqa: E402


@pytest.fixture
def cells(tmp_path: Path) -> tuple[Path, Any]:
    adata = anndata.AnnData(sp.csr_matrix(raw_counts().log1p()))
    adata.layers["counts"] = sp.csr_matrix(raw_counts().astype(np.float32))
    adata.var_names = [f"gene {index}" for index in range(N_GENES)]
    adata.obs["donor"] = np.where(np.arange(N_CELLS) % 3 == 0, "first", "second")
    adata.write_h5ad(tmp_path / "cells.h5ad")
    return tmp_path / "cells.h5ad", adata


def test_the_marks_are_written_into_the_file(run: Any, cells: Any, tmp_path: Path) -> None:
    path, adata = cells
    result = run("select", path, "-k", 9, "--out", tmp_path / "marked.h5ad")
    assert result.exit_code == 0, result.output
    assert "240 cells, 120 genes, 9 selected" in result.output
    marked = anndata.read_h5ad(tmp_path / "marked.h5ad")
    select_genes(adata, n_top_genes=9)
    np.testing.assert_array_equal(marked.var["highly_variable"], adata.var["highly_variable"])
    assert (marked.layers["counts"] != adata.layers["counts"]).nnz == 0
    assert marked.uns["sparsecone"]["status"] == "converged"


def test_batches_and_several_numbers(run: Any, cells: Any, tmp_path: Path) -> None:
    path, adata = cells
    out = tmp_path / "ranking.csv"
    result = run("select", path, "-k", "5,9", "--batch", "donor", "--out", out)
    assert result.exit_code == 0, result.output
    assert "Batch first: converged" in result.output
    select_genes(adata, n_top_genes=[5, 9], batch_key="donor")
    table = pl.read_csv(out)
    chosen = set(adata.var_names[adata.var["highly_variable"]])
    assert set(table.filter(pl.col("selected"))["feature"]) == chosen
    assert set(table["batches"]) <= {0, 1, 2}


def test_raw_counts_of_a_layer_as_json(run: Any, cells: Any) -> None:
    path, adata = cells
    result = run("select", path, "-k", 9, "--layer", "counts", "--counts", "raw", "--json")
    assert result.exit_code == 0, result.output
    select_genes(adata, n_top_genes=9, layer="counts", counts="raw")
    chosen = set(adata.var_names[adata.var["highly_variable"]])
    assert set(json.loads(result.stdout)["selected"]) == chosen


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--layer", "spliced"], "layer='spliced' is not in adata.layers"),
        (["--batch", "lane"], "batch_key='lane' is not in adata.obs, which has: 'donor'"),
        (["--batch", "donor", "--report", "a.html"], "--report does not go with --layer"),
        (["--batch", "donor", "--out", "cells.txt"], "must end in"),
    ],
)
def test_what_cannot_be_had_is_said(run: Any, cells: Any, options: Any, message: str) -> None:
    result = run("select", cells[0], "-k", 9, *options)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())


def test_a_table_has_no_batches(run: Any, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b\n1,2\n3,5\n")
    result = run("select", tmp_path / "a.csv", "--batch", "a")
    assert result.exit_code == 2
    assert "does not end in .h5ad" in " ".join(result.stderr.split())
