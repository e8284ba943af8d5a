"""Genes selected as people work: several numbers, wishes, masks, batches, files and Dask."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from sparsecone import SPCAPSD, from_counts

from made_cells import scaled

anndata = pytest.importorskip("anndata", reason="anndata is not installed")
pd = pytest.importorskip("pandas", reason="pandas is not installed")

from sparsecone.anndata import select_genes  # noqa: E402

N_GENES = 120


def test_several_numbers_are_columns_of_one_fit(adata: Any) -> None:
    select_genes(adata, n_top_genes=[20, 5, 10])
    fit = SPCAPSD(n_features_to_select=20, selection="both").fit(scaled(adata.X))
    for count in (5, 10, 20):
        np.testing.assert_array_equal(adata.var[f"highly_variable_{count}"], fit.support_at(count))
    np.testing.assert_array_equal(adata.var["highly_variable"], adata.var["highly_variable_20"])
    select_genes(adata, n_top_genes=5)
    assert not any("_20" in name for name in adata.var)


def test_auto_takes_as_many_as_are_enough(adata: Any) -> None:
    select_genes(adata, n_top_genes="auto")
    fit = SPCAPSD(n_features_to_select="auto", selection="both").fit(scaled(adata.X))
    np.testing.assert_array_equal(adata.var["highly_variable"], fit.support_)
    select_genes(adata, n_top_genes="auto", batch_key="batch")
    numbers = [
        select_genes(part.copy(), n_top_genes="auto", inplace=False)["highly_variable"].sum()
        for part in (adata[adata.obs["batch"] == name] for name in ("first", "second"))
    ]
    assert adata.var["highly_variable"].sum() == int(np.median(numbers))


@pytest.mark.parametrize("batch_key", [None, "batch"])
@pytest.mark.parametrize("named", [True, False])
def test_genes_are_kept_in_and_left_out(adata: Any, batch_key: str | None, named: bool) -> None:
    keep, exclude = ("gene 119", "^gene 1?[0-5]$") if named else ([119], np.arange(N_GENES) < 16)
    select_genes(adata, n_top_genes=12, keep=keep, exclude=exclude, batch_key=batch_key)
    chosen = adata.var_names[adata.var["highly_variable"]]
    out = [f"gene {index}" for index in (*range(6), *range(10, 16))]
    assert "gene 119" in chosen
    assert len(chosen) == 12
    assert not set(out) & set(chosen)


@pytest.mark.parametrize("batch_key", [None, "batch"])
def test_only_candidates_are_fitted(adata: Any, batch_key: str | None) -> None:
    given = {"n_candidates": 40, "keep": "gene 119", "exclude": "gene 3", "batch_key": batch_key}
    select_genes(adata, n_top_genes=9, **given)
    assert adata.var["highly_variable"].sum() == 9
    assert adata.var["highly_variable"]["gene 119"]
    assert not adata.var["highly_variable"]["gene 3"]
    variances = adata.var["variances"].drop(["gene 3", "gene 119"]).sort_values()[::-1]
    if batch_key is None:
        fitted = [*variances.index[:40], "gene 119"]
        cells = scaled(adata[:, fitted].X)
        fit = SPCAPSD(n_features_to_select=9, selection="both", keep=[40]).fit(cells)
        chosen = adata.var_names[adata.var["highly_variable"]]
        assert set(chosen) == {fitted[index] for index in fit.selected_}
        # The others follow by their variance, and what is left out comes last.
        others = adata.var["sparsecone_rank"][variances.index[40:]]
        assert others.is_monotonic_increasing
        assert adata.var["sparsecone_rank"].idxmax() == "gene 3"


def test_columns_that_users_of_scanpy_know(adata: Any) -> None:
    select_genes(adata, n_top_genes=7)
    chosen = adata.var[adata.var["highly_variable"]]
    assert sorted(chosen["highly_variable_rank"]) == list(range(7))
    np.testing.assert_array_equal(chosen["highly_variable_rank"], chosen["sparsecone_rank"] - 1)
    assert adata.var["highly_variable_rank"].isna().sum() == N_GENES - 7
    dense = adata.X.toarray()
    np.testing.assert_allclose(adata.var["means"], dense.mean(axis=0))
    np.testing.assert_allclose(adata.var["variances"], dense.var(axis=0, ddof=1))


def test_a_key_of_ones_own_leaves_other_selections_alone(adata: Any) -> None:
    select_genes(adata, n_top_genes=7)
    before = adata.var["highly_variable"].copy()
    select_genes(adata, n_top_genes=[3, 9], key_added="panel", batch_key="batch")
    pd.testing.assert_series_equal(adata.var["highly_variable"], before)
    assert {"panel", "panel_3", "panel_9", "panel_rank", "panel_score"} <= set(adata.var)
    assert {"panel_nbatches", "panel_intersection"} <= set(adata.var)
    assert adata.uns["panel"]["batches"].tolist() == ["first", "second"]
    assert "batches" not in adata.uns["sparsecone"]


@pytest.mark.parametrize("named", [True, False])
def test_only_the_cells_of_a_mask_are_used(adata: Any, named: bool) -> None:
    mask = np.arange(adata.n_obs) % 2 == 0
    adata.obs["good"] = mask
    table = select_genes(adata, n_top_genes=9, mask_obs="good" if named else mask, inplace=False)
    expected = select_genes(adata[mask].copy(), n_top_genes=9, inplace=False)
    pd.testing.assert_frame_equal(table, expected)


def test_small_batches_are_named_and_left_out(adata: Any) -> None:
    lane = np.where(np.arange(adata.n_obs) < 5, "tiny", "large")
    adata.obs["lane"] = pd.Categorical(lane, categories=["large", "never", "tiny"])
    with pytest.warns(UserWarning, match=r"fewer than min_cells=20 cells: 'tiny' \(5\) of"):
        select_genes(adata, n_top_genes=9, batch_key="lane")
    assert adata.uns["sparsecone"]["batches"].tolist() == ["large"]
    alone = select_genes(adata[5:].copy(), n_top_genes=9, inplace=False)
    np.testing.assert_array_equal(adata.var["highly_variable"], alone["highly_variable"])


def test_genes_of_too_few_batches_are_not_selected(adata: Any) -> None:
    select_genes(adata, n_top_genes=20, batch_key="batch", min_batches=2, keep="gene 100")
    both = adata.var_names[adata.var["highly_variable_nbatches"] == 2]
    chosen = adata.var_names[adata.var["highly_variable"]]
    assert len(chosen) < 20
    assert set(chosen) <= {*both, "gene 100"}
    assert "gene 100" in chosen


@pytest.mark.parametrize("batch_key", [None, "batch"])
@pytest.mark.parametrize("kind", ["sparse", "dense"])
def test_backed_files_are_read_block_by_block(
    adata: Any, tmp_path: Path, kind: str, batch_key: str | None
) -> None:
    if kind == "dense":
        adata.X = adata.X.toarray()
    adata.write_h5ad(tmp_path / "cells.h5ad")
    backed = anndata.read_h5ad(tmp_path / "cells.h5ad", backed="r")
    assert select_genes(backed, n_top_genes=9, batch_key=batch_key) is None
    select_genes(adata, n_top_genes=9, batch_key=batch_key)
    np.testing.assert_array_equal(backed.var["highly_variable"], adata.var["highly_variable"])
    np.testing.assert_allclose(backed.var["means"], adata.var["means"])
    with pytest.raises(ValueError, match=r"subset needs data in memory"):
        select_genes(backed, n_top_genes=9, subset=True)
    with pytest.raises(ValueError, match=r"method='max-variance' needs a matrix in memory"):
        select_genes(backed, n_top_genes=9, method="max-variance")
    backed.file.close()


def test_many_cells_are_read_block_by_block_too() -> None:
    rng = np.random.default_rng(0)
    markers = np.where(rng.integers(2, size=(5000, 1)) == 1, 3.0, 0.5)
    counts = rng.poisson(np.c_[np.repeat(markers, 6, axis=1), np.ones((5000, 20))])
    many = anndata.AnnData(sp.csr_matrix(np.log1p(counts).astype(np.float32)))
    select_genes(many, n_top_genes=6)
    fit = SPCAPSD(n_features_to_select=6, selection="both").fit(scaled(many.X))
    np.testing.assert_array_equal(many.var["highly_variable"], fit.support_)
    np.testing.assert_allclose(many.var["sparsecone_score"], fit.scores_, rtol=1e-4, atol=1e-9)
    assert many.uns["sparsecone"]["status"] == "converged"


def test_files_stored_by_genes_are_refused(adata: Any, tmp_path: Path) -> None:
    adata.X = sp.csc_matrix(adata.X)
    adata.write_h5ad(tmp_path / "cells.h5ad")
    backed = anndata.read_h5ad(tmp_path / "cells.h5ad", backed="r")
    with pytest.raises(ValueError, match=r"stored by genes \(CSC\) in .*cells.h5ad.*to_memory"):
        select_genes(backed, n_top_genes=9)
    backed.file.close()


@pytest.mark.parametrize("batch_key", [None, "batch"])
def test_arrays_of_dask(adata: Any, batch_key: str | None) -> None:
    array = pytest.importorskip("dask.array", reason="dask is not installed")
    expected = select_genes(adata, n_top_genes=9, batch_key=batch_key, inplace=False)
    lazy = adata.copy()
    lazy.X = array.from_array(adata.X.toarray(), chunks=(50, 70)).map_blocks(sp.csr_matrix)
    select_genes(lazy, n_top_genes=9, batch_key=batch_key)
    np.testing.assert_array_equal(lazy.var["highly_variable"], expected["highly_variable"])


def test_counts_that_are_taken_for_logarithms_are_noticed(adata: Any) -> None:
    with pytest.warns(UserWarning, match=r"adata.layers\['counts'\] holds whole numbers only, as"):
        select_genes(adata, n_top_genes=9, layer="counts")


@pytest.mark.parametrize("place", ["memory", "file", "dask"])
def test_raw_counts_become_residuals(adata: Any, tmp_path: Path, place: str) -> None:
    expected = SPCAPSD(n_features_to_select=18, selection="both")
    expected.fit(from_counts(adata.layers["counts"]))
    adata.X = adata.layers.pop("counts")
    if place == "file":
        adata.write_h5ad(tmp_path / "cells.h5ad")
        adata = anndata.read_h5ad(tmp_path / "cells.h5ad", backed="r")
    if place == "dask":
        array = pytest.importorskip("dask.array", reason="dask is not installed")
        adata.X = array.from_array(adata.X.toarray(), chunks=(50, 70)).map_blocks(sp.csr_matrix)
    select_genes(adata, n_top_genes=18, counts="raw")
    np.testing.assert_array_equal(adata.var["highly_variable"], expected.support_)
    assert adata.var["highly_variable"].iloc[:18].mean() > 0.8
    assert adata.uns["sparsecone"]["status"] == "converged"
    assert adata.uns["sparsecone"]["parameters"]["counts"] == "raw"


def test_logarithms_that_are_taken_for_counts_are_noticed(adata: Any) -> None:
    with pytest.warns(UserWarning, match=r"adata.X holds fractions, and counts=\"raw\" takes it"):
        select_genes(adata, n_top_genes=9, counts="raw")
    adata.layers["counts"].data[0] = -1
    with pytest.raises(ValueError, match="negative values are no counts"):
        select_genes(adata, n_top_genes=9, counts="raw", layer="counts")


def test_genes_and_cells_without_any_count(adata: Any) -> None:
    empty = adata.X.tolil()
    empty[:30] = 0.0
    empty[:, :30] = 0.0
    adata.X = empty.tocsr()
    select_genes(adata, n_top_genes=9)
    assert not adata.var["highly_variable"].iloc[:30].any()


def test_a_selection_on_a_view_is_of_its_cells(adata: Any) -> None:
    part = adata[:100]
    select_genes(part, n_top_genes=9)
    expected = select_genes(adata[:100].copy(), n_top_genes=9, inplace=False)
    np.testing.assert_array_equal(part.var["highly_variable"], expected["highly_variable"])
    assert "highly_variable" not in adata.var


def test_text_instead_of_numbers(adata: Any) -> None:
    adata.layers["text"] = np.full(adata.shape, "a", dtype=object)
    with pytest.raises(ValueError, match=r"adata.layers\['text'\] holds object, and not numbers"):
        select_genes(adata, n_top_genes=9, layer="text")


def test_scanpy_goes_on_with_the_genes(adata: Any) -> None:
    scanpy = pytest.importorskip("scanpy", reason="scanpy is not installed")
    select_genes(adata, n_top_genes=18)
    scanpy.pp.pca(adata, n_comps=5)
    assert not adata.varm["PCs"][~adata.var["highly_variable"].to_numpy()].any()
    scanpy.pp.neighbors(adata)
    scanpy.tl.leiden(adata, flavor="igraph", n_iterations=2)
    assert adata.obs["leiden"].nunique() >= 2


def test_the_lines_of_the_guide_run_with_scanpy(adata: Any) -> None:
    scanpy = pytest.importorskip("scanpy", reason="scanpy is not installed")
    guide = Path(__file__).parents[2] / "docs" / "user_guide" / "single_cell.md"
    code = guide.read_text(encoding="utf-8").split("<!-- scanpy -->\n```py\n")[1].split("```")[0]
    exec(code, {"adata": adata, "scanpy": scanpy})
    assert adata.obs["leiden"].nunique() >= 2
