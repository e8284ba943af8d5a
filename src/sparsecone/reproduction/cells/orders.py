"""Every method of the study as an order of genes, each on the input that it documents."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
import scipy.sparse as sp

from ...linalg.types import Array
from ...optional import require
from .sets import Cells

#: The largest number of genes that is asked for.
MOST = 2000
DEFAULT = "sparsecone"
EVERYTHING = "all genes"
RANDOM = "random"


@dataclass(frozen=True)
class Method:
    """A method: how it orders genes, whether it needs counts, and how often it draws.

    One with a package is left out where that is not installed.
    """

    name: str
    order: Callable[[Cells, int], Array]
    needs_counts: bool = False
    draws: int = 1
    is_flavour: bool = False
    package: str | None = None

    @property
    def is_there(self) -> bool:
        """Whether its package, if any, is installed."""
        return self.package is None or find_spec(self.package) is not None


def _own(**parameters: Any) -> Callable[[Cells, int], Array]:
    def order(cells: Cells, _: int) -> Array:
        anndata = require("anndata", purpose="The study of cells", extra="study")
        from ...anndata import select_genes

        raw = parameters.get("counts") == "raw"
        adata = anndata.AnnData(cells.counts if raw else cells.logs)
        with warnings.catch_warnings(action="ignore"):
            number = min(MOST, adata.n_vars)
            table = select_genes(adata, n_top_genes=number, inplace=False, **parameters)
        return np.argsort(table["sparsecone_rank"].to_numpy())

    return order


def _flavour(flavour: str, column: str, *, counts: bool = False) -> Method:
    """Return the order by a column of scanpy's, larger first; ranks count backwards."""

    def order(cells: Cells, _: int) -> Array:
        scanpy = require("scanpy", purpose="The study of cells", extra="study")
        anndata = require("anndata", purpose="The study of cells", extra="study")
        adata = anndata.AnnData(sp.csr_matrix(cells.counts if counts else cells.logs))
        pp = scanpy.experimental.pp if flavour == "pearson_residuals" else scanpy.pp
        number = min(MOST, adata.n_vars)
        with warnings.catch_warnings(action="ignore"):
            table = pp.highly_variable_genes(
                adata, flavor=flavour, n_top_genes=number, inplace=False
            )
        values = table[column].to_numpy(dtype=np.float64)
        values = -values if column.endswith("rank") else values
        return np.argsort(-np.nan_to_num(values, nan=-np.inf), kind="stable")

    return Method(flavour, order, needs_counts=counts, is_flavour=True)


def _triku(cells: Cells, _: int) -> Array:
    """Order by the distance of what neighbours express from chance, as in triku's guide."""
    scanpy = require("scanpy", purpose="The study of cells", extra="study")
    anndata = require("anndata", purpose="The study of cells", extra="study")
    triku = require("triku", purpose="triku", extra="study")
    # It refuses genes that no cell has: these come last.
    seen = np.bincount(cells.logs.indices, minlength=cells.logs.shape[1]) > 0
    adata = anndata.AnnData(sp.csr_matrix(cells.logs[:, seen]))
    with warnings.catch_warnings(action="ignore"):
        scanpy.pp.pca(adata)
        near = int(0.5 * adata.n_obs**0.5)
        scanpy.pp.neighbors(adata, metric="cosine", n_neighbors=near)
        triku.tl.triku(adata, n_features=min(MOST, adata.n_vars - 1), verbose="error")
    distances = np.full(seen.size, -np.inf)
    distances[seen] = adata.var["triku_distance"].to_numpy()
    return np.argsort(-distances, kind="stable")


def _scranpy(cells: Cells, _: int) -> Array:
    """Order by what the variance of logarithms is above its trend over the mean, as scran does."""
    scranpy = require("scranpy", purpose="scranpy", extra="study")
    found = scranpy.model_gene_variances(sp.csr_matrix(cells.logs.T))["statistics"]
    return np.argsort(-np.asarray(found["residual"]), kind="stable")


def _deviance(cells: Cells, _: int) -> Array:
    """Order by the deviance of a binomial model with one share a gene (Townes et al. 2019)."""
    counts = cells.counts
    depth = np.asarray(counts.sum(axis=1)).ravel()
    share = np.asarray(counts.sum(axis=0)).ravel() / depth.sum()
    n, d = counts.shape
    rows, x = np.repeat(np.arange(n), np.diff(counts.indptr)), counts.data
    expected, total = depth[rows] * share[counts.indices], depth[rows]
    # A zero adds r log(r / (r - mu)) = -r log(1 - share), as does a count to begin with.
    rest = np.where(total > x, total - x, 1.0)
    terms = x * np.log(x / expected)
    terms += np.where(total > x, rest * np.log(rest / (total - expected)), 0.0)
    terms += total * np.log1p(-share[counts.indices])
    deviance = np.bincount(counts.indices, terms, minlength=d) - depth.sum() * np.log1p(-share)
    return np.argsort(-deviance, kind="stable")


def _variance(cells: Cells, _: int) -> Array:
    mean = np.asarray(cells.logs.mean(axis=0)).ravel()
    squares = np.asarray(cells.logs.multiply(cells.logs).mean(axis=0)).ravel()
    return np.argsort(mean**2 - squares, kind="stable")


def _mean(cells: Cells, _: int) -> Array:
    return np.argsort(-np.asarray(cells.logs.mean(axis=0)).ravel(), kind="stable")


def _random(cells: Cells, seed: int) -> Array:
    return np.random.default_rng(seed).permutation(cells.logs.shape[1])


METHODS = (
    Method(DEFAULT, _own()),
    Method("sparsecone, scores", _own(selection="scores")),
    Method("sparsecone, diverse", _own(selection="diverse")),
    Method("sparsecone, pareto", _own(scale="pareto")),
    Method("sparsecone, unscaled", _own(scale="none", n_candidates=None)),
    Method("sparsecone, raw counts", _own(counts="raw"), needs_counts=True),
    _flavour("seurat", "dispersions_norm"),
    _flavour("cell_ranger", "dispersions_norm"),
    _flavour("seurat_v3", "highly_variable_rank", counts=True),
    _flavour("pearson_residuals", "residual_variances", counts=True),
    Method("triku", _triku, package="triku"),
    Method("scranpy", _scranpy, package="scranpy"),
    Method("deviance", _deviance, needs_counts=True),
    Method("highest variance", _variance),
    Method("highest mean", _mean),
    Method(RANDOM, _random, draws=5),
    Method(EVERYTHING, _mean),
)
