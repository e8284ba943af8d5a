"""Time, memory and selections of the methods of others against the packages that have them.

    python benchmarks/methods.py [times | selections]

prints two tables, or one of them. The peers, `skfeature-chappers` and `skmatter`, are optional.
Every entry is from a process of its own with one thread, after a small run that loads what there is
to load; times are CPU seconds, the least of three runs where one takes less than a second. A run
that exceeds the limit is stopped, and its row gives a lower bound. Data sets of the second table
are read from SPARSECONE_DATA.
"""

from __future__ import annotations

import importlib.util
import json
import os
import resource
import signal
import subprocess
import sys
import time
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import make_blobs

from peers import Case, ours, peer

PEERS = ("skfeature", "skmatter")
THREADS = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
SHAPES = ((1000, 1000), (200, 5000))
# Of the best so many features the second table counts how many both have.
BEST = 50
REPEATS = 3

TIMED = [
    *(Case("LapScore", *shape) for shape in SHAPES),
    Case("LapScore", 20_000, 1000, with_peer=False),
    Case("UDFS", 1000, 1000, gamma=0.1),
    Case("UDFS", 1000, 1000, gamma=10.0, limit=20),
    Case("UDFS", 200, 5000, gamma=0.1, limit=30),
    *(Case("SPEC", *shape) for shape in SHAPES),
    *(Case(name, *shape, n_selected=BEST) for name in ("MCFS", "CUR", "FPS") for shape in SHAPES),
    *(Case("MCFS", *shape) for shape in SHAPES),
    *(Case("NDFS", *shape, limit=30) for shape in SHAPES),
    *(
        Case(name, *shape, with_peer=False)
        for name in ("JELSR", "RUFS", "FSASL")
        for shape in SHAPES
    ),
]
DATASETS = ("pie", "isolet", "warppie10p")
COMPARED = [
    *(
        Case(method, dataset=name, n_selected=BEST, limit=200)
        for method in ("MCFS", "NDFS", "SPEC", "CUR", "FPS")
        for name in DATASETS
    ),
    # With 5 neighbours the graph of PIE has 7 components, which leave the embedding open.
    *(
        Case("MCFS", dataset=name, n_selected=BEST, equal=True, n_neighbors=k)
        for name, k in zip(DATASETS, (7, 5, 5), strict=True)
    ),
    *(Case("NDFS", dataset=name, n_selected=BEST, limit=200, equal=True) for name in DATASETS),
]


def samples(case: Case) -> tuple[NDArray[np.float64], int]:
    """Return five blobs of unit variance, or a data set, centred; and the number of clusters."""
    if case.dataset:
        from sparsecone.datasets import load

        found = load(case.dataset)
        assert found.y is not None
        X, n_clusters = np.asarray(found.X, dtype=np.float64), np.unique(found.y).size
        return X - X.mean(axis=0), n_clusters
    X, _ = make_blobs(case.n_samples, case.n_features, centers=5, random_state=0)
    X -= X.mean(axis=0)
    return np.asarray(X / X.std(axis=0)), 5


def measure(who: str, case: Case) -> dict[str, Any]:
    """Run one case in this process."""
    resource.setrlimit(resource.RLIMIT_CPU, (case.limit, case.limit + 10))
    X, n_clusters = samples(case)
    make = ours if who == "ours" else peer
    make(case._replace(n_selected=10), 5)(X[:60, :30])
    seconds = np.inf
    for _ in range(REPEATS):
        start = time.process_time()
        order = make(case, n_clusters)(X)
        seconds = min(seconds, time.process_time() - start)
        if seconds > 1.0:
            break
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"seconds": seconds, "rss_mb": memory, "best": order[:BEST].tolist()}


@cache
def in_own_process(who: str, case: Case) -> dict[str, Any] | None:
    """Run one case in a process of its own; None if it takes too long."""
    command = [sys.executable, "-W", "ignore", __file__, who, json.dumps(case)]
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, env={**os.environ, **THREADS}
    )
    if done.returncode == -signal.SIGXCPU:
        return None
    if done.returncode:
        raise SystemExit(done.stderr)
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def both(case: Case) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Return what this package and the peer have done."""
    mine = in_own_process("ours", case)
    if mine is None:
        raise SystemExit(f"{case} took more than {case.limit} s")
    return mine, in_own_process("peer", case._replace(equal=False)) if case.with_peer else None


def timed_row(case: Case) -> str:
    """Return the row of the first table."""
    mine, other = both(case)
    gamma = f"{case.gamma:g}" if case.gamma else ""
    cells = [
        case.method,
        f"{case.n_samples} x {case.n_features}",
        gamma,
        str(case.n_selected or ""),
    ]
    cells.append(f"{mine['seconds']:.2f}")
    if not case.with_peer:
        cells += ["-", "-"]
    elif other is None:
        cells += [f"> {case.limit}", f"> {case.limit / mine['seconds']:.0f}"]
    else:
        cells += [f"{other['seconds']:.2f}", f"{other['seconds'] / mine['seconds']:.1f}"]
    return "| " + " | ".join([*cells, f"{mine['rss_mb']:.0f}"]) + " |"


def compared_row(case: Case) -> str:
    """Return the row of the second table."""
    mine, other = both(case)
    name = case.method + (", by equal definitions" if case.equal else "")
    name += f", {case.n_neighbors} neighbours" if case.n_neighbors != 5 else ""
    cells = [name, case.dataset, f"{mine['seconds']:.2f}"]
    if other is None:
        cells += [f"> {case.limit}", ""]
    else:
        cells += [f"{other['seconds']:.2f}", str(len({*mine["best"]} & {*other["best"]}))]
    return "| " + " | ".join(cells) + " |"


def main(tables: list[str]) -> None:
    lacking = [name for name in PEERS if importlib.util.find_spec(name) is None]
    if lacking:
        raise SystemExit(f"{', '.join(lacking)} not installed: run `make bench-methods`.")
    if "times" in tables:
        print("| method | shape | gamma | selected | sparsecone, s | peer, s | ratio | peak MB |")
        print("|---|---|---|---|---|---|---|---|", flush=True)
        for case in TIMED:
            print(timed_row(case), flush=True)
    if "selections" in tables:
        print(f"\n| method | data | sparsecone, s | peer, s | of the best {BEST} in both |")
        print("|---|---|---|---|---|", flush=True)
        for case in COMPARED:
            print(compared_row(case), flush=True)


if __name__ == "__main__":
    if len(sys.argv) == 3:
        print(json.dumps(measure(sys.argv[1], Case(*json.loads(sys.argv[2])))))
    else:
        main(sys.argv[1:] or ["times", "selections"])
