"""Time and memory on data that outgrow memory, all from one run: `make bench-scale`.

Every part runs in a process of its own, which reports its peak memory. A part is compared with what
nobody can avoid on the same data in the same process: the product X'X, or reading and X'X.

    python benchmarks/scale.py [PART ...] [--scale FRACTION] [--save FOLDER]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scale_data import long_rows, sparse_topics, wide_rows, write_parquet
from scale_page import page, slope_plot, table
from sparsecone import CSPCAPSD, SPCAPSD, from_blocks
from sparsecone.files.whole_file import whole_file
from sparsecone.optional import require

Array = NDArray[Any]

SELECTED = 100
# Given weights: what is measured is the fit, not the choice of its weights.
WEIGHTS: dict[str, Any] = {"eta": 0.01, "lam": 0.1}
CHUNK = 10_000


@dataclass(frozen=True)
class Row:
    """A measurement: seconds of the fit, of what it is compared with, and what it may take."""

    part: str
    what: str
    shape: str
    seconds: float | None = None
    reference: float | None = None
    limit: str = ""
    met: bool | None = None
    gap: float | None = None
    rank: int | None = None
    iterations: int | None = None
    peak_mb: float | None = None
    difference: float | None = None


def seconds(call: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def peak_mb() -> float:
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def alternating(first: Callable[[], Any], second: Callable[[], Any]) -> tuple[float, float, Any]:
    """Return the shortest times of two calls in turn, and the last result of the second."""
    pairs = []
    for _ in range(2):
        reference, _ = seconds(first)
        taken, result = seconds(second)
        pairs.append((reference, taken))
    return min(p[0] for p in pairs), min(p[1] for p in pairs), result


def compared(
    part: str, what: str, shape: str, times: tuple[float, float, Any], limit: float
) -> Row:
    reference, taken, selector = times
    solution = selector.solution_
    ratio = taken / reference
    return Row(part, what, shape, taken, reference, f"{limit} x reference", ratio <= limit,
               solution.gap, solution.rank, solution.n_iter, peak_mb())  # fmt: skip


def in_memory(scale: float, folder: Path) -> list[Row]:
    del folder
    X = long_rows(int(200_000 * scale), 1000)
    model = SPCAPSD(n_features_to_select=SELECTED, **WEIGHTS)
    times = alternating(lambda: X.T @ X, lambda: model.fit(X))
    return [compared("in-memory", "SPCA-PSD against X'X", f"{len(X)} x 1000 float32", times, 1.5)]


def streamed(scale: float, folder: Path) -> list[Row]:
    n = int(200_000 * scale)
    write_parquet(folder, n, 1000)
    blocks = from_blocks(folder)

    def read_and_multiply() -> Array:
        total = np.zeros((1000, 1000))
        for _, block in blocks.source.read():
            total += block.T @ block
        return total

    model = SPCAPSD(n_features_to_select=SELECTED, **WEIGHTS)
    times = alternating(read_and_multiply, lambda: model.fit(from_blocks(folder)))
    what = "SPCA-PSD from Parquet against reading and X'X"
    return [compared("streamed", what, f"{n} x 1000 float32", times, 2.0)]


def array_of_dask() -> Any:
    return require("dask.array", purpose="A cluster", extra="dask")


def on_dask(scale: float, folder: Path) -> list[Row]:
    del folder
    da, distributed = array_of_dask(), require("distributed", purpose="A cluster", extra="dask")
    n = int(200_000 * scale)
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with cluster, distributed.Client(cluster):
        X = da.from_array(long_rows(n, 1000), chunks=(CHUNK, 1000)).persist()
        (X.sum()).compute()
        model = SPCAPSD(n_features_to_select=SELECTED, **WEIGHTS)
        times = alternating(lambda: (X.T @ X).compute(), lambda: model.fit(X))
    what = "SPCA-PSD on 2 Dask workers against its own X'X"
    return [compared("dask", what, f"{n} x 1000 float32", times, 1.3)]


def certified(part: str, shape: str, X: Any, limits: tuple[float, float], **given: Any) -> Row:
    """Fit once, within a time and a memory limit."""
    model = SPCAPSD(n_features_to_select=SELECTED, max_time=limits[0], **given)
    taken, selector = seconds(lambda: model.fit(X))
    solution, peak = selector.solution_, peak_mb()
    met = solution.gap <= model.tol and taken <= limits[0] and peak <= limits[1] * 1024
    limit = f"{limits[0]:.0f} s, {limits[1]:.0f} GB"
    return Row(part, "certified optimum", shape, taken, None, limit, met, solution.gap,
               solution.rank, solution.n_iter, peak)  # fmt: skip


def wide(scale: float, folder: Path) -> list[Row]:
    del folder
    d = int(100_000 * scale)
    X = wide_rows(1000, d).astype(np.float64)
    return [certified("wide", f"1000 x {d} float64", X, (60.0, 16.0), eta=0.01, lam=0.01)]


def widest(scale: float, folder: Path) -> list[Row]:
    del folder
    d = int(1_000_000 * scale)
    X = wide_rows(1000, d)
    return [certified("widest", f"1000 x {d} float32", X, (900.0, 16.0), eta=0.01, lam=0.003)]


def sparse(scale: float, folder: Path) -> list[Row]:
    del folder
    size = int(100_000 * scale)
    X = sparse_topics(size, size, 0.001)
    shape = f"{size} x {size}, density 0.1 %"
    given = {"eta": 0.001, "lam": 0.01}
    return [certified("sparse", shape, X, (900.0, 4.0), **given)]


def slopes(scale: float, folder: Path) -> list[Row]:
    """Seconds of an iteration against d, and of a fit against n."""
    del folder
    rows = []
    for d in (4000, 8000, 16_000, 32_000, 64_000, 128_000):
        X = wide_rows(1000, int(d * scale))
        model = SPCAPSD(eta=0.01, lam=0.1 * np.sqrt(1000 / X.shape[1]))
        rows.append(slope_row("d", model, X, repeats=1))
    lengths = (10_000, 20_000, 40_000, 80_000, 160_000, 320_000, 640_000)
    model = SPCAPSD(**WEIGHTS)
    return rows + [
        slope_row("n", model, long_rows(int(n * scale), 500), repeats=2) for n in lengths
    ]


def slope_row(axis: str, model: SPCAPSD, X: Array, *, repeats: int) -> Row:
    runs = [seconds(partial(model.fit, X)) for _ in range(repeats)]
    s = model.solution_
    return Row("slopes", axis, f"{len(X)} x {X.shape[1]}", min(run[0] for run in runs), None, "",
               None, s.gap, s.rank, s.n_iter, peak_mb())  # fmt: skip


def stream_memory(scale: float, folder: Path) -> list[Row]:
    """Peak memory of a stream, in one process a length."""
    peaks = []
    rows = []
    for n in (int(100_000 * scale), int(1_000_000 * scale)):
        target = folder / str(n)
        target.mkdir()
        write_parquet(target, n, 200)
        code = f"sys.path.insert(0, {str(Path(__file__).parent)!r}); from scale import *; "
        code += f"SPCAPSD(eta=0.01, lam=0.1).fit(from_blocks({str(target)!r})); print(peak_mb())"
        call = [sys.executable, "-c", "import sys; " + code]
        run = partial(subprocess.run, call, capture_output=True, text=True, check=True)
        taken, done = seconds(run)
        peaks.append(float(done.stdout))
        met = peaks[-1] <= 1.1 * peaks[0]
        rows.append(Row("stream-memory", "peak of a stream", f"{n} x 200 float32", taken, None,
                        "within 10 %", met, peak_mb=peaks[-1]))  # fmt: skip
    return rows


def batches(X: Array, rows: int) -> list[Array]:
    return [X[start : start + rows] for start in range(0, len(X), rows)]


def agreement(scale: float, folder: Path) -> list[Row]:
    """Largest difference of the scores to those of the fit in memory, relative to the largest."""
    rows = []
    data = Path(os.environ.get("SPARSECONE_DATA", "../shared/data"))
    robust = CSPCAPSD(n_features_to_select=SELECTED, solver="reweighted", tol=1e-3, **WEIGHTS)
    for name in ("usps", "pie"):
        if not (data / f"{name}.npz").exists():
            rows.append(Row("agreement", f"{name}: not in SPARSECONE_DATA", ""))
            continue
        X = np.load(data / f"{name}.npz")["X"].astype(np.float64)
        X = X[np.random.default_rng(0).permutation(len(X))][: int(len(X) * min(1.0, 4 * scale))]
        rows += agreeing(name, SPCAPSD(n_features_to_select=SELECTED, **WEIGHTS), X, folder)
        # Single rows in several passes, and the d x d solves of PIE, would take most of the time.
        rows += agreeing(name, robust, X[:1000, :: X.shape[1] // 256], folder)
    return rows


def agreeing(name: str, model: Any, X: Array, folder: Path) -> list[Row]:
    """Fit from every source and compare with the fit in memory."""
    np.save(folder / "rows.npy", X)
    sources = {
        "1 row": from_blocks(partial(batches, X, 1)),
        "7 rows, backwards": from_blocks(batches(X, 7)[::-1]),
        "all rows, and none": from_blocks([X[:0], X]),
        "memory map": from_blocks(folder / "rows.npy"),
        "Dask, rows and columns": array_of_dask().from_array(X, chunks=(1000, 100)),
    }
    plain = model.fit(X)
    expected, kept = plain.scores_, plain.selected_
    rows = []
    for kind, source in sources.items():
        taken, selector = seconds(partial(model.fit, source))
        difference = float(np.abs(selector.scores_ - expected).max() / expected.max())
        same = bool(difference <= 1e-6 and np.array_equal(selector.selected_, kept))
        shape = f"{name} {len(X)} x {X.shape[1]}"
        rows.append(Row("agreement", f"{type(model).__name__}, {kind}", shape, taken, None,
                        "1e-6, same selection", same, selector.solution_.gap,
                        difference=difference))  # fmt: skip
    return rows


PARTS: dict[str, Callable[[float, Path], list[Row]]] = {
    "agreement": agreement,
    "in-memory": in_memory,
    "streamed": streamed,
    "dask": on_dask,
    "stream-memory": stream_memory,
    "slopes": slopes,
    "wide": wide,
    "sparse": sparse,
    "widest": widest,
}


def run_part(name: str, scale: float) -> list[dict[str, Any]]:
    """Run a part in a process of its own; a part that fails is a row that says so."""
    load = os.getloadavg()[0]
    call = [sys.executable, __file__, "--child", name, "--scale", str(scale)]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = done.stderr.strip().splitlines()[-1:] or [f"ended with {done.returncode}"]
        return [asdict(Row(name, f"failed: {reason[0]}", "", met=False)) | {"load": load}]
    rows = json.loads(done.stdout.splitlines()[-1])
    return [row | {"load": load} for row in rows]


def kept_rows(path: Path, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the new rows with those of the parts that were measured before, and keep them all."""
    before = json.loads(path.read_text()) if path.exists() else []
    new = {row["part"] for row in rows}
    merged = [row for row in before if row["part"] not in new] + rows
    merged.sort(key=lambda row: list(PARTS).index(row["part"]))
    with whole_file(path) as draft:
        draft.write_text(json.dumps(merged, indent=1) + "\n")
    return merged


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; all by default")
    parser.add_argument("--scale", type=float, default=1.0, help="fraction of the full sizes")
    parser.add_argument("--save", type=Path, help="folder for scale.md and its figure")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        with tempfile.TemporaryDirectory() as folder:
            found = PARTS[options.child](options.scale, Path(folder))
        print(json.dumps([asdict(row) for row in found]))
        return
    rows: list[dict[str, Any]] = []
    for name in options.parts or PARTS:
        rows += run_part(name, options.scale)
        print(table([row for row in rows if row["part"] == name]), flush=True)
    if options.save:
        options.save.mkdir(parents=True, exist_ok=True)
        rows = kept_rows(options.save / "scale.json", rows)
        with whole_file(options.save / "scale.md") as draft:
            draft.write_text(page(rows))
        slope_plot(rows, options.save / "scale.svg")


if __name__ == "__main__":
    main()
