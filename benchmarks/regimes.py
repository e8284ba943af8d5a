"""The three models beside PCA of the same rank, and what a user would take instead, from one run.

    python benchmarks/regimes.py [--only NAME ...] [--limit SECONDS]        (make bench-regimes)

Every fit has one thread, default parameters and a limit of time; seconds are the least of some
runs, ratios are to scikit-learn's PCA of the rank that SPCA-PSD found on the same array. Beside
them: SPCA-PSD's rank, and `MiniBatchSparsePCA` of that rank. Real data are read from the folder
SPARSECONE_DATA and those beside it called wide and cells; what is not there is left out.
"""

from __future__ import annotations

import argparse
import os
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.decomposition import PCA, MiniBatchSparsePCA
from sklearn.feature_extraction.text import TfidfTransformer
from threadpoolctl import threadpool_limits

from sparsecone import AWSPCAPSD, CSPCAPSD, SPCAPSD

FOLDER = Path(os.environ.get("SPARSECONE_DATA", "../shared/data"))
# Fits shorter than this are repeated so often.
SHORT, REPEATS = 2.0, 3
# Entries and features beyond which the robust models, or the peer, are not run.
MOST_ENTRIES = 2e7
WIDEST_PEER = 3000
HEADER = (
    "| data | shape | rank | PCA, s | SPCA-PSD | CSPCA-PSD | AW-SPCA-PSD "
    "| MiniBatchSparsePCA | largest gap |"
)


def standardised(X: Any) -> Any:
    """Return samples, or those of a file, with features of variance one; constant ones are zero."""
    X = stored(X) if isinstance(X, Path) else X
    X = np.asarray(X.toarray() if sp.issparse(X) else X, dtype=np.float64)
    spread = X.std(axis=0)
    return (X - X.mean(axis=0)) / np.where(spread > 0.0, spread, 1.0)


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


def cases() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield names and what makes the samples."""
    for path in sorted(FOLDER.glob("*.npz")):
        yield path.stem, partial(stored, path)
        yield f"{path.stem}, standardised", partial(standardised, path)
    for path in sorted((FOLDER.parent / "wide").glob("*.npz")):
        yield path.stem, partial(stored, path)
    cells = FOLDER.parent / "cells"
    blood, lines = cells / "sc_pbmc3k.npz", cells / "sc_mix_celseq2.npz"
    if blood.exists():
        yield "blood cells, Pearson residuals", partial(pearson_residuals, blood)
        yield "blood cells, log counts", partial(log_counts, blood)
        yield "blood cells, standardised", lambda: standardised(log_counts(blood))
    if lines.exists():
        yield "cell lines, log counts", partial(log_counts, lines)
    yield "digits", lambda: load_digits().data
    yield "breast cancer, standardised", lambda: standardised(load_breast_cancer().data)
    yield "text", text
    yield "tall, single precision", lambda: tall(60_000, 800, np.float32)
    yield "both sides large", lambda: tall(5_000, 2_000, np.float64)


def seconds(fit: Callable[[], Any]) -> tuple[float, Any]:
    """Return the least time of some runs, and what the last one returned."""
    best = np.inf
    for _ in range(REPEATS):
        start = time.perf_counter()
        found = fit()
        best = min(best, time.perf_counter() - start)
        if best > SHORT:
            break
    return best, found


def row(name: str, X: Any, limit: float) -> str:
    """Return a row of the table."""
    entries = X.nnz if sp.issparse(X) else X.size
    robust = (CSPCAPSD, AWSPCAPSD) if entries <= MOST_ENTRIES else ()
    fits = [seconds(partial(model(max_time=limit).fit, X)) for model in (SPCAPSD, *robust)]
    rank = max(fits[0][1].solution_.rank, 1)
    solver = "arpack" if sp.issparse(X) else "auto"
    plain, _ = seconds(partial(PCA(rank, svd_solver=solver, random_state=0).fit, X))
    ratios = [f"{spent / plain:.1f}" for spent, _ in fits] + ["-"] * (3 - len(fits))
    peer = "-"
    if not sp.issparse(X) and X.shape[1] <= WIDEST_PEER and entries <= MOST_ENTRIES:
        other = MiniBatchSparsePCA(rank, random_state=0)
        peer = f"{seconds(partial(other.fit, X))[0] / plain:.1f}"
    gap = max(selector.solution_.gap for _, selector in fits)
    shape = f"{X.shape[0]} x {X.shape[1]}{' CSR' if sp.issparse(X) else ''}"
    cells = name, shape, str(rank), f"{plain:.3f}", *ratios, peer, f"{gap:.0e}"
    return f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", default=[], help="parts of names")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for each fit")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    print(HEADER, "|---" * (HEADER.count("|") - 1) + "|", sep="\n")
    with threadpool_limits(1):
        for name, make in cases():
            if not chosen.only or any(part in name for part in chosen.only):
                print(row(name, make(), chosen.limit), flush=True)


if __name__ == "__main__":
    main()
