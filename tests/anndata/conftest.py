"""Cells of three types, and their log-counts, as an AnnData object."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from made_cells import N_CELLS, N_GENES, raw_counts


@pytest.fixture
def adata() -> Any:
    anndata = pytest.importorskip("anndata", reason="anndata is not installed")
    pd = pytest.importorskip("pandas", reason="pandas is not installed")
    made = anndata.AnnData(sp.csr_matrix(raw_counts().log1p()))
    made.var_names = [f"gene {index}" for index in range(N_GENES)]
    made.obs["batch"] = pd.Categorical(np.where(np.arange(N_CELLS) % 3 == 0, "first", "second"))
    made.layers["counts"] = raw_counts()
    return made
