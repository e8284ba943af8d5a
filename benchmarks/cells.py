"""Time and memory of `select_genes` beside scanpy's `pp.pca` of 50 components: `make bench-cells`.

    python benchmarks/cells.py [blood] [made] [--cells NUMBER]

`made` are 100,000 cells and 20,000 genes in single precision, CSR, one entry in twenty not zero, of
ten types; `blood` is `sc_pbmc3k` of the folder SPARSECONE_CELLS, log-normalised, left out where the
folder is not named. Each call has a process of its own with one thread, which first reads the
matrix from files, so that it holds it once. Seconds are of CPU time. Memory is the peak of the
process over its whole life, less what it held before it read the matrix, in sizes of the matrix: 1
is the matrix itself and nothing else.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from sparsecone.anndata import select_genes
from sparsecone.optional import require

CELLS, GENES, TYPES, SHARE = 100_000, 20_000, 10, 0.05
COMPONENTS = 50
# Cells that are drawn at once.
BLOCK = 1000
MOST_TIME, MOST_MEMORY = 2.0, 1.5
# The folder of real cells, as the study names it.
FOLDER = "SPARSECONE_CELLS"
CALLS = ("pca", "select_genes")
PARTS = ("data", "indices", "indptr")


def made(n: int) -> sp.csr_matrix:
    """Return logarithms of counts of ten types of cells, each with genes of its own."""
    rng = np.random.default_rng(0)
    common = rng.lognormal(0.0, 1.5, GENES)
    rates = common * np.where(rng.random((TYPES, GENES)) < 0.02, 8.0, 1.0)
    rates *= SHARE / -np.expm1(-rates).mean() * np.linspace(0.7, 1.3, TYPES)[:, None]
    for _ in range(20):
        rates *= SHARE / -np.expm1(-rates).mean()
    blocks = []
    for first in range(0, n, BLOCK):
        mean = rates[rng.integers(TYPES, size=min(BLOCK, n - first))].astype(np.float32)
        seen = rng.random(mean.shape, dtype=np.float32) < -np.expm1(-mean)
        block = sp.csr_matrix(seen.astype(np.float32))
        block.data += rng.poisson(mean[seen]).astype(np.float32)
        blocks.append(normalised(block))
    return sp.vstack(blocks, format="csr")


def normalised(counts: sp.csr_matrix) -> sp.csr_matrix:
    """Return the logarithm of counts per ten thousand, in single precision."""
    depths = np.asarray(counts.sum(axis=1)).ravel()
    factors = np.repeat(1e4 / np.maximum(depths, 1.0), np.diff(counts.indptr))
    data = np.log1p(counts.data * factors).astype(np.float32)
    return sp.csr_matrix((data, counts.indices, counts.indptr), shape=counts.shape)


def blood() -> sp.csr_matrix:
    """Return the real cells of the folder."""
    with np.load(Path(os.environ[FOLDER]) / "sc_pbmc3k.npz") as file:
        parts = file["data"].astype(np.float32), file["indices"], file["indptr"]
        return normalised(sp.csr_matrix(parts, shape=tuple(file["shape"])))


def held(what: str) -> int:
    """Return bytes of memory of this process: VmRSS now, VmHWM at most."""
    status = Path("/proc/self/status").read_text()
    return 1024 * int(status.split(f"{what}:")[1].split()[0])


def call(name: str, folder: Path) -> dict[str, float]:
    """Read the matrix, call a function on it, and return seconds and memory."""
    needed = {"purpose": "The comparison", "extra": "study"}
    anndata, scanpy = require("anndata", **needed), require("scanpy", **needed)
    before = held("VmRSS")
    shape = tuple(np.load(folder / "shape.npy"))
    parts = tuple(np.load(folder / f"{part}.npy") for part in PARTS)
    matrix = sp.csr_matrix(parts, shape=shape)
    adata = anndata.AnnData(matrix)
    start = time.process_time()
    if name == "select_genes":
        select_genes(adata)
    elif name == "pca":
        scanpy.pp.pca(adata, n_comps=COMPONENTS)
    seconds = time.process_time() - start
    size = sum(part.nbytes for part in parts)
    return {"seconds": seconds, "memory": (held("VmHWM") - before) / size, "bytes": size}


def measured(name: str, folder: Path) -> dict[str, Any]:
    """Return what a call takes in a process of its own."""
    one = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
    done = subprocess.run(
        [sys.executable, __file__, "--call", name, "--folder", str(folder)],
        env=os.environ | one,
        check=True,
        capture_output=True,
        text=True,
    )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def compared(title: str, matrix: sp.csr_matrix, *, repeats: int) -> None:
    """Print a row: both calls, the least of some runs each."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in PARTS:
            np.save(folder / f"{part}.npy", getattr(matrix, part))
        np.save(folder / "shape.npy", matrix.shape)
        what = f"{title}, {matrix.shape[0]} x {matrix.shape[1]}, {matrix.nnz / 1e6:.1f} M entries"
        del matrix
        runs = [
            [measured(call, folder) for call in ("pca", "select_genes")] for _ in range(repeats)
        ]
    theirs, own = (min(pair[which]["seconds"] for pair in runs) for which in (0, 1))
    memory = [max(pair[which]["memory"] for pair in runs) for which in (0, 1)]
    met = own <= MOST_TIME * theirs and memory[1] <= MOST_MEMORY
    print(
        f"| {what} | {runs[0][0]['bytes'] / 1e6:.0f} | {theirs:.1f} | {own:.1f} | "
        f"{own / theirs:.2f} | {memory[0]:.2f} | {memory[1]:.2f} | {'yes' if met else 'no'} |",
        flush=True,
    )


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help="blood, made; both by default")
    parser.add_argument("--cells", type=int, default=CELLS, help="how many cells are made")
    parser.add_argument("--call", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    if given.call:
        print(json.dumps(call(given.call, given.folder)))
        return
    print("| cells | MB | pp.pca, s | select_genes, s | ratio | memory of pp.pca, matrices |"
          " of select_genes | within both limits |")  # fmt: skip
    print("|---|---|---|---|---|---|---|---|")
    asked = given.parts or ["blood", "made"]
    if "blood" in asked and FOLDER in os.environ:
        compared("blood", blood(), repeats=3)
    if "made" in asked:
        compared("made", made(given.cells), repeats=1)


if __name__ == "__main__":
    main()
