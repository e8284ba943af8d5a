"""What selections explain of unseen samples, beside the ceiling: `make bench-selection`.

    python benchmarks/selection.py [FILE.npz ...] [--splits N]

Features are chosen on a random half of the samples; the variance of the other half that 50 and 100
of them explain is that of `score`, leave-one-out by ridge regression. The share of the ceiling and
the largest correlation inside a selection are those of a fit on all samples. Without files, all of
SPARSECONE_DATA and the folder `wide` beside it are measured. CUR and FPS need skmatter.
"""

from __future__ import annotations

import argparse
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from sparsecone import SPCAPSD, RandomFeatures
from sparsecone.data import as_rows
from sparsecone.metrics.redundancy import correlations
from sparsecone.selectors.explained import explained_variance

NUMBERS = (50, 100)
# CUR takes a decomposition a feature.
MOST_ENTRIES = 3_000_000
Order = NDArray[np.intp]


def samples(path: Path) -> Any:
    """Return the samples of a file; counts as logarithms."""
    with np.load(path) as file:
        if "X" in file:
            return file["X"].astype(np.float64)
        parts = file["data"].astype(np.float64), file["indices"], file["indptr"]
        X = sp.csr_matrix(parts, shape=tuple(file["shape"]))
    X.data = np.log1p(X.data)
    return X


def dense(X: Any) -> NDArray[np.float64]:
    X = X.toarray() if sp.issparse(X) else X
    return np.asarray(X - X.mean(axis=0))


def ours(selection: str) -> Callable[[Any], Order]:
    def order(X: Any) -> Order:
        return np.argsort(SPCAPSD(n_features_to_select=1, selection=selection).fit(X).ranking_)

    return order


def pivoted_qr(X: Any) -> Order:
    """Choose the column that is farthest from the span of the chosen ones."""
    left, chosen = dense(X), []
    for _ in range(min(max(NUMBERS), min(left.shape) - 1)):
        best = int(np.argmax(np.einsum("ij,ij->j", left, left)))
        unit = left[:, best] / np.linalg.norm(left[:, best])
        left -= np.outer(unit, unit @ left)
        chosen.append(best)
    return np.array(chosen)


def plain_greedy(X: Any) -> Order:
    """Choose the column whose projection explains most, without a ridge."""
    left, chosen = dense(X), []
    for _ in range(min(max(NUMBERS), min(left.shape) - 1)):
        own = np.einsum("ij,ij->j", left, left)
        told = np.einsum("ij,ij->j", left, (left @ left.T) @ left)
        gains = np.where(own > 1e-9 * own.max(), told / np.maximum(own, 1e-300), 0.0)
        best = int(np.argmax(gains))
        unit = left[:, best] / np.linalg.norm(left[:, best])
        left -= np.outer(unit, unit @ left)
        chosen.append(best)
    return np.array(chosen)


def skmatter(name: str) -> Callable[[Any], Order]:
    def order(X: Any) -> Order:
        from skmatter import feature_selection

        count = min(max(NUMBERS), min(X.shape) - 1)
        chosen = getattr(feature_selection, name)(n_to_select=count).fit(dense(X))
        return np.asarray(chosen.selected_idx_)

    return order


def random(X: Any) -> Order:
    return np.argsort(RandomFeatures(random_state=0).fit(X).ranking_)


METHODS: dict[str, Callable[[Any], Order]] = {
    "explained": ours("explained"),
    "diverse": ours("diverse"),
    "pivoted QR": pivoted_qr,
    "greedy": plain_greedy,
    "CUR": skmatter("CUR"),
    "FPS": skmatter("FPS"),
    "random": random,
}


def unseen(X: Any, method: Callable[[Any], Order], n_splits: int) -> float:
    """Return the mean variance of unseen samples explained by 50 and 100 features, in percent."""
    found = []
    for seed in range(n_splits):
        rows = np.random.default_rng(seed).permutation(X.shape[0])
        order, rest = method(X[np.sort(rows[::2])]), as_rows(X[np.sort(rows[1::2])])
        found += [explained_variance(rest, order[:number]) for number in NUMBERS]
    return 100.0 * float(np.mean(found))


def largest_correlation(X: Any, selected: Order) -> float:
    matrix = np.abs(correlations(X[:, selected]))
    np.fill_diagonal(matrix, 0.0)
    return float(matrix.max())


def measured(X: Any, name: str, n_splits: int) -> str:
    if name in ("CUR", "greedy") and X.shape[0] * X.shape[1] > MOST_ENTRIES:
        return ""
    try:
        return f"{unseen(X, METHODS[name], n_splits):.1f}"
    except ImportError:
        return ""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--splits", type=int, default=2)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    folder = Path(os.environ.get("SPARSECONE_DATA", "../shared/data"))
    beside = folder.parent / "wide"
    files = given.files or [*sorted(folder.glob("*.npz")), *sorted(beside.glob("*.npz"))]
    heads = ["of the ceiling, %", "diverse, %", "largest r", "diverse", "fit, s", "choice, s"]
    print(f"| data | {' | '.join(METHODS)} | {' | '.join(heads)} |")
    print("|---" * (1 + len(METHODS) + len(heads)) + "|")
    for path in files:
        X = samples(path)
        cells = [measured(X, name, given.splits) for name in METHODS]
        shares, alike, seconds = [], [], []
        for selection in ("explained", "diverse"):
            fit = SPCAPSD(n_features_to_select=50, selection=selection).fit(X)
            choosing = fit.solution_.phases["choosing"]
            seconds = [fit.solution_.elapsed - choosing, choosing]
            curve, last = fit.curve_, [min(n, fit.curve_.n_features.size) - 1 for n in NUMBERS]
            shares.append(f"{100 * np.mean(curve.explained[last] / curve.ceiling[last]):.1f}")
            alike.append(f"{largest_correlation(X, fit.selected_at(100)):.3f}")
        cells += [*shares, *alike, *(f"{second:.2f}" for second in seconds)]
        print(f"| {path.stem} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
