"""Run one cell and turn what came out into a row."""

from __future__ import annotations

import math
import time
import warnings
from statistics import median

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

from ..datasets import Dataset
from ..selectors.base import Selector
from .cell import Cell, Row
from .evaluation import Known, counts_of, evaluate
from .machine import machine_info
from .methods import make_selector, method_of
from .sources import load_source
from .time_limit import time_limit

FAILED = "failed"
#: The status of a result that selects nothing: W = 0.
EMPTY = "empty"
#: Digits of an objective in a row.
DIGITS = 12
#: How many of the first features "selected" keeps.
N_KEPT = 100
#: No fit is repeated for its time once all have taken so many seconds.
LONGEST = 10.0


def run_cell(cell: Cell, known: Known | None = None) -> Row:
    """Run a cell in one thread; whatever goes wrong is the reason in its row.

    Clustering scores that are `known`, by set of features, need not be found again.
    """
    machine = machine_info()
    try:
        with threadpool_limits(limits=1), warnings.catch_warnings():
            # The published algorithm never converges; status and gap of the row say so.
            warnings.simplefilter("ignore", ConvergenceWarning)
            # Scores of zero: the row counts them; what explains most takes their place.
            for message in ("W = 0 is optimal", ".* a score of zero"):
                warnings.filterwarnings("ignore", message=message, category=UserWarning)
            outcome = _outcome(cell, known or {})
    except TimeoutError as error:
        outcome = {"status": FAILED, "reason": f"{error}", "max_seconds": _limit(cell)}
    except Exception as error:
        outcome = {"status": FAILED, "reason": f"{type(error).__name__}: {error}"}
    return {"key": cell.key, **cell.settings(), **outcome, "machine": machine}


def is_done(cell: Cell, row: Row | None) -> bool:
    """Return whether a cell has its row, and not one that fell short of the time it has now."""
    if row is None or row["status"] != FAILED or "max_seconds" not in row:
        return row is not None
    limit = _limit(cell)
    return limit is not None and limit <= row["max_seconds"]


def failed_row(cell: Cell, reason: str) -> Row:
    """Return the row of a cell that gave no result."""
    outcome = {"status": FAILED, "reason": reason}
    return {"key": cell.key, **cell.settings(), **outcome, "machine": machine_info()}


def _outcome(cell: Cell, known: Known) -> Row:
    """Fit, evaluate, and return everything but the settings."""
    dataset = load_source(
        cell.dataset, scaling=cell.scaling, seed=cell.seed, read=cell.read, noise=cell.noise
    )
    selector, times = _timed_fit(cell, dataset)
    outcome = {**_fitted(selector), **times, "timer": "cpu"}
    outcome["shape"] = list(dataset.X.shape)
    outcome["trace"] = _rounded(float(dataset.X.var(axis=0).sum() * len(dataset.X)))
    if "history" in cell.keep:
        outcome["history"] = _history(selector)
    if outcome["n_nonzero"] == 0:
        return {**outcome, "status": EMPTY, "reason": "W = 0: no feature has a score"}
    order = np.argsort(selector.ranking_, kind="stable")
    if cell.n_runs > 0:
        by_scores = selector.get_params().get("selection") == "scores"
        n_scored = outcome["n_nonzero"] if by_scores else None
        counts = counts_of(cell, order.size, n_scored=n_scored)
        outcome["scores"] = evaluate(cell, dataset, order, counts=counts, known=known)
    if "selected" in cell.keep:
        outcome["selected"] = order[:N_KEPT].tolist()
    return outcome


def _timed_fit(cell: Cell, dataset: Dataset) -> tuple[Selector, Row]:
    """Fit once, or as often as the cell asks for; return the last fit and the times."""
    seconds: list[float] = []
    while not seconds or (len(seconds) < cell.repeats and sum(seconds) < LONGEST):
        selector = make_selector(cell, dataset)
        with time_limit(_limit(cell)):
            started = time.process_time()
            selector.fit(dataset.X)
        seconds.append(time.process_time() - started)
    times: Row = {"seconds": _short(median(seconds))}
    if cell.is_timing:
        times["seconds_all"] = list(map(_short, seconds))
    return selector, times


def _limit(cell: Cell) -> float | None:
    """Return the largest CPU time of a fit."""
    limits = (cell.max_seconds, method_of(cell.method).max_seconds)
    return min((limit for limit in limits if limit is not None), default=None)


def _fitted(selector: Selector) -> Row:
    """Return status, gap, value, bound and rank where the selector has them, and iterations."""
    fitted: Row = {"status": "done", "n_iter": getattr(selector, "n_iter_", None)}
    fitted["n_nonzero"] = int(np.count_nonzero(selector.scores_))
    solution = getattr(selector, "solution_", None)
    if solution is not None:
        fitted |= {
            "status": str(solution.status),
            "solver": solution.solver,
            "gap": _rounded(solution.gap, 4),
            "value": _rounded(solution.value),
            "bound": _rounded(solution.bound),
            "rank": solution.rank,
            "lam": selector.lam_,
            "eta": selector.eta_,
        }
    return fitted


def _history(selector: Selector) -> list[float | None]:
    """Return the objective after each iteration, where the method has one."""
    solution = getattr(selector, "solution_", None)
    if solution is not None:
        return [_rounded(record.value) for record in solution.history]
    return [_rounded(float(value)) for value in getattr(selector, "objective_", ())]


def _rounded(value: float, digits: int = DIGITS) -> float | None:
    """Return a number with so many digits; JSON has no word for infinities and NaN."""
    return float(f"{value:.{digits}g}") if math.isfinite(value) else None


def _short(seconds: float) -> float:
    return round(seconds, 5)
