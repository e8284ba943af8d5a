"""Genes selected on AnnData objects: what is written, what is refused, and what stays sparse."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from sparsecone import SPCAPSD, MaxVariance, __version__

from made_cells import scaled

anndata = pytest.importorskip("anndata", reason="anndata is not installed")
pd = pytest.importorskip("pandas", reason="pandas is not installed")

from sparsecone.anndata import select_genes  # noqa: E402

N_CELLS, N_GENES, N_MARKERS = 240, 120, 18
COLUMNS = [
    *("highly_variable", "highly_variable_rank", "sparsecone_score", "sparsecone_rank"),
    *("means", "variances"),
]


def scanpy_genes(adata: Any) -> list[str]:
    """Return the genes that scanpy's PCA uses: those where the column of this name is true."""
    assert adata.var["highly_variable"].dtype == bool
    return adata[:, adata.var["highly_variable"]].var_names.tolist()


def test_writes_what_the_selector_finds(adata: Any) -> None:
    given = {"scale": "none", "selection": "diverse", "eta": 0.02, "lam": 0.05}
    assert select_genes(adata, n_top_genes=N_MARKERS, **given) is None
    selector = SPCAPSD(n_features_to_select=N_MARKERS, eta=0.02, lam=0.05).fit(adata.X)
    assert scanpy_genes(adata) == adata.var_names[np.sort(selector.selected_)].tolist()
    np.testing.assert_array_equal(adata.var["sparsecone_score"], selector.scores_)
    np.testing.assert_array_equal(adata.var["sparsecone_rank"], selector.ranking_)
    account = adata.uns["sparsecone"]
    assert account["method"] == "spca-psd"
    assert account["parameters"]["eta"] == 0.02
    assert account["parameters"]["n_features_to_select"] == N_MARKERS
    assert account["status"] == "converged"
    assert account["version"] == __version__
    assert account["bound"] <= account["value"]
    assert account["gap"] == selector.solution_.gap


