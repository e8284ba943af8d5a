"""Small whole files of every kind, to be damaged."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import polars as pl
from scipy import sparse
from scipy.io import savemat

import anndata
from sparsecone import MaxVariance
from sparsecone.model_file import Model

X = np.random.default_rng(0).normal(size=(8, 5)).round(3) * (np.arange(40).reshape(8, 5) % 3 > 0)
Y = np.arange(8) % 2
NAMES = ["a", "b", "c", "d", "e"]
TABLE = pl.DataFrame(dict(zip(NAMES, X.T, strict=True)) | {"label": Y})
CELLS = sparse.csr_matrix(X)


def _cells(path: Path, matrix: object) -> None:
    adata = anndata.AnnData(matrix)  # type: ignore[attr-defined]
    adata.obs["kind"] = ["u", "v"] * 4
    adata.write_h5ad(path, compression="gzip")


def _matlab_73(path: Path) -> None:
    columns = sparse.csc_matrix(X)
    with h5py.File(path, "w", userblock_size=512) as file:
        group = file.create_group("X")
        group.attrs["MATLAB_sparse"] = columns.shape[0]
        group["data"], group["ir"], group["jc"] = columns.data, columns.indices, columns.indptr


def _packed(path: Path) -> None:
    path.write_bytes(gzip.compress(TABLE.write_csv().encode()))


WRITERS: dict[str, Callable[[Path], object]] = {
    "dense.npz": lambda path: np.savez(path, X=X, y=Y),
    "packed.npz": lambda path: np.savez_compressed(path, X=X, y=Y),
    "csr.npz": lambda path: sparse.save_npz(path, CELLS, compressed=False),
    "csc.npz": lambda path: sparse.save_npz(path, CELLS.tocsc(), compressed=False),
    "bsr.npz": lambda path: sparse.save_npz(path, CELLS.tobsr((2, 1)), compressed=False),
    "coo.npz": lambda path: sparse.save_npz(path, CELLS.tocoo(), compressed=False),
    "array.npy": lambda path: np.save(path, X),
    "five.mat": lambda path: savemat(path, {"X": X, "S": CELLS.tocsc(), "y": Y}),
    "packed.mat": lambda path: savemat(path, {"X": X, "y": Y}, do_compression=True),
    "four.mat": lambda path: savemat(path, {"X": X, "y": Y}, format="4"),
    "seven.mat": _matlab_73,
    "dense.h5ad": lambda path: _cells(path, X),
    "sparse.h5ad": lambda path: _cells(path, CELLS),
    "table.parquet": TABLE.write_parquet,
    "table.feather": TABLE.write_ipc,
    "table.csv": TABLE.write_csv,
    "table.tsv": lambda path: TABLE.write_csv(path, separator="\t"),
    "table.csv.gz": _packed,
    "model.json": lambda path: Model.of(MaxVariance().fit(X)).save(path),
}


def write_seeds(folder: Path) -> None:
    """Write one file of every kind."""
    for name, write in WRITERS.items():
        write(folder / name)
