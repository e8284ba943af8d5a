"""What selections explain, beside peers and the ceiling, and their time: `make bench-selection`.

    python benchmarks/selection.py [FILE.npz ...] [--splits N] > docs/results/selection.md

Real data are read from the folder SPARSECONE_DATA and those beside it called wide and cells; what
is not there is left out. With files, these alone are measured, and no times. CUR and FPS need
skmatter.
"""

from __future__ import annotations

import argparse
import os
import platform
import time
import warnings
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from selection_methods import METHODS, NUMBERS, Order
from sparsecone import SPCAPSD
from sparsecone.data import as_rows
from sparsecone.metrics.redundancy import correlations
from sparsecone.selectors.ceiling import ceiling
from sparsecone.selectors.explained import explained_variance

# Entries up to which peers run: CUR and the greedy choice take a decomposition a feature, and all
# but ours and random features need dense samples.
SLOW, MOST_ENTRIES, DENSE_ENTRIES = ("CUR", "greedy"), 3_000_000, 20_000_000
SPARSE = ("explained", "diverse", "random")
REPEATS = 3
# Samples, features and factors of made data.
MADE = (20_000, 2_000, 30)
PAGE = """# What selections explain

`make bench-selection` makes this page. Counts are taken as logarithms. Machine: {cores} cores, one
thread, {system}, Python {python}, NumPy {numpy}.
"""
UNSEEN = """
## Of unseen samples

Features are chosen on a random half of the samples; given is the variance of the other half that 50
and 100 of them explain in the mean, by ridge regression, leave-one-out, in %. The mean is over data
that all methods have.
"""
CEILING = """
## Beside the ceiling

What the first 50 and 100 features of all samples explain in the mean, in % of the ceiling that no
features pass, thoroughly sought as in reports, and of the one of a fit; the largest correlation
among 100 selected features.
"""
CELLS = """
The same of cells.
"""
BESIDE = [
    f"{selection}: {what}"
    for selection in ("explained", "diverse")
    for what in ("of the ceiling, %", "of that of a fit, %", "largest r")
]
SECONDS = ["explained: choice", "the rest", "diverse: choice", "the rest", "smaller of X'X and XX'"]
TIMES = """
## Time

Seconds of a fit that selects 100 features, the least of {repeats}: the order of all features, up to
500 of them one by one, with what they explain and its ceiling; all else; and the smaller of X'X and
XX' by NumPy. By the clock, at a load average of {load:.1f}.
"""


def samples(path: Path) -> Any:
    """Return the samples of a file; counts as logarithms."""
    with np.load(path) as file:
        if "X" in file:
            return file["X"].astype(np.float64)
        entries, are_counts = file["data"].astype(np.float64), file["data"].dtype.kind in "iu"
        parts = file["indices"].astype(np.int32), file["indptr"]
        return sp.csr_matrix(
            (np.log1p(entries) if are_counts else entries, *parts), shape=tuple(file["shape"])
        )


def unseen(X: Any, method: Callable[[Any], Order], n_splits: int) -> float:
    """Return the mean variance of unseen samples explained by 50 and 100 features, in percent."""
    found = []
    for seed in range(n_splits):
        rows = np.random.default_rng(seed).permutation(X.shape[0])
        order, rest = method(X[np.sort(rows[::2])]), as_rows(X[np.sort(rows[1::2])])
        found += [explained_variance(rest, order[:number]) for number in NUMBERS]
    return 100.0 * float(np.mean(found))


def told(X: Any, n_splits: int) -> list[float]:
    """Return what the features of each method explain, NaN where it does not run."""
    return [measured(X, name, n_splits) for name in METHODS]


def measured(X: Any, name: str, n_splits: int) -> float:
    entries = X.shape[0] * X.shape[1]
    limit = MOST_ENTRIES if name in SLOW else np.inf if name in SPARSE else DENSE_ENTRIES
    try:
        return unseen(X, METHODS[name], n_splits) if entries <= limit else np.nan
    except ImportError:
        return np.nan


