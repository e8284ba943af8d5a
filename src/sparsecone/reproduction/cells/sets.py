"""Cells with labels, from a folder of .npz files, and where the labels come from."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from ...linalg.types import Array

FOLDER = "SPARSECONE_CELLS"
#: Genes seen in fewer cells are left out.
FEWEST_CELLS = 3


@dataclass(frozen=True)
class CellSet:
    """A set of cells."""

    #: Its file, and its name on the page.
    name: str
    title: str
    labels: str  #: Where its labels come from.
    has_counts: bool = True  #: Whether the values are counts; else they are logarithms.
    #: Whether the labels were made by clustering genes: such sets are shown apart.
    clustered: bool = False


SETS = (
    CellSet("sc_goolam", "Goolam", "stage of the embryo"),
    CellSet("sc_pollen", "Pollen", "source of the cells", has_counts=False),
    CellSet("sc_mix_dropseq", "Mixture, Drop-seq", "genotype"),
    CellSet("sc_mix_celseq2", "Mixture, CEL-seq2", "genotype"),
    CellSet("sc_camp", "Camp", "clustering and markers", clustered=True),
    CellSet("sc_pbmc3k", "PBMC 3k", "clustering of the genes of seurat_v3", clustered=True),
)


@dataclass(frozen=True)
class Cells:
    """Counts (where there are any), log-normalised values, and labels."""

    counts: Any
    logs: Any
    labels: Array

    def part(self, rows: Array) -> Cells:
        """Return some of the cells."""
        counts = None if self.counts is None else self.counts[rows]
        return Cells(counts, self.logs[rows], self.labels[rows])


def folder() -> Path:
    """Return the folder of the files, or say how to name it."""
    given = os.environ.get(FOLDER)
    if given is None:
        raise ValueError(
            f"The study needs cells with labels: set {FOLDER} to the folder of the .npz files."
        )
    return Path(given)


def present() -> list[CellSet]:
    """Return the sets that are in the folder."""
    return [found for found in SETS if (folder() / f"{found.name}.npz").is_file()]


def load(cell_set: CellSet) -> Cells:
    """Read a set; counts are scaled to their median depth, and logarithms are taken."""
    with np.load(folder() / f"{cell_set.name}.npz") as file:
        parts = file["data"].astype(np.float64), file["indices"], file["indptr"]
        matrix = sp.csr_matrix(parts, shape=tuple(file["shape"]))
        labels = file["y"]
    seen = np.bincount(matrix.indices, minlength=matrix.shape[1]) >= FEWEST_CELLS
    matrix = matrix[:, seen]
    if not cell_set.has_counts:
        return Cells(None, matrix, labels)
    depth = np.asarray(matrix.sum(axis=1)).ravel()
    logs = sp.csr_matrix(sp.diags_array(np.median(depth) / depth) @ matrix)
    logs.data = np.log1p(logs.data)
    return Cells(matrix, logs, labels)
