"""Running the study: a row for every set, method and draw."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from ...linalg.types import Array
from ..cell import Row
from ..store import RowFile
from .costs import cost_key, cost_row, timed_order
from .measures import measured
from .orders import EVERYTHING, METHODS, RANDOM, Method
from .sets import Cells, CellSet, load, present

ROWS_NAME = "cells.jsonl"
#: How often methods order the genes again, from this share of the cells.
RESAMPLES, KEPT = 2, 0.8
COUNTS = (50, 100, 200, 500, 1000, 2000)


def run(folder: Path, *, say: Callable[[str], None]) -> None:
    """Run what has no row in the folder yet; say which methods are not installed."""
    for method in METHODS:
        if not method.is_there:
            say(f"{method.name} is left out: the package {method.package} is not installed.")
    with RowFile(folder / ROWS_NAME) as store:
        for cell_set in present():
            wanted = [job for job in _jobs(cell_set) if _key(cell_set, *job) not in store.rows]
            costly = [m for m in _able(cell_set) if cost_key(cell_set, m) not in store.rows]
            if not wanted and not costly:
                continue
            cells = load(cell_set)
            for method, seed in wanted:
                row = _row(cell_set, cells, method, seed)
                store.append(row)
                say(f"{cell_set.title}: {method.name}, {row['seconds']:.1f} s")
            for method in costly:
                store.append(cost_row(cell_set, cells, method))
                say(f"{cell_set.title}: {method.name}, what it costs")


def _able(cell_set: CellSet) -> list[Method]:
    """Return the methods that can order the genes of a set."""
    return [m for m in METHODS if m.is_there and (cell_set.has_counts or not m.needs_counts)]


def _jobs(cell_set: CellSet) -> Iterator[tuple[Method, int]]:
    """Yield methods and draws: of genes where these are random, else of cells beyond the first."""
    resampled = 0 if cell_set.clustered else RESAMPLES
    for draw in range(1 + max(resampled, *(method.draws for method in METHODS))):
        for method in _able(cell_set):
            most = method.draws if method.name in (RANDOM, EVERYTHING) else 1 + resampled
            if draw < most:
                yield method, draw


def _key(cell_set: CellSet, method: Method, seed: int) -> str:
    return f"{cell_set.name}/{method.name}/{seed}"


def _row(cell_set: CellSet, cells: Cells, method: Method, seed: int) -> Row:
    if seed > 0 and method.name != RANDOM:
        n = cells.labels.size
        kept = np.random.default_rng(seed).permutation(n)[: int(KEPT * n)]
        cells = cells.part(np.sort(kept))
    order, row = timed_order(_key(cell_set, method, seed), cell_set, cells, method, seed)
    everything = order.size
    counts = [everything] if method.name == EVERYTHING else [c for c in COUNTS if c < everything]
    row["scores"] = {str(c): measured(cells.logs, cells.labels, order[:c]) for c in counts}
    if seed == 0 and method.name not in (EVERYTHING, RANDOM):
        row["stability"] = _stability(cells, method, counts)
    return row


def _stability(cells: Cells, method: Method, counts: list[int]) -> dict[str, float]:
    """Return the share of genes that two random halves of the cells both select."""
    shuffled = np.random.default_rng(0).permutation(cells.labels.size)
    halves = np.array_split(shuffled, 2)
    orders: list[Array] = [method.order(cells.part(half), 0) for half in halves]
    first, second = orders
    return {str(c): np.intersect1d(first[:c], second[:c]).size / c for c in counts}