def test_by_default_both_selections_of_scaled_genes_take_turns(adata: Any) -> None:
    select_genes(adata, n_top_genes=N_MARKERS)
    fit = SPCAPSD(n_features_to_select=N_MARKERS, selection="both").fit(scaled(adata.X))
    np.testing.assert_array_equal(adata.var["highly_variable"], fit.support_)
    np.testing.assert_allclose(adata.var["sparsecone_score"], fit.scores_, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(("scale", "power"), [("unit", 1.0), ("pareto", 0.5), ("none", 0.0)])
def test_genes_are_scaled_as_asked(adata: Any, scale: str, power: float) -> None:
    select_genes(adata, n_top_genes=N_MARKERS, scale=scale)
    fit = SPCAPSD(n_features_to_select=N_MARKERS, selection="both").fit(scaled(adata.X, power))
    np.testing.assert_array_equal(adata.var["highly_variable"], fit.support_)
    assert adata.uns["sparsecone"]["parameters"]["scale"] == scale


def test_default_parameters_find_the_markers(adata: Any) -> None:
    select_genes(adata, n_top_genes=N_MARKERS)
    markers = {f"gene {index}" for index in range(N_MARKERS)}
    assert len(markers & set(scanpy_genes(adata))) >= N_MARKERS - 1
    # The noise stays without a weight: two directions separate three types.
    assert "2 components" in adata.uns["sparsecone"]["reason"]


def test_defaults_also_suit_the_robust_model_and_tiny_data(adata: Any) -> None:
    select_genes(adata, n_top_genes=N_MARKERS, method="cspca-psd")
    assert adata.var["highly_variable"].iloc[:N_MARKERS].mean() > 0.8
    tiny = adata[:20, :10].copy()
    select_genes(tiny, n_top_genes=3)
    assert tiny.uns["sparsecone"]["status"] == "converged"


@pytest.mark.parametrize("batch_key", [None, "batch"])
@pytest.mark.parametrize("method", ["spca-psd", "max-variance", "random"])
def test_survives_an_h5ad_file(
    adata: Any, tmp_path: Path, batch_key: str | None, method: str
) -> None:
    extra = {"random_state": 0} if method == "random" else {}
    adata.layers["other"] = adata.X.copy()
    select_genes(adata, n_top_genes=9, method=method, batch_key=batch_key, layer="other", **extra)
    adata.write_h5ad(tmp_path / "cells.h5ad")
    read = anndata.read_h5ad(tmp_path / "cells.h5ad")
    pd.testing.assert_frame_equal(read.var, adata.var)
    before, after = adata.uns["sparsecone"], read.uns["sparsecone"]
    assert before["parameters"].pop("layer") == after["parameters"].pop("layer") == "other"
    for name, value in {**before.pop("parameters"), **before}.items():
        found = {**after["parameters"], **after}[name]
        np.testing.assert_array_equal(found, value, err_msg=name)


def test_a_layer_is_used_instead_of_x(adata: Any) -> None:
    adata.layers["reversed"] = adata.X[:, ::-1]
    select_genes(adata, n_top_genes=5, method="max-variance", layer="reversed")
    expected = MaxVariance(n_features_to_select=5).fit(adata.X[:, ::-1]).support_
    np.testing.assert_array_equal(adata.var["highly_variable"], expected)


def test_batches_combine_by_number_then_median_rank(adata: Any) -> None:
    select_genes(adata, n_top_genes=10, method="max-variance", batch_key="batch", scale="none")
    ranks = np.array(
        [
            MaxVariance().fit(adata.X[np.flatnonzero(adata.obs["batch"] == name)]).ranking_
            for name in ("first", "second")
        ]
    )
    number = (ranks <= 10).sum(axis=0)
    np.testing.assert_array_equal(adata.var["highly_variable_nbatches"], number)
    np.testing.assert_array_equal(adata.var["highly_variable_intersection"], number == 2)
    median = [np.median(r[r <= 10] if n else r) for r, n in zip(ranks.T, number, strict=True)]
    order = sorted(range(N_GENES), key=lambda gene: (-number[gene], median[gene], gene))
    assert [adata.var["sparsecone_rank"].iloc[gene] for gene in order] == [*range(1, N_GENES + 1)]
    assert set(np.flatnonzero(adata.var["highly_variable"])) == set(order[:10])
    assert adata.uns["sparsecone"]["batches"].tolist() == ["first", "second"]


def test_a_gene_without_a_score_is_not_selected_in_a_batch(adata: Any) -> None:
    silent = adata.X.tolil()
    silent[np.flatnonzero(adata.obs["batch"] == "first")[:, None], np.arange(60)] = 0.0
    adata.X = silent.tocsr()
    select_genes(adata, n_top_genes=90, method="max-variance", batch_key="batch")
    assert adata.var["highly_variable_nbatches"].iloc[:60].max() == 1


def test_says_when_positions_and_not_scores_select(adata: Any) -> None:
    with pytest.warns(UserWarning, match=r"of the 100 selected features have a score of zero"):
        select_genes(adata, n_top_genes=100, eta=0.02, lam=1.0, selection="diverse")
    silent = adata.X.tolil()
    silent[:, :20] = 0.0
    adata.X = silent.tocsr()
    number = adata.n_vars - 10
    with pytest.warns(UserWarning, match=rf"Only \d+ genes have a score; the rest of the {number}"):
        select_genes(adata, n_top_genes=number, method="max-variance")


def test_returns_a_table_and_leaves_the_data_alone(adata: Any) -> None:
    before = adata.copy()
    table = select_genes(adata, n_top_genes=7, inplace=False)
    assert isinstance(table, pd.DataFrame)
    assert table.index.equals(adata.var_names)
    assert table.columns.tolist() == COLUMNS
    pd.testing.assert_frame_equal(adata.var, before.var)
    assert "sparsecone" not in adata.uns
    assert (adata.X != before.X).nnz == 0
    few = select_genes(adata, n_top_genes=7, inplace=False, subset=True)
    pd.testing.assert_frame_equal(few, table[table["highly_variable"]])


def test_subsets_in_place(adata: Any) -> None:
    expected = select_genes(adata, n_top_genes=7, inplace=False, subset=True)
    select_genes(adata, n_top_genes=7, subset=True)
    assert adata.shape == (N_CELLS, 7)
    assert adata.var_names.equals(expected.index)


def test_a_second_call_replaces_the_first(adata: Any) -> None:
    adata.var["symbol"] = "kept"
    select_genes(adata, n_top_genes=7, batch_key="batch")
    select_genes(adata, n_top_genes=9, method="max-variance")
    assert adata.var.columns.tolist() == ["symbol", *COLUMNS]
    assert "gap" not in adata.uns["sparsecone"]


def test_gene_names_need_not_be_unique(adata: Any) -> None:
    adata.var.index = pd.Index(["same"] * N_GENES)
    select_genes(adata, n_top_genes=7)
    assert adata.n_vars == N_GENES
    assert adata.var["highly_variable"].sum() == 7


def test_dense_integer_and_negative_values_are_fine(adata: Any) -> None:
    integers = anndata.AnnData(np.asarray(adata.X.toarray() * 10, dtype=np.int64) - 3)
    select_genes(integers, n_top_genes=7)
    same = anndata.AnnData(integers.X.astype(np.float64))
    select_genes(same, n_top_genes=7)
    pd.testing.assert_frame_equal(integers.var, same.var)


def test_sparse_counts_are_never_densified() -> None:
    shape = (3000, 60_000)
    values = sp.random_array(
        shape, density=5e-4, format="csr", random_state=np.random.default_rng(0)
    )
    # One program of 40 genes for half of the cells, so that there is something to find.
    rows, columns = np.repeat(np.arange(1500), 40), np.tile(np.arange(40), 1500)
    program = sp.coo_array((np.full(rows.size, 3.0), (rows, columns)), shape=shape)
    adata = anndata.AnnData(sp.csr_matrix(values + program))
    tracemalloc.start()
    # The genes of a program repeat each other: a diverse choice would take one of them.
    select_genes(adata, n_top_genes=40, selection="scores", scale="none")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert adata.var["highly_variable"].iloc[:40].all()
    # The inner products of the cells, which prove the bound, are a twentieth of the dense table,
    # and there are a few of them.
    assert peak < 0.3 * 8 * shape[0] * shape[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"layer": "spliced"}, r"layer='spliced' is not in adata.layers, which has: 'counts'"),
        ({"batch_key": "donor"}, r"batch_key='donor' is not in adata.obs, which has: 'batch'"),
        ({"counts": "raws"}, r"counts='raws' must be \"log\" or \"raw\""),
        ({"scale": "max"}, r"scale='max' must be \"unit\" or \"pareto\" or \"none\""),
        ({"counts": "raw", "method": "max-variance"}, r"does not take residuals of counts"),
        ({"method": "pca"}, r"method='pca' is unknown; it is one of spca-psd, "),
        ({"method": "udfs"}, r"method='udfs' needs a dense matrix.*or use one of spca-psd, "),
        ({"n_top_genes": 121}, r"n_top_genes=121 must be an integer between 1 and .* 120"),
        ({"n_top_genes": 0}, r"n_top_genes=0 must be"),
        ({"n_top_genes": 0.5}, r"n_top_genes=0.5 must be an integer"),
        ({"n_top_genes": []}, r"n_top_genes is empty"),
        ({"n_top_genes": [3, True]}, r"n_top_genes=True must be an integer"),
        ({"n_top_genes": "many"}, r"n_top_genes='many' must be a number, a list, or \"auto\""),
        ({"n_top_genes": "auto", "method": "max-variance"}, r"needs a certificate"),
        ({"mask_obs": "good"}, r"mask_obs='good' is not in adata.obs, which has: 'batch'"),
        ({"mask_obs": "batch"}, r"adata.obs\['batch'\] must be true or false for each of the 240"),
        ({"mask_obs": np.arange(240) < 1}, r"mask_obs leaves 1 cell\(s\)"),
        ({"exclude": "^none"}, r"exclude names '\^none', and no feature has that name or pattern"),
        ({"keep": "gene 1", "exclude": ["gene 1"]}, r"'gene 1' is in keep and in exclude"),
        ({"batch_key": "batch", "min_cells": 200}, r"No batch .* has min_cells=200 cells: 'first'"),
    ],
)
def test_wrong_arguments_are_named(adata: Any, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        select_genes(adata, **{"n_top_genes": 5, **arguments})


def test_an_unknown_keyword_is_named_with_the_known_ones(adata: Any) -> None:
    with pytest.raises(TypeError, match=r"no argument 'flavor', nor .*, which takes keep, "):
        select_genes(adata, flavor="seurat")
    with pytest.raises(TypeError, match=r"no argument 'eta', nor has method='max-variance'"):
        select_genes(adata, method="max-variance", eta=0.1)


def test_wrong_objects_are_named(adata: Any) -> None:
    with pytest.raises(TypeError, match="must be an AnnData object, got csr_matrix"):
        select_genes(adata.X)
    with pytest.raises(ValueError, match=r"adata.X must be an array .* is a NoneType"):
        select_genes(anndata.AnnData(obs=adata.obs, var=adata.var))


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_missing_and_infinite_values_are_named(adata: Any, bad: float) -> None:
    adata.layers["log"] = adata.X.copy()
    adata.layers["log"].data[3] = bad
    with pytest.raises(ValueError, match=r"adata.layers\['log'\] contains (NaN|infinity)"):
        select_genes(adata, n_top_genes=5, layer="log")


def test_cells_without_a_batch_are_named(adata: Any) -> None:
    adata.obs["day"] = [np.nan, np.nan] + [1.0] * (N_CELLS - 2)
    with pytest.raises(ValueError, match=r"adata.obs\['day'\] is missing for 2 cells"):
        select_genes(adata, n_top_genes=5, batch_key="day")


def test_scanpy_is_not_needed() -> None:
    code = (
        "import sparsecone.anndata, sys; print('scanpy' in sys.modules, 'anndata' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "False"]
