"""Run the cells of a plan that have no row yet, here or in parallel processes."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool

from .cell import Cell, Row
from .measure import failed_row, run_cell
from .sources import is_present
from .store import RowFile

#: Called before the first cell with the number to do and None, then with every row.
Watcher = Callable[[int, Row | None], None]


def run(
    cells: Sequence[Cell],
    store: RowFile,
    *,
    n_jobs: int = 1,
    watch: Watcher | None = None,
) -> list[str]:
    """Run every cell that can be run and has no row yet, and append its row.

    Parameters
    ----------
    cells : sequence of Cell
        What to run.
    store : RowFile
        Where rows are and go; open.
    n_jobs : int
        Number of parallel processes; 1 runs the cells in this one. Every cell has one thread.
    watch : callable or None
        Told about the number of cells to run, and about every row.

    Returns
    -------
    list of str
        The data sets that are not present; their cells have no row, and run once they are.
    """
    datasets = dict.fromkeys(cell.dataset for cell in cells)
    missing = [name for name in datasets if not is_present(name)]
    todo = [cell for cell in cells if cell.key not in store.rows and cell.dataset not in missing]
    if watch is not None:
        watch(len(todo), None)
    rows = map(run_cell, todo) if n_jobs == 1 else run_in_processes(todo, n_jobs)
    for row in rows:
        store.append(row)
        if watch is not None:
            watch(len(todo), row)
    return missing


def run_in_processes(cells: Sequence[Cell], n_jobs: int) -> Iterator[Row]:
    """Yield the rows of some cells in the order in which they are done.

    A process that dies (killed for its memory, say) takes the pool with it, without telling which
    cell it had: what was under way then runs once more, each in a pool of its own.
    """
    unfinished = {cell.key: cell for cell in cells}
    with _pool(n_jobs) as pool:
        try:
            for future in as_completed([pool.submit(run_cell, cell) for cell in cells]):
                row = future.result()
                del unfinished[row["key"]]
                yield row
        except BrokenProcessPool:
            pool.shutdown(cancel_futures=True)
    for cell in unfinished.values():
        yield run_alone(cell)


def run_alone(cell: Cell) -> Row:
    """Return the row of a cell that may end its process."""
    with _pool(1) as pool:
        try:
            return pool.submit(run_cell, cell).result()
        except BrokenProcessPool:
            return failed_row(cell, "the process that ran it died, perhaps for lack of memory")


def _pool(n_jobs: int) -> ProcessPoolExecutor:
    # Forking a process that has BLAS threads may deadlock.
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(n_jobs, mp_context=context, initializer=_die_with_parent)


def _die_with_parent() -> None:
    """End this process when the one that started it is gone, which a kill would not do."""

    def wait() -> None:
        parent = multiprocessing.parent_process()
        assert parent is not None
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
