"""Cells of three types, and their log-counts as an AnnData object."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

N_CELLS, N_GENES = 240, 120


def raw_counts(seed: int = 0) -> sp.csr_matrix:
    """Return counts of three cell types, each with six marker genes among the first."""
    rng = np.random.default_rng(seed)
    mean = rng.lognormal(-0.5, 0.7, size=N_GENES)
    fold = np.ones((3, N_GENES))
    for kind in range(3):
        fold[kind, 6 * kind : 6 * kind + 6] = 8.0
    return sp.csr_matrix(rng.poisson(mean * fold[rng.integers(3, size=N_CELLS)]))


@pytest.fixture
def adata() -> Any:
    anndata = pytest.importorskip("anndata", reason="anndata is not installed")
    pd = pytest.importorskip("pandas", reason="pandas is not installed")
    made = anndata.AnnData(sp.csr_matrix(raw_counts().log1p()))
    made.var_names = [f"gene {index}" for index in range(N_GENES)]
    made.obs["batch"] = pd.Categorical(np.where(np.arange(N_CELLS) % 3 == 0, "first", "second"))
    made.layers["counts"] = raw_counts()
    return made
