"""Time and memory of the solvers, all from one run: `make bench-solvers`.

The reference is the paper's algorithm in its dense form, written plainly below. Where its step
takes minutes it is timed once and multiplied by the iterations that the algorithm needs.
Data sets that are not in the folder SPARSECONE_DATA are replaced by random ones of the same shape
and a similar spectrum, and marked with an asterisk.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import minmax_scale
from threadpoolctl import threadpool_limits

from sparsecone import AWSPCAPSD, CSPCAPSD, SPCAPSD

Array = NDArray[Any]

ETA = 0.01
REPEATS = 3


@dataclass(frozen=True)
class Case:
    """A data set with its scaling and its lam, relative to eta."""

    name: str
    shape: tuple[int, int]
    lam: float
    scaled: bool
    whole: bool  # whether the dense algorithm runs to its end


CASES = (
    Case("pie", (1166, 1024), 0.1, scaled=False, whole=True),
    Case("warppie10p", (210, 2420), 0.01, scaled=True, whole=True),
    Case("allaml", (72, 7129), 0.01, scaled=False, whole=False),
    Case("orlraws10p", (100, 10304), 0.01, scaled=True, whole=False),
)


def load(name: str, shape: tuple[int, int], *, scaled: bool) -> tuple[str, Array]:
    """Return the data set and how to call it in the table."""
    path = Path(os.environ.get("SPARSECONE_DATA", "../shared/data")) / f"{name}.npz"
    if path.exists():
        X = np.load(path)["X"].astype(np.float64)
        return name, minmax_scale(X) if scaled else X
    rng = np.random.default_rng(0)
    n, d = shape
    components = 0.7 ** np.arange(20)[:, None] * rng.normal(size=(20, d))
    return f"{name}*", rng.normal(size=(n, 20)) @ components + 0.1 * rng.normal(size=shape)


def dense_step(X: Array, S: Array, scores: Array, lam: float, eta: float) -> Array:
    """Return the next W of the paper's algorithm, in the form it uses for the shape of X."""
    n, d = X.shape
    weights = lam * 0.5 / np.sqrt(scores**2 + 2.2204e-16)
    if d < n:
        M = (S - 0.5 * eta * np.eye(d)) @ np.linalg.inv(S + np.diag(weights + 1e-3))
    else:
        inverse = 1.0 / (weights + 1e-2)
        N = (inverse[:, None] * X.T) @ np.linalg.inv(np.eye(n) + (X * inverse) @ X.T) @ X
        M = N * (1.0 + 0.5 * eta * inverse) - np.diag(0.5 * eta * inverse)
    values, vectors = scipy.linalg.eigh((M + M.T) / 2.0)
    keep = values > 0.0
    return (vectors[:, keep] * values[keep]) @ vectors[:, keep].T


def dense_published(X: Array, lam: float, eta: float, *, steps: int) -> tuple[int, float]:
    """Run the dense algorithm for at most so many steps; return steps taken and seconds."""
    start = time.perf_counter()
    X = X - X.mean(axis=0)
    S = X.T @ X
    scores = np.asarray(np.random.default_rng(0).uniform(size=X.shape[1]))
    values: list[float] = []
    while len(values) < steps:
        W = dense_step(X, S, scores, lam, eta)
        scores = np.linalg.norm(W, axis=0)
        residual = X - X @ W
        data = float(np.vdot(residual, residual))
        values.append(data + lam * float(scores.sum()) + eta * float(np.trace(W)))
        if len(values) > 1 and abs(values[-2] - values[-1]) <= 1e-5:
            break
    return len(values), time.perf_counter() - start


