"""Time of the graph-based selectors against scikit-feature, and their memory.

    python benchmarks/methods.py

prints one table. The peer, the package `skfeature-chappers`, is optional. Every row runs in a
process of its own with one thread, after a small run that loads what there is to load; times are
CPU seconds, which a busy machine changes little. A run that exceeds the limit is stopped, and its
row gives a lower bound.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import make_blobs

PEER = "skfeature"
THREADS = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class Case(NamedTuple):
    """One row of the table; `limit` is in CPU seconds."""

    method: str
    n_samples: int
    n_features: int
    gamma: float = 0.0
    with_peer: bool = True
    limit: int = 60


CASES = [
    Case("LapScore", 1000, 1000),
    Case("LapScore", 200, 5000),
    Case("LapScore", 20_000, 1000, with_peer=False),
    Case("UDFS", 1000, 1000, gamma=0.1),
    Case("UDFS", 1000, 1000, gamma=10.0, limit=30),
    Case("UDFS", 200, 5000, gamma=0.1, limit=110),
]


def samples(case: Case) -> NDArray[np.float64]:
    """Return five blobs with features of unit variance."""
    X, _ = make_blobs(case.n_samples, case.n_features, centers=5, random_state=0)
    X -= X.mean(axis=0)
    X /= X.std(axis=0)
    return np.asarray(X)


def ours(case: Case) -> Callable[[NDArray[np.float64]], Any]:
    """Return the call of this package; the peer's only ridge is gamma, so mu is gamma too."""
    from sparsecone.baselines.laplacian_score import LaplacianScore
    from sparsecone.baselines.udfs import UDFS

    if case.method == "LapScore":
        return LaplacianScore().fit
    return UDFS(n_clusters=5, gamma=case.gamma, mu=case.gamma).fit


def peer(case: Case) -> Callable[[NDArray[np.float64]], Any]:
    """Return the call of scikit-feature, with its own stopping rule."""
    if case.method == "LapScore":
        graph = importlib.import_module(f"{PEER}.utility.construct_W").construct_W
        score = importlib.import_module(f"{PEER}.function.similarity_based.lap_score").lap_score
        knn = {"metric": "euclidean", "neighbor_mode": "knn", "weight_mode": "binary", "k": 5}
        return lambda X: score(X, W=graph(X, **knn), mode="raw")
    udfs = importlib.import_module(f"{PEER}.function.sparse_learning_based.UDFS").udfs
    return lambda X: udfs(X, gamma=case.gamma, k=5, n_clusters=5, mode="raw")


def measure(who: str, case: Case) -> dict[str, float]:
    """Run one case in this process."""
    resource.setrlimit(resource.RLIMIT_CPU, (case.limit, case.limit + 10))
    X = samples(case)
    call = ours(case) if who == "ours" else peer(case)
    call(X[:50, :20])
    start = time.process_time()
    call(X)
    seconds = time.process_time() - start
    return {"seconds": seconds, "rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def in_own_process(who: str, case: Case) -> dict[str, float] | None:
    """Run one case in a process of its own; None if it takes too long."""
    command = [sys.executable, "-W", "ignore", __file__, who, json.dumps(case)]
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, env={**os.environ, **THREADS}
    )
    if done.returncode == -signal.SIGXCPU:
        return None
    if done.returncode:
        raise SystemExit(done.stderr)
    result: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return result


def row(case: Case, *, has_peer: bool) -> str:
    """Measure one case and return its row."""
    mine = in_own_process("ours", case)
    if mine is None:
        raise SystemExit(f"{case} took more than {case.limit} s")
    gamma = f"{case.gamma:g}" if case.gamma else ""
    cells = [case.method, f"{case.n_samples} x {case.n_features}", gamma, f"{mine['seconds']:.2f}"]
    if not case.with_peer:
        cells += ["-", "-"]
    elif not has_peer:
        cells += ["not installed", "-"]
    elif (other := in_own_process("peer", case)) is None:
        cells += [f"> {case.limit}", f"> {case.limit / mine['seconds']:.0f}"]
    else:
        cells += [f"{other['seconds']:.2f}", f"{other['seconds'] / mine['seconds']:.1f}"]
    return "| " + " | ".join([*cells, f"{mine['rss_mb']:.0f}"]) + " |"


def main() -> None:
    has_peer = importlib.util.find_spec(PEER) is not None
    if not has_peer:
        print("skfeature-chappers is not installed: pip install skfeature-chappers pandas\n")
    print("| method | shape | gamma | sparsecone, s | skfeature, s | ratio | sparsecone, peak MB |")
    print("|---|---|---|---|---|---|---|", flush=True)
    for case in CASES:
        print(row(case, has_peer=has_peer), flush=True)


if __name__ == "__main__":
    if len(sys.argv) == 3:
        print(json.dumps(measure(sys.argv[1], Case(*json.loads(sys.argv[2])))))
    else:
        main()
