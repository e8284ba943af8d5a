"""What a path costs in single fits, both measured in one run: `make bench-path`.

    python benchmarks/path.py [DATA SET ...]

Every grid has 81 points: along lam at the automatic eta, and 9 x 9 over the range of the paper's
rule (eta from 1 to 10 % of the loss at W = 0, lam from 1 % of the smallest eta to 10 % of the
largest). The single fits are those of every eighth point, with their preparation of the data.
"""

from __future__ import annotations

import sys
import time
import warnings
from typing import Any

import numpy as np
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning

from sparsecone import SPCAPSD
from sparsecone.datasets import load
from sparsecone.path import Path, spca_psd_path

POINTS = 81
EVERY = 8
GRIDS: dict[str, dict[str, Any]] = {
    "81 lams": {"lams": POINTS},
    "9 x 9": {"etas": np.geomspace(0.1, 0.01, 9), "lams": np.geomspace(0.1, 0.001, 9)},
}
HEADER = "| data | shape | grid | path, s | mean single fit, s | ratio | largest difference | gap |"


def samples(name: str) -> Any:
    return load_digits().data if name == "digits" else load(name, preprocess=True).X


def single_fits(X: Any, path: Path) -> tuple[float, float]:
    """Return the mean seconds of single fits, and how far their objectives differ at most."""
    seconds, differences = [], []
    for index in range(0, path.values.size, EVERY):
        i, j = divmod(index, len(path.lams))
        selector = SPCAPSD(
            n_features_to_select=1, eta=path.etas[i], lam=path.lams[j], units="absolute"
        )
        start = time.perf_counter()
        solution = selector.fit(X).solution_
        seconds.append(time.perf_counter() - start)
        differences.append(abs(solution.value / path.values[i, j] - 1.0))
    return float(np.mean(seconds)), max(differences)


def main(names: list[str]) -> None:
    # The first points select nothing, which a fit warns of.
    warnings.simplefilter("ignore", UserWarning)
    warnings.simplefilter("error", ConvergenceWarning)
    print(HEADER)
    print("|---" * (HEADER.count("|") - 1) + "|")
    for name in names:
        X = samples(name)
        for title, grid in GRIDS.items():
            path = spca_psd_path(X, **grid)
            single, difference = single_fits(X, path)
            print(
                f"| {name} | {X.shape[0]} x {X.shape[1]} | {title} | {path.elapsed:.2f} "
                f"| {single:.3f} | {path.elapsed / single:.1f} | {difference:.0e} "
                f"| {path.gaps.max():.0e} |",
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1:] or ["digits"])
