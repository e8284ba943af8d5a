"""The picture of a selection."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason="matplotlib is not installed").use("agg")
pyplot = pytest.importorskip("matplotlib.pyplot")

from sparsecone.anndata import plot_genes, select_genes  # noqa: E402


def test_selected_genes_are_marked_and_the_best_named(adata: Any) -> None:
    select_genes(adata, n_top_genes=9, key_added="panel")
    figure, axes = pyplot.subplots()
    assert plot_genes(adata, key="panel", n_labels=3, ax=axes) is axes
    others, chosen = (points.get_offsets() for points in axes.collections)
    assert len(others) == 111
    expected = adata.var.loc[adata.var["panel"], ["means", "panel_score"]]
    np.testing.assert_allclose(chosen, expected)
    best = adata.var["panel_rank"].sort_values().index[:3]
    assert [text.get_text() for text in axes.texts] == best.tolist()
    pyplot.close(figure)


def test_without_a_selection_there_is_none(adata: Any) -> None:
    with pytest.raises(ValueError, match=r"select_genes\(adata, key_added='panel'\) first"):
        plot_genes(adata, key="panel")
