"""Run the cells of a plan that have no row yet, here or in parallel processes."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress

from ..registry import Method, register, registered_methods
from .cell import Cell, Row
from .evaluation import Evaluations
from .measure import failed_row, is_done, run_cell
from .sources import is_present
from .store import RowFile

#: Called before the first cell with the number to do and None, then with every row.
Watcher = Callable[[int, Row | None], None]


def run(
    cells: Sequence[Cell], store: RowFile, *, n_jobs: int = 1, watch: Watcher | None = None
) -> list[str]:
    """Run every cell that can be run and has no row in the open store yet, and append its row.

    A cell that was out of time runs again once it is given more. Those that are there for their
    times come last, one after the other. With `n_jobs` above 1 the others run in so many processes,
    each in one thread. Return the data sets that are not present, whose cells run once they are.
    """
    datasets = dict.fromkeys(cell.dataset for cell in cells)
    missing = [name for name in datasets if not is_present(name)]
    todo = [
        cell
        for cell in cells
        if cell.dataset not in missing and not is_done(cell, store.rows.get(cell.key))
    ]
    if watch is not None:
        watch(len(todo), None)
    known = Evaluations(store.rows.values())
    timed = [cell for cell in todo if cell.is_timing]
    untimed = [cell for cell in todo if not cell.is_timing]
    for cells, n_processes in ((untimed, n_jobs), (timed, 1)):
        for row in _rows(cells, n_processes, known):
            store.append(row)
            known.add(row)
            if watch is not None:
                watch(len(todo), row)
    return missing


def _rows(cells: Sequence[Cell], n_jobs: int, known: Evaluations) -> Iterator[Row]:
    if n_jobs == 1:
        return (run_cell(cell, known.of(cell)) for cell in cells)
    return run_in_processes(cells, n_jobs, known)


def run_in_processes(cells: Sequence[Cell], n_jobs: int, known: Evaluations) -> Iterator[Row]:
    """Yield the rows of some cells in the order in which they are done.

    A process starts with the evaluations that are known then; more may come with every row. One
    that dies (killed for its memory, say) takes the pool with it, without telling which
    cell it had: those under way then run once more, each in a pool of its own.
    """
    waiting = deque(cells)
    while waiting:
        suspects = yield from _run_until_broken(waiting, n_jobs, known)
        yield from map(run_alone, suspects)


def _run_until_broken(
    waiting: deque[Cell], n_jobs: int, known: Evaluations
) -> Generator[Row, None, list[Cell]]:
    """Yield rows until all cells are done or a process died; return what was under way then."""
    under_way: dict[Future[Row], Cell] = {}
    with _pool(n_jobs) as pool:
        try:
            while waiting or under_way:
                while waiting and len(under_way) < n_jobs:
                    cell = waiting[0]
                    under_way[pool.submit(run_cell, cell, known.of(cell))] = cell
                    waiting.popleft()
                done, _ = wait(under_way, return_when=FIRST_COMPLETED)
                for future in done:
                    row = future.result()
                    del under_way[future]
                    yield row
        except BrokenProcessPool:
            return list(under_way.values())
        except BaseException:
            # Who ends a run does not wait for the cells under way, which may take hours.
            for worker in multiprocessing.active_children():
                worker.kill()
            raise
    return []


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
    return ProcessPoolExecutor(
        n_jobs, mp_context=context, initializer=_prepare, initargs=(registered_methods(),)
    )


def _prepare(own: Sequence[Method]) -> None:
    """Make the methods of the user known to this process; end it with the one that started it."""
    _die_with_parent()
    for method in own:
        # What cannot be imported here is the reason in the rows of its cells.
        with suppress(ValueError):
            register(method)


def _die_with_parent() -> None:
    """End this process when the one that started it is gone, which a kill would not do."""

    def outlive_nobody() -> None:
        parent = multiprocessing.parent_process()
        assert parent is not None
        parent.join()
        os._exit(1)

    threading.Thread(target=outlive_nobody, daemon=True).start()
