"""What an order of genes costs: seconds of a processor, and memory at its peak."""

from __future__ import annotations

import ctypes
import gc
import time
from pathlib import Path

import numpy as np

from ...linalg.types import Array
from ..cell import Row
from ..machine import machine_info
from .orders import Method
from .sets import Cells, CellSet

# What Linux tells of this process, and where it is told to forget the peak so far.
STATUS, FORGET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def cost_key(cell_set: CellSet, method: Method) -> str:
    """Return the key of the row of a set and a method."""
    return f"{cell_set.name}/{method.name}/cost"


def cost_row(cell_set: CellSet, cells: Cells, method: Method) -> Row:
    """Order the genes of all cells, after those of half: these pay for imports and compilers.

    Memory is what the process holds at most while the order is made, less what it held before, in
    MB; missing where the system does not tell.
    """
    method.order(cells.part(np.arange(0, cells.labels.size, 2)), 0)
    before = _held("VmRSS") if _forget() else None
    _, row = timed_order(cost_key(cell_set, method), cell_set, cells, method, 0)
    return row if before is None else row | {"memory": (_held("VmHWM") - before) / 1e6}


def timed_order(
    key: str, cell_set: CellSet, cells: Cells, method: Method, seed: int
) -> tuple[Array, Row]:
    """Return an order of genes, and the beginning of a row: what it is of, and its seconds."""
    started = time.process_time()
    order = method.order(cells, seed)
    seconds = time.process_time() - started
    return order, {
        "key": key,
        "dataset": cell_set.name,
        "method": method.name,
        "seconds": seconds,
        "shape": list(cells.logs.shape),
        "machine": machine_info(),
    }


def _forget() -> bool:
    """Give back what is free, and let the peak of memory begin anew, where that can be done."""
    gc.collect()
    try:
        ctypes.CDLL(None).malloc_trim(0)
        FORGET.write_text("5")
    except (AttributeError, OSError, TypeError):
        return False
    return True


def _held(what: str) -> float:
    """Return bytes that this process holds, or held at most."""
    return 1024.0 * float(STATUS.read_text().split(f"{what}:")[1].split()[0])
