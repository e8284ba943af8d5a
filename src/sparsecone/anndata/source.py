"""The matrix of an AnnData object, checked, wherever it lies: in memory, in a file, on Dask."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..data import from_blocks, from_counts, is_dask
from ..data.sources import rows_of
from ..linalg.types import Array
from ..optional import require

Rows = NDArray[np.intp]
# Integers up to here are exact in single precision.
LARGEST_EXACT = 2**24
# The share of entries that are not zero, to guess how many rows make a block.
SPARSE_SHARE = 0.1
# Entries up to which products are made faster by double precision.
LARGEST_DOUBLED = 2**24
# Entries that are multiplied at once.
PIECE = 2**20


@dataclass(frozen=True)
class Cells:
    """A matrix with cells in rows."""

    matrix: Any  #: An array, a CSR matrix, or what is sliced block by block.
    name: str  #: Where they are, as the user would write it.
    place: str  #: Where they lie ("memory", "file", "dask").

    @property
    def is_sparse(self) -> bool:
        """Whether a method has to take a sparse matrix."""
        return sp.issparse(self.matrix)

    def samples(self, rows: Rows, genes: Array, factors: Array, *, in_blocks: bool) -> Any:
        """Return some cells and genes in a form that `fit` takes, each gene times its factor.

        In blocks nothing is copied but one block at a time.
        """
        factors = factors[genes]

        def part(block: Any) -> Any:
            return times(block if genes.size == block.shape[1] else block[:, genes], factors)

        if self.place == "file" or (in_blocks and self.place == "memory"):
            return from_blocks(lambda: (part(block) for block in self.blocks(rows)))
        chosen = self._chosen(rows)
        if self.place == "dask":
            chunks = (chosen.chunks[0], (genes.size,))
            return chosen.map_blocks(part, chunks=chunks, meta=chosen._meta)
        return part(chosen)

    def counts(self, rows: Rows) -> Any:
        """Return some cells as counts in a form that `fit` takes."""
        in_memory = self.place == "memory"
        return from_counts(self._chosen(rows) if in_memory else lambda: self.blocks(rows))

    def _chosen(self, rows: Rows) -> Any:
        """Return some cells, all of them as they are; chunks of Dask have whole rows."""
        if self.place == "dask":
            return _rows_of_chunks(self.matrix, rows)
        return self.matrix if rows.size == self.matrix.shape[0] else self.matrix[rows]

    def blocks(self, rows: Rows) -> Iterator[Any]:
        """Yield some cells in memory, block by block."""
        if self.place == "dask":
            for block in self._chosen(rows).to_delayed().ravel():
                yield _finite(block.compute(), self.name)
            return
        n, width = self.matrix.shape
        step = int(rows_of(width) / SPARSE_SHARE)
        for start in range(0, n, step):
            part = rows[np.searchsorted(rows, start) : np.searchsorted(rows, start + step)]
            if part.size:
                block = self.matrix[part[0] : part[-1] + 1]
                whole = part.size == block.shape[0]
                yield _finite(block if whole else block[part - part[0]], self.name)


def _rows_of_chunks(matrix: Any, rows: Rows) -> Any:
    """Return some rows of an array of Dask, chunk by chunk: old versions cannot if it is sparse."""
    whole = matrix.rechunk({1: -1}) if matrix.numblocks[1] > 1 else matrix
    if rows.size == whole.shape[0]:
        return whole
    edges = np.cumsum(whole.chunks[0])
    parts = np.split(rows, np.searchsorted(rows, edges[:-1]))
    taken = [index for index, part in enumerate(parts) if part.size]
    within = [parts[index] - (edges[index] - whole.chunks[0][index]) for index in taken]

    def take(chunk: Any, block_info: Any = None) -> Any:
        return chunk[within[block_info[0]["chunk-location"][0]]]

    chunks = (tuple(part.size for part in within), whole.chunks[1])
    return whole.blocks[taken].map_blocks(take, chunks=chunks, meta=whole._meta)


def cells_of(adata: Any, layer: str | None) -> Cells:
    """Return the matrix of an AnnData object, or say why there is none."""
    anndata = require("anndata", purpose="select_genes", extra="anndata")
    if not isinstance(adata, anndata.AnnData):
        raise TypeError(
            f"adata must be an AnnData object, got {type(adata).__name__}; the selectors of "
            "sparsecone take arrays, tables and sparse matrices."
        )
    if layer is not None and layer not in adata.layers:
        # From anndata 0.13 on adata.X is a layer too, without a name.
        known = ", ".join(repr(name) for name in adata.layers if name is not None) or "none"
        raise ValueError(f"layer={layer!r} is not in adata.layers, which has: {known}.")
    matrix, name = (
        (adata.X, "adata.X") if layer is None else (adata.layers[layer], f"adata.layers[{layer!r}]")
    )
    if is_dask(matrix):
        return Cells(matrix, name, "dask")
    if isinstance(matrix, np.ndarray) or sp.issparse(matrix):
        return Cells(_in_rows(matrix), name, "memory")
    if getattr(matrix, "format", "csr") != "csr":
        raise ValueError(
            f"{name} is stored by genes (CSC) in {adata.filename}, and cells cannot be read one "
            "block after the other: read it with adata = adata.to_memory()."
        )
    if not hasattr(matrix, "shape"):
        raise ValueError(
            f"{name} must be an array or a sparse matrix, in memory, backed by a file or of Dask, "
            f"and it is a {type(matrix).__name__}."
        )
    return Cells(matrix, name, "file")


def _in_rows(matrix: Any) -> Any:
    """Return an array as it is, a sparse matrix as CSR with floating-point entries."""
    if not sp.issparse(matrix):
        return matrix
    rows = matrix.tocsr()
    if rows.dtype.kind == "f":
        return rows
    exact = rows.nnz == 0 or max(abs(int(rows.data.min())), int(rows.data.max())) <= LARGEST_EXACT
    data = rows.data.astype(np.float32 if exact else np.float64)
    # The places of the entries are shared with the counts.
    return sp.csr_matrix((data, rows.indices, rows.indptr), shape=rows.shape)


def times(block: Any, factors: Array) -> Any:
    """Return a block with its columns multiplied; the places of sparse entries are shared."""
    if (factors == 1.0).all():
        return block
    if not sp.issparse(block):
        return block * factors.astype(block.dtype if block.dtype.kind == "f" else np.float64)
    small = block.nnz <= LARGEST_DOUBLED
    data = np.empty(block.nnz, dtype=np.float64 if small else block.dtype)
    factors = factors.astype(data.dtype)
    for first in range(0, data.size, PIECE):
        part = slice(first, first + PIECE)
        np.multiply(block.data[part], factors[block.indices[part]], out=data[part])
    return sp.csr_matrix((data, block.indices, block.indptr), shape=block.shape)


def _finite(block: Any, name: str) -> Any:
    """Return a block whose entries are numbers."""
    values = block.data if sp.issparse(block) else block
    if values.dtype.kind not in "biuf":
        raise ValueError(f"{name} holds {values.dtype}, and not numbers.")
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        what = "NaN" if np.isnan(values).any() else "infinity"
        raise ValueError(f"{name} contains {what}: leave these cells or genes out.")
    return block
