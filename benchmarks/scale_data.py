"""The data of the scale benchmark: long, wide, sparse, and as Parquet files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from sparsecone.optional import require

Array = NDArray[Any]

COMPONENTS = 20
ROWS_A_FILE = 50_000


def long_rows(n: int, d: int, seed: int = 0) -> Array:
    """Return float32 rows with a few strong components and means that are not zero."""
    rng = np.random.default_rng(seed)
    sizes = 0.8 ** np.arange(COMPONENTS, dtype=np.float32)
    loadings = np.random.default_rng(1).standard_normal((COMPONENTS, d), dtype=np.float32)
    X = rng.standard_normal((n, COMPONENTS), dtype=np.float32) * sizes @ loadings
    for start in range(0, n, ROWS_A_FILE):
        block = X[start : start + ROWS_A_FILE]
        block += 0.5 * rng.standard_normal(block.shape, dtype=np.float32) + np.float32(1.0)
    return X


def wide_rows(n: int, d: int) -> Array:
    """Return float32 rows with components that live on a tenth of the features."""
    rng = np.random.default_rng(0)
    sizes = 0.7 ** np.arange(COMPONENTS, dtype=np.float32)[:, None]
    loadings = sizes * rng.standard_normal((COMPONENTS, d), dtype=np.float32)
    loadings[:, d // 10 :] *= np.float32(0.05)
    X = rng.standard_normal((n, COMPONENTS), dtype=np.float32) @ loadings
    for row in X:
        row += np.float32(0.1) * rng.standard_normal(d, dtype=np.float32)
    return X


def sparse_topics(n: int, d: int, density: float) -> Any:
    """Return a sparse count-like matrix with twenty topics."""
    rng = np.random.default_rng(0)
    per_row = int(density * d)
    popular = rng.integers(0, d, size=(20, 400))
    topics = rng.integers(0, 20, size=n)
    chosen = rng.integers(0, 400, size=(n, per_row // 2))
    rest = rng.integers(0, d, size=(n, per_row - per_row // 2))
    columns = np.concatenate([popular[topics[:, None], chosen], rest], axis=1)
    values = rng.poisson(3.0, size=columns.size) + 1.0
    rows = np.repeat(np.arange(n), per_row)
    return sp.csr_array((values, (rows, columns.ravel())), shape=(n, d))


def write_parquet(folder: Path, n: int, d: int) -> None:
    """Write long rows as Parquet files."""
    pa = require("pyarrow", purpose="Writing Parquet files", extra="streaming")
    pq = require("pyarrow.parquet", purpose="Writing Parquet files", extra="streaming")
    names = [f"f{j}" for j in range(d)]
    for number, start in enumerate(range(0, n, ROWS_A_FILE)):
        X = long_rows(min(ROWS_A_FILE, n - start), d, seed=number)
        data = pa.table(dict(zip(names, np.ascontiguousarray(X.T), strict=True)))
        pq.write_table(data, folder / f"part-{number:05d}.parquet", row_group_size=10_000)
