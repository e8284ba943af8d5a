"""The data of `regimes.py`: stored, made from what is stored, and drawn."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.preprocessing import minmax_scale

FOLDER = Path(os.environ.get("SPARSECONE_DATA", "../shared/data"))


class Case(NamedTuple):
    """Samples to be made, and what their time is held against.

    Attributes
    ----------
    name : str
        What the row of the table is called.
    make : callable
        Returns the samples.
    rank : int
        Components of the PCA beside it; 0 for as many as W has.
    limit : float
        The largest ratio of SPCA-PSD to that PCA, or to the products below.
    product : str
        "gram" where X'X is what a fit is held against, "eigh" where that and its decomposition are.
    is_stored : bool
        Whether this is one of the data sets that means are taken over.
    """

    name: str
    make: Callable[[], Any]
    rank: int = 0
    limit: float = 6.0
    product: str = ""
    is_stored: bool = False


def standardised(X: Any) -> Any:
    """Return samples, or those of a file, with features of variance one; constant ones are zero."""
    X = stored(X) if isinstance(X, Path) else X
    X = np.asarray(X.toarray() if sp.issparse(X) else X, dtype=np.float64)
    spread = X.std(axis=0)
    return (X - X.mean(axis=0)) / np.where(spread > 0.0, spread, 1.0)


def scaled(path: Path) -> Any:
    """Return the samples of a file with features between 0 and 1."""
    return minmax_scale(stored(path))


def stored(path: Path) -> Any:
    """Return the samples of a file, sparse where it holds the parts of a CSR matrix."""
    file = np.load(path)
    if "X" in file:
        return file["X"].astype(np.float64)
    parts = file["data"].astype(np.float64), file["indices"], file["indptr"]
    return sp.csr_matrix(parts, shape=tuple(file["shape"]))


def log_counts(path: Path) -> Any:
    """Return the logarithm of counts per ten thousand, sparse."""
    X = stored(path)
    depths = np.asarray(X.sum(axis=1)).ravel()
    X = sp.diags_array(1e4 / np.maximum(depths, 1.0)) @ X
    return sp.csr_matrix(X).log1p()


def pearson_residuals(path: Path, theta: float = 100.0) -> Any:
    """Return Pearson residuals of counts, clipped at the root of the number of cells."""
    X = stored(path)
    X = X.toarray()
    X = X[:, X.sum(axis=0) > 0]
    mean = np.outer(X.sum(axis=1), X.sum(axis=0)) / X.sum()
    root = np.sqrt(len(X))
    return np.clip((X - mean) / np.sqrt(mean + mean**2 / theta), -root, root)


def tall(n: int, d: int, dtype: type) -> Any:
    """Return samples with a few strong components."""
    rng = np.random.default_rng(0)
    components = 0.8 ** np.arange(20)[:, None] * rng.standard_normal((20, d), dtype=np.float32)
    X = rng.standard_normal((n, 20), dtype=np.float32) @ components.astype(np.float32)
    return (X + 0.3 * rng.standard_normal((n, d), dtype=np.float32)).astype(dtype)


def text(n: int = 3000, d: int = 10_000, topics: int = 20) -> Any:
    """Return weighted word counts of documents that are drawn from topics."""
    rng = np.random.default_rng(0)
    words = 1.0 / np.arange(1, d + 1)
    rows = []
    for topic in rng.integers(topics, size=n):
        share = words * np.where(np.arange(d) % topics == topic, 8.0, 1.0)
        rows.append(rng.multinomial(120, share / share.sum()))
    return TfidfTransformer().fit_transform(sp.csr_matrix(np.array(rows)))


def cases() -> Iterator[Case]:
    """Yield all cases whose data are there."""
    for path in sorted(FOLDER.glob("*.npz")):
        yield Case(path.stem, partial(stored, path), is_stored=True)
        yield Case(f"{path.stem}, scaled", partial(scaled, path), is_stored=True)
        yield Case(f"{path.stem}, standardised", partial(standardised, path), is_stored=True)
    for path in sorted((FOLDER.parent / "wide").glob("*.npz")):
        yield Case(path.stem, partial(stored, path))
    cells = FOLDER.parent / "cells"
    blood, lines = cells / "sc_pbmc3k.npz", cells / "sc_mix_celseq2.npz"
    if blood.exists():
        yield Case("blood cells, Pearson residuals", partial(pearson_residuals, blood), 50, 3.0)
        yield Case("blood cells, log counts", partial(log_counts, blood), 50, 2.0)
        yield Case("blood cells, standardised", lambda: standardised(log_counts(blood)), 50, 3.0)
    if lines.exists():
        yield Case("cell lines, log counts", partial(log_counts, lines), 50, 3.0)
    yield Case("digits", lambda: load_digits().data)
    yield Case("breast cancer, standardised", lambda: standardised(load_breast_cancer().data))
    yield Case("text", text)
    single = np.float32
    yield Case("tall, single precision", partial(tall, 60_000, 800, single), 0, 1.8, "gram")
    yield Case("taller, single precision", partial(tall, 200_000, 1_000, single), 0, 1.3, "gram")
    yield Case("both sides large", partial(tall, 5_000, 2_000, np.float64), 0, 2.0, "eigh")