def best_time(call: Callable[[], Any]) -> tuple[float, Any]:
    """Return the shortest of a few runs, and the last result."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        result = call()
        times.append(time.perf_counter() - start)
    return min(times), result


def speed_row(case: Case) -> str:
    name, X = load(case.name, case.shape, scaled=case.scaled)
    fast, selector = best_time(lambda: SPCAPSD(eta=ETA, lam=case.lam).fit(X))
    solution = selector.solution_
    free, published = best_time(
        lambda: SPCAPSD(eta=ETA, lam=case.lam, solver="published", random_state=0).fit(X)
    )
    iterations = published.solution_.n_iter
    steps, dense = dense_published(X, selector.lam_, selector.eta_, steps=100 if case.whole else 1)
    total = dense if case.whole else dense * iterations
    iterations = steps if case.whole else iterations
    pca, _ = best_time(lambda: PCA(n_components=solution.rank, random_state=0).fit(X))
    shown = f"{total:.1f}" if case.whole else f"{dense:.0f} x {iterations}"
    return (
        f"| {name} | {X.shape[0]} x {X.shape[1]} | {shown} ({iterations}) | {fast:.3f} | "
        f"{solution.gap:.0e} | {solution.rank} | {total / fast:.0f} | {free:.2f} | "
        f"{total / free:.0f} | {pca:.3f} | {fast / pca:.1f} |"
    )


def speed_table(cases: tuple[Case, ...]) -> None:
    print(
        "| data | shape | dense published, s (iterations) | certified optimum, s | gap | rank | "
        "ratio | published, matrix-free, s | ratio | PCA of that rank, s | optimum / PCA |"
    )
    print("|---" * 11 + "|")
    for case in cases:
        print(speed_row(case), flush=True)


def robust_table() -> None:
    print("| data | model | seconds | solver | iterations | value | gap | rank |")
    print("|---" * 8 + "|")
    for name, shape in (("usps", (9298, 256)), ("isolet", (1560, 617)), ("pie", (1166, 1024))):
        shown, X = load(name, shape, scaled=False)
        robust = CSPCAPSD(units="absolute", lam=10.0, eta=10.0)
        for model in (robust, AWSPCAPSD(units="absolute", lam=10.0)):
            start = time.perf_counter()
            s = model.set_params(tol=1e-3).fit(X).solution_
            seconds = time.perf_counter() - start
            label = type(model).__name__
            print(
                f"| {shown} | {label} | {seconds:.1f} | {s.solver} | {s.n_iter} | {s.value:.2f} | "
                f"{s.gap:.0e} | {s.rank} |",
                flush=True,
            )


PEAK = """
import sys
import numpy as np, scipy.sparse as sp
sys.path.insert(0, {folder!r})
from solvers import load, sparse_topics
from sparsecone import SPCAPSD
X = {data}
selector = SPCAPSD({settings}).fit(X)
s = selector.solution_
status = open("/proc/self/status").read()
peak = int(status.split("VmHWM:")[1].split()[0]) / 1024
print(f"{{peak:.0f}} | {{s.status}} | {{s.gap:.0e}} | {{s.rank}} | {{s.elapsed:.1f}}")
"""


def sparse_topics(n: int, d: int, density: float) -> Any:
    """Return a sparse count-like matrix with twenty topics, row block by row block."""
    rng = np.random.default_rng(0)
    per_row = int(density * d)
    popular = rng.integers(0, d, size=(20, 400))
    topics = rng.integers(0, 20, size=n)
    chosen = rng.integers(0, 400, size=(n, per_row // 2))
    columns = np.concatenate(
        [popular[topics[:, None], chosen], rng.integers(0, d, size=(n, per_row - per_row // 2))],
        axis=1,
    )
    values = rng.poisson(3.0, size=columns.size) + 1.0
    rows = np.repeat(np.arange(n), per_row)
    return sp.csr_array((values, (rows, columns.ravel())), shape=(n, d))


def memory_table() -> None:
    print("| fit | peak RSS, MB | status | gap | rank | seconds |")
    print("|---" * 6 + "|")
    jobs = {
        "orlraws10P, 100 x 10304": (
            "load('orlraws10p', (100, 10304), scaled=True)[1]",
            f"eta={ETA}, lam=0.01",
        ),
        "CSR 20000 x 50000, density 0.1 %, eta = 0.1 %": (
            "sparse_topics(20000, 50000, 0.001)",
            "eta=0.001, lam=0.01",
        ),
    }
    for name, (data, settings) in jobs.items():
        code = PEAK.format(folder=str(Path(__file__).parent), data=data, settings=settings)
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
        print(f"| {name} | {done.stdout.strip()} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=1, help="BLAS threads of every method")
    parser.add_argument("--quick", action="store_true", help="leave out the steps of minutes")
    options = parser.parse_args()
    warnings.simplefilter("ignore", ConvergenceWarning)
    print(f"BLAS threads: {options.threads}; eta = {ETA} of tr S; an asterisk marks random data.\n")
    with threadpool_limits(options.threads):
        speed_table(tuple(case for case in CASES if case.whole or not options.quick))
        print("\nRobust models at lambda = eta = 10, tol = 1e-3:\n")
        robust_table()
    print("\nPeak memory:\n")
    memory_table()


if __name__ == "__main__":
    main()
