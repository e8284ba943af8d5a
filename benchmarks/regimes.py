"""The three models beside PCA of the same rank, and what a user would take instead, from one run.

    python benchmarks/regimes.py [--only NAME ...] [--limit SECONDS]        (make bench-regimes)

Seconds are of CPU time on one thread, the least of some runs, with default parameters; ratios are
to scikit-learn's PCA of the rank that SPCA-PSD found on the same array, or of 50 components for
cells. Beside them: CSPCA-PSD in SPCA-PSDs, AW-SPCA-PSD in `scipy.linalg.eigh` of size d where d is
at most 1100, `MiniBatchSparsePCA` of the same rank, and CUR and FPS of scikit-matter for 100
features, where that is installed. Real data are read from the folder SPARSECONE_DATA and those
beside it called wide and cells; what is not there is left out. A second table holds what was found
against its limits.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from sklearn.decomposition import PCA, MiniBatchSparsePCA
from threadpoolctl import threadpool_limits

from sparsecone import AWSPCAPSD, CSPCAPSD, SPCAPSD
from sparsecone.data.centring import LARGEST_SUMMED
from sparsecone.data.products import BLOCK

from regime_data import Case, cases

# Fits shorter than this are repeated so often.
SHORT, REPEATS = 2.0, 3
# Entries beyond which the robust models, and the peers, are not run, features for the latter, and
# those that they choose.
MOST_ENTRIES = 2e7
WIDEST_PEER = 3000
CHOSEN = 100
# The size up to which AW-SPCA-PSD is counted in decompositions.
LARGEST_EIGH = 1100
HEADER = (
    "| data | shape | rank | PCA, s | SPCA-PSD | CSPCA-PSD | AW-SPCA-PSD | CSPCA-PSD / SPCA-PSD "
    "| AW-SPCA-PSD, s | in eigh | MiniBatchSparsePCA | CUR | FPS | largest gap |"
)


@dataclass(frozen=True)
class Row:
    """What was measured on one array, in seconds; nan where nothing was."""

    case: Case
    shape: str
    rank: int
    plain: float
    models: tuple[float, float, float]
    eigh: float
    product: float
    peers: tuple[float, float, float]
    gaps: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """SPCA-PSD beside what it is held against."""
        return self.models[0] / (self.product if self.case.product else self.plain)

    @property
    def robust_ratio(self) -> float:
        """CSPCA-PSD beside SPCA-PSD."""
        return self.models[1] / self.models[0]

    def __str__(self) -> str:
        squared, _, averaged = self.models
        ratios = (*(spent / self.plain for spent in self.models), self.robust_ratio)
        others = (averaged, averaged / self.eigh, *(spent / self.plain for spent in self.peers))
        figures = [f"{self.plain:.3f}", *map(_short, (*ratios, *others))]
        figures[1] += f" ({squared / self.product:.2f} of products)" if self.case.product else ""
        cells = (self.case.name, self.shape, str(self.rank), *figures, f"{max(self.gaps):.0e}")
        return f"| {' | '.join(cells)} |"


def _short(value: float) -> str:
    return "-" if np.isnan(value) else f"{value:.1f}"


def seconds(fit: Callable[[], Any]) -> tuple[float, Any]:
    """Return the least CPU time of some runs, and what the last one returned."""
    best = np.inf
    for _ in range(REPEATS):
        start = time.process_time()
        found = fit()
        best = min(best, time.process_time() - start)
        if best > SHORT:
            break
    return best, found


def products(X: Any, kind: str) -> None:
    """Form X'X in blocks, summed in double precision, and decompose it where that is asked for.

    The blocks are multiplied in double precision as well, up to the size to which a fit does so.
    """
    total = np.zeros((X.shape[1],) * 2)
    dtype = np.float64 if X.size <= LARGEST_SUMMED else X.dtype
    for first in range(0, len(X), BLOCK):
        block = X[first : first + BLOCK].astype(dtype, copy=False)
        total += block.T @ block
    if kind == "eigh":
        scipy.linalg.eigh(total)


def peers(X: Any, rank: int) -> tuple[float, float, float]:
    """Return the seconds of MiniBatchSparsePCA, and of CUR and FPS where they are installed."""
    if sp.issparse(X) or X.shape[1] > WIDEST_PEER or X.size > MOST_ENTRIES:
        return (np.nan,) * 3
    sparse, _ = seconds(partial(MiniBatchSparsePCA(rank, random_state=0).fit, X))
    try:
        from skmatter import feature_selection
    except ModuleNotFoundError:
        return sparse, np.nan, np.nan
    number = min(CHOSEN, X.shape[1] - 1)
    both = [
        seconds(partial(getattr(feature_selection, name)(n_to_select=number).fit, X))[0]
        for name in ("CUR", "FPS")
    ]
    return sparse, both[0], both[1]


def measured(case: Case, limit: float) -> Row:
    """Measure everything on one array."""
    X = case.make()
    entries = X.nnz if sp.issparse(X) else X.size
    robust = (CSPCAPSD, AWSPCAPSD) if entries <= MOST_ENTRIES else ()
    fits = [seconds(partial(model(max_time=limit).fit, X)) for model in (SPCAPSD, *robust)]
    rank = max(fits[0][1].solution_.rank, 1)
    solver = "arpack" if sp.issparse(X) else "auto"
    plain, _ = seconds(partial(PCA(case.rank or rank, svd_solver=solver, random_state=0).fit, X))
    times = [spent for spent, _ in fits] + [np.nan] * (3 - len(fits))
    product = seconds(partial(products, X, case.product))[0] if case.product else np.nan
    eigh = np.nan
    if robust and X.shape[1] <= LARGEST_EIGH:
        S = np.asarray((X.T @ X).toarray() if sp.issparse(X) else X.T @ X)
        eigh, _ = seconds(partial(scipy.linalg.eigh, S))
    shape = f"{X.shape[0]} x {X.shape[1]}{' CSR' if sp.issparse(X) else ''}"
    gaps = tuple(selector.solution_.gap for _, selector in fits)
    models = times[0], times[1], times[2]
    return Row(case, shape, rank, plain, models, eigh, product, peers(X, rank), gaps)


def limits(rows: list[Row]) -> list[str]:
    """Return the table of what was found against its limits."""
    lines = ["| | geometric mean | at most | largest | at most |", "|---|---|---|---|---|"]
    stored = [row for row in rows if row.case.is_stored]
    groups: list[tuple[str, list[float], str, str]] = [
        ("SPCA-PSD / PCA", [row.ratio for row in stored], "4", "6"),
        ("CSPCA-PSD / SPCA-PSD", [row.robust_ratio for row in stored], "3", "6"),
        ("AW-SPCA-PSD, s", [row.models[2] for row in stored], "", "60"),
        ("AW-SPCA-PSD / eigh", [row.models[2] / row.eigh for row in stored], "", "25"),
        *(
            (f"{row.case.name}: SPCA-PSD", [row.ratio], "", f"{row.case.limit:g}")
            for row in rows
            if row.case.product or row.case.rank
        ),
    ]
    for name, values, mean, most in groups:
        known = [value for value in values if not np.isnan(value)]
        if known:
            middle = f"{np.exp(np.mean(np.log(known))):.2f}" if mean else ""
            lines.append(f"| {name} | {middle} | {mean} | {max(known):.2f} | {most} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", default=[], help="parts of names")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for each fit")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    print(HEADER, "|---" * (HEADER.count("|") - 1) + "|", sep="\n")
    rows = []
    with threadpool_limits(1):
        for case in cases():
            if not chosen.only or any(part in case.name for part in chosen.only):
                rows.append(measured(case, chosen.limit))
                print(rows[-1], flush=True)
    print("", *limits(rows), sep="\n")


if __name__ == "__main__":
    main()
