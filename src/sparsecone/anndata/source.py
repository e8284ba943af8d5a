"""What is taken from an AnnData object, checked: the counts, and the rows of each batch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import assert_all_finite

from ..optional import require


def checked_counts(adata: Any, layer: str | None) -> Any:
    """Return the matrix of counts, or say why there is none."""
    anndata = require("anndata", purpose="select_genes", extra="anndata")
    if not isinstance(adata, anndata.AnnData):
        raise TypeError(
            f"adata must be an AnnData object, got {type(adata).__name__}; the selectors of "
            "sparsecone take arrays, tables and sparse matrices."
        )
    if layer is not None and layer not in adata.layers:
        known = ", ".join(map(repr, adata.layers)) or "none"
        raise ValueError(f"layer={layer!r} is not in adata.layers, which has: {known}.")
    counts, source = (
        (adata.X, "adata.X") if layer is None else (adata.layers[layer], f"adata.layers[{layer!r}]")
    )
    if adata.isbacked or not (isinstance(counts, np.ndarray) or sp.issparse(counts)):
        where = f"backed by {adata.filename}" if adata.isbacked else f"a {type(counts).__name__}"
        raise ValueError(
            f"{source} must be an array or a sparse matrix in memory, and it is {where}: "
            "read it with adata = adata.to_memory()."
        )
    assert_all_finite(counts.data if sp.issparse(counts) else counts, input_name=source)
    return counts


def check_number(n_top_genes: int, n_genes: int) -> None:
    """Refuse a number of genes that cannot be selected."""
    if not isinstance(n_top_genes, int | np.integer) or not 1 <= n_top_genes <= n_genes:
        raise ValueError(
            f"n_top_genes={n_top_genes!r} must be an integer between 1 and the number of genes, "
            f"{n_genes}."
        )


def batches_of(adata: Any, batch_key: str | None) -> Iterator[tuple[str, NDArray[np.intp] | None]]:
    """Yield the name and the rows of each batch; one batch of all rows without a key."""
    if batch_key is None:
        yield "", None
        return
    if batch_key not in adata.obs:
        known = ", ".join(map(repr, adata.obs.columns)) or "none"
        raise ValueError(f"batch_key={batch_key!r} is not in adata.obs, which has: {known}.")
    batch = adata.obs[batch_key]
    if batch.isna().any():
        raise ValueError(
            f"adata.obs[{batch_key!r}] is missing for {int(batch.isna().sum())} cells: give them a "
            "batch or leave them out."
        )
    for name in sorted(batch.unique(), key=str):
        rows = np.flatnonzero(batch == name)
        if rows.size < 2:
            raise ValueError(
                f"Batch {name!r} of adata.obs[{batch_key!r}] has a single cell: leave it out or "
                "merge it with another."
            )
        yield str(name), rows
