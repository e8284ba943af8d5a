"""Made-up cells of three types."""

from __future__ import annotations

from typing import Any

import numpy as np
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


def scaled(X: Any, power: float = 1.0) -> sp.csr_matrix:
    """Return columns divided by a power of their standard deviations."""
    dense = X.toarray()
    return sp.csr_matrix(dense / dense.std(axis=0, ddof=1) ** power)
