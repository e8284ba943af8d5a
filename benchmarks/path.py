"""What a path and `lambda_max` cost in single fits, all measured in one run: `make bench-path`.

    python benchmarks/path.py [DATA SET ...]

Every grid has 81 points: along lam at the automatic eta, and 9 x 9 over the range of the paper's
rule (eta from 1 to 10 % of the loss at W = 0, lam from 1 % of the smallest eta to 10 % of the
largest). The single fits are those of every eighth point, with their preparation of the data; for
`lambda_max` the single fit is one with the automatic weights, the faster of two. Times are those of
the processor.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning

from sparsecone import SPCAPSD, lambda_max
from sparsecone.datasets import load
from sparsecone.path import Path, spca_psd_path

POINTS = 81
EVERY = 8
GRIDS: dict[str, dict[str, Any]] = {
    "81 lams": {"lams": POINTS},
    "9 x 9": {"etas": np.geomspace(0.1, 0.01, 9), "lams": np.geomspace(0.1, 0.001, 9)},
}
HEADER = "| data | shape | what | CPU s | single fit | ratio | solved | largest difference | gap |"


def samples(name: str) -> Any:
    return load_digits().data if name == "digits" else load(name, preprocess=True).X


def timed(function: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds that a call takes of the processor, and its result."""
    start = time.process_time()
    result = function()
    return time.process_time() - start, result


def single_fits(X: Any, path: Path) -> tuple[float, float]:
    """Return the mean seconds of single fits, and how far their objectives differ at most."""
    seconds, differences = [], []
    for index in range(0, path.values.size, EVERY):
        i, j = divmod(index, len(path.lams))
        selector = SPCAPSD(
            n_features_to_select=1, eta=path.etas[i], lam=path.lams[j], units="absolute"
        )
        taken, fitted = timed(partial(selector.fit, X))
        seconds.append(taken)
        differences.append(abs(fitted.solution_.value / path.values[i, j] - 1.0))
    return float(np.mean(seconds)), max(differences)


def limit_row(X: Any) -> str:
    """Return what `lambda_max` costs."""
    selector = SPCAPSD(n_features_to_select=1)
    single = min(timed(partial(selector.fit, X))[0] for _ in range(2))
    taken = min(timed(partial(lambda_max, X))[0] for _ in range(2))
    return f"lambda_max | {taken:.3f} | {single:.3f} | {taken / single:.1f} | | |"


def path_row(X: Any, title: str, grid: dict[str, Any]) -> str:
    """Return what a path costs."""
    taken, path = timed(partial(spca_psd_path, X, **grid))
    assert set(path.statuses.ravel()) == {"converged"}
    single, difference = single_fits(X, path)
    return (
        f"{title} | {taken:.2f} | {single:.3f} | {taken / single:.1f} | {path.solved.sum()} "
        f"| {difference:.0e} | {path.gaps.max():.0e}"
    )


def main(names: list[str]) -> None:
    # The first points select nothing, which a fit warns of.
    warnings.simplefilter("ignore", UserWarning)
    warnings.simplefilter("error", ConvergenceWarning)
    print(HEADER)
    print("|---" * (HEADER.count("|") - 1) + "|")
    for name in names:
        X = samples(name)
        shape = f"{X.shape[0]} x {X.shape[1]}"
        print(f"| {name} | {shape} | {limit_row(X)} |", flush=True)
        for title, grid in GRIDS.items():
            print(f"| {name} | {shape} | {path_row(X, title, grid)} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or ["digits"])