def largest_correlation(X: Any, selected: Order) -> float:
    matrix = np.abs(correlations(X[:, selected]))
    np.fill_diagonal(matrix, 0.0)
    return float(matrix.max())


def beside_ceiling(X: Any) -> list[float]:
    """Return shares of both ceilings in percent and the largest correlation, both selections."""
    found, data = [], as_rows(X)
    for selection in ("explained", "diverse"):
        fit = SPCAPSD(n_features_to_select=50, selection=selection).fit(X)
        curve, last = fit.curve_, [min(n, fit.curve_.n_features.size) - 1 for n in NUMBERS]
        thorough = ceiling(data, curve.n_features.size)
        shares = [curve.explained[last] / most[last] for most in (thorough, curve.ceiling)]
        found += [100.0 * float(share.mean()) for share in shares]
        found.append(largest_correlation(X, fit.selected_at(100)))
    return found


def made_data() -> Any:
    """Return samples of some factors with noise."""
    n, d, k = MADE
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, k)) @ rng.normal(size=(k, d)) + rng.normal(size=(n, d))


def times(X: Any) -> list[float]:
    """Return seconds of choosing and of the rest of a fit, both selections, and of a product."""
    found = []
    for selection in ("explained", "diverse"):
        fits = [
            SPCAPSD(n_features_to_select=100, selection=selection).fit(X).solution_
            for _ in range(REPEATS)
        ]
        found.append(min(fit.phases["choosing"] for fit in fits))
        found.append(min(fit.elapsed - fit.phases["choosing"] for fit in fits))
    seconds, small = [], X if X.shape[0] < X.shape[1] else X.T
    for _ in range(REPEATS):
        start = time.perf_counter()
        small @ small.T
        seconds.append(time.perf_counter() - start)
    return [*found, min(seconds)]


def table(text: str, heads: list[str], rows: Iterable[tuple[str, list[float]]], mean: str) -> None:
    """Print rows as they come, and the mean of those without a gap."""
    print(f"{text}\n| data | {' | '.join(heads)} |\n{'|---' * (1 + len(heads))}|", flush=True)
    found = []
    for name, figures in rows:
        print_row(name, figures, heads)
        found.append(figures)
    whole = [figures for figures in found if not np.isnan(figures).any()]
    if mean and whole:
        print_row(mean.format(len(whole)), np.mean(whole, axis=0).tolist(), heads)


def print_row(name: str, figures: list[float], heads: list[str]) -> None:
    digits = [1 if "%" in head else 3 for head in heads]
    cells = ["" if np.isnan(x) else f"{x:.{k}f}" for x, k in zip(figures, digits, strict=True)]
    print(f"| {name} | {' | '.join(cells)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--splits", type=int, default=2)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    folder = Path(os.environ.get("SPARSECONE_DATA", "../shared/data"))
    plain = given.files or [
        path for part in (folder, folder.parent / "wide") for path in sorted(part.glob("*.npz"))
    ]
    cells = [] if given.files else sorted((folder.parent / "cells").glob("*.npz"))
    versions = {"python": platform.python_version(), "numpy": np.__version__}
    print(PAGE.format(cores=os.cpu_count(), system=platform.system(), **versions), end="")
    peers = [f"{name}, %" for name in METHODS]
    table(UNSEEN, peers, ((p.stem, told(samples(p), given.splits)) for p in plain), "mean of {}")
    for files, text in ((plain, CEILING), (cells, CELLS)):
        if files:
            table(text, BESIDE, ((p.stem, beside_ceiling(samples(p))) for p in files), "mean of {}")
    if not given.files:
        timed: dict[str, Callable[[], Any]] = {
            path.stem: partial(samples, path) for path in plain if path.stem == "orlraws10p"
        }
        timed[f"made, {MADE[0]} x {MADE[1]}, {MADE[2]} factors"] = made_data
        rows = ((name, times(X())) for name, X in timed.items())
        table(TIMES.format(repeats=REPEATS, load=os.getloadavg()[0]), SECONDS, rows, "")


if __name__ == "__main__":
    main()
