"""Samples on the workers of Dask; the one file that imports it.

Every block of rows is a task, every pass one graph: the function and the factor in it go out, the
blocks' sums come together in a tree, and what belongs to single rows stays where the rows are.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from functools import reduce
from typing import Any

import numpy as np

from ..linalg.types import Array
from ..optional import require
from .blocks import Blocks, block_scale, checked_block, enough
from .parquet import ParquetFiles
from .protocol import Data
from .rows import LARGEST_GRAM, Rows
from .running import LARGEST_DOUBLED, RunningMoments
from .streamed import Blockwise
from .terms import Terms

# Sums of so many blocks are added in one task.
BRANCHES = 8
# Seconds to wait for a scheduler.
PATIENCE = 30


def is_dask(X: Any) -> bool:
    """Tell a collection of Dask, without importing it."""
    return type(X).__module__.split(".")[0] in ("dask", "dask_expr")


class DaskBlocks:
    """Blocks of rows that are tasks of Dask, each a pair of a label and the rows."""

    def __init__(self, tasks: Sequence[Any], width: int, names: Array | None) -> None:
        self.tasks = tasks
        self.width = width
        self.names = names

    def samples(self, *, weighed: bool, dtypes: tuple[type, ...]) -> Data:
        """Return the data behind the questions of the mathematics; see `Blocks.samples`."""
        dask = _dask()
        several = weighed or self.width > LARGEST_GRAM
        check, count = dask.delayed(_checked), dask.delayed(_moments)
        blocks = [check(task, self.width, dtypes) for task in self.tasks]
        if several:
            blocks = _persisted(blocks)
        share = LARGEST_DOUBLED // max(len(blocks), 1)
        scale = _computed(dask.delayed(block_scale)(blocks[0]))
        counted = [count(block, self.width, several, scale, share) for block in blocks]
        running = enough(_computed(_tree(counted, _merged)))
        if not several:
            return running.moments(self.names, last=True)
        return Distributed(blocks, running, self.names)


class Distributed(Blockwise):
    """Centred blocks of rows in the memory of the workers."""

    def __init__(self, blocks: Sequence[Any], running: RunningMoments, names: Array | None) -> None:
        super().__init__(running, names)
        centre = _dask().delayed(_centred)
        centring = _shared(self.centring)
        self.parts = _persisted([centre(centring, block) for block in blocks])

    def collect(self, function: Callable[..., Terms], *rowwise: Any) -> Terms:
        """Return the terms of all rows, in one graph."""
        apply, keep = _dask().delayed(_applied), _dask().delayed(_kept)
        shared = _shared(function)
        columns = zip(*rowwise, strict=True) if rowwise else [()] * len(self.parts)
        terms = [
            apply(shared, part, values) for part, values in zip(self.parts, columns, strict=True)
        ]
        kept = [keep(term) for term in terms]
        total, *kept = _persisted([_tree(terms, _added), *kept])
        sums, largest, width = _computed(total)
        return Terms(sums, largest, tuple([part[k] for part in kept] for k in range(width)))


def from_dask(X: Any) -> DaskBlocks:
    """Return an array or a dataframe of Dask as blocks of whole rows."""
    names = None
    if hasattr(X, "to_dask_array"):
        _check_numeric(X)
        names = np.asarray(X.columns, dtype=object)
        names = names if all(isinstance(name, str) for name in names) else None
        width, blocks = len(X.columns), X.to_delayed()
    else:
        if X.ndim != 2:
            raise ValueError(f"Expected 2D array, got a Dask array of {X.ndim} dimension(s).")
        if X.numblocks[1] > 1:
            X = X.rechunk({1: -1} if np.isnan(X.shape[0]) else {0: "auto", 1: -1})
        width, blocks = int(X.shape[1]), X.to_delayed().ravel()
    label = _dask().delayed(_labelled)
    return DaskBlocks([label(index, block) for index, block in enumerate(blocks)], width, names)


def on_dask(blocks: Blocks) -> DaskBlocks:
    """Return Parquet files opened by `from_blocks` as blocks that the workers read themselves.

    A row group is a task: the files must be reachable from the workers by the same paths.
    """
    files = blocks.source
    if not isinstance(files, ParquetFiles):
        raise TypeError("Dask reads Parquet files; give other data as an array of Dask.")
    read = _dask().delayed(ParquetFiles.read_group)
    tasks = [read(files, path, group) for path, group in files.groups()]
    return DaskBlocks(tasks, len(files.columns), np.asarray(files.columns, dtype=object))


@contextmanager
def connected(address: str | None = None) -> Iterator[Any]:
    """Connect to a scheduler, or start a cluster of local processes where no address is given."""
    distributed = require("distributed", purpose="Computing on a cluster", extra="dask")
    try:
        client = distributed.Client(address, timeout=PATIENCE)
    except (OSError, TimeoutError) as error:
        raise ConnectionError(f"No Dask scheduler answers at {address}.") from error
    except RuntimeError as error:
        # A process that ends while the cluster starts takes the cluster with it.
        raise ConnectionError(f"No cluster of local processes: {error}. Try again.") from error
    with client:
        yield client


def _dask() -> Any:
    return require("dask", purpose="Computing on a cluster", extra="dask")


def _shared(value: Any) -> Any:
    """Return a value as a node of its own, so that it travels once and not with every task."""
    return _dask().delayed(value, name=f"sparsecone-{uuid.uuid4().hex}", traverse=False)


def _tree(items: list[Any], combine: Callable[..., Any]) -> Any:
    """Return the task that combines all items, a few at a time."""
    task = _dask().delayed(combine)
    items = [task(items[i : i + BRANCHES]) for i in range(0, len(items), BRANCHES)]
    while len(items) > 1:
        items = [task(items[i : i + BRANCHES]) for i in range(0, len(items), BRANCHES)]
    return items[0]


def _persisted(tasks: list[Any]) -> list[Any]:
    with _scheduler_errors():
        return list(_dask().persist(*tasks))


def _computed(task: Any) -> Any:
    with _scheduler_errors():
        return _dask().compute(task)[0]


@contextmanager
def _scheduler_errors() -> Iterator[None]:
    """Say in one line that the cluster is gone, whatever the client raises then."""
    try:
        # The factor of a wide problem is a large graph, and meant to be.
        with _dask().config.set({"distributed.admin.large-graph-warning-threshold": "1 GB"}):
            yield
    except (CancelledError, OSError) as error:
        # A file that a worker misses is an OSError too, and speaks for itself.
        if isinstance(error, OSError) and not type(error).__module__.startswith("distributed"):
            raise
        raise ConnectionError(
            "The Dask scheduler is gone, and with it the data on its workers: start a cluster and "
            f"fit again ({type(error).__name__})."
        ) from error


def _labelled(index: int, block: Any) -> tuple[str, Any]:
    return f"block {index}", block


def _checked(task: tuple[str, Any], width: int, dtypes: tuple[type, ...]) -> Any:
    label, block = task
    checked = checked_block(label, block, dtypes, finite=True)
    if checked.shape[1] != width:
        raise ValueError(f"In {label}: {checked.shape[1]} features, while {width} were announced.")
    return checked


def _centred(centring: Callable[[Any], Rows], block: Any) -> Rows:
    return centring(block)


def _moments(block: Any, width: int, diagonal: bool, scale: float, doubled: int) -> RunningMoments:
    running = RunningMoments(width, diagonal=diagonal, scale=scale, doubled=doubled)
    running.add(block if scale == 1.0 else block / scale)
    return running


def _merged(parts: list[RunningMoments]) -> RunningMoments:
    """Merge into new moments: a task may run twice, and must find its input as it was."""
    first = parts[0]
    start = RunningMoments(first.mean.size, diagonal=first.diagonal, scale=first.scale)
    return reduce(RunningMoments.merge, parts, start)


def _applied(function: Callable[..., Terms], part: Rows, values: tuple[Array, ...]) -> Terms:
    return function(part, *values)


def _kept(terms: Terms) -> tuple[Any, ...]:
    return terms.rowwise


def _added(parts: list[Any]) -> tuple[tuple[Any, ...], float, int]:
    """Add up terms, or what this function made of them, and count what belongs to single rows."""
    first = parts[0]
    width = len(first.rowwise) if isinstance(first, Terms) else first[2]
    terms = [part if isinstance(part, Terms) else Terms(*part[:2]) for part in parts]
    total = reduce(Terms.__add__, terms)
    return total.sums, total.largest, width


def _check_numeric(frame: Any) -> None:
    bad = [str(name) for name, kind in frame.dtypes.items() if kind.kind not in "biuf"]
    if bad:
        raise ValueError(
            f"Columns {bad[:3]} are not numeric: choose the columns that are features."
        )
