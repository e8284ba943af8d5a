"""Run one cell and turn what came out into a row."""

from __future__ import annotations

import math
import time
import warnings
from dataclasses import asdict
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

from ..datasets import Dataset
from ..metrics import evaluate_selection
from ..selectors.base import Selector
from .cell import Cell, Row
from .machine import machine_info
from .methods import make_selector, method_of
from .sources import load_source
from .time_limit import time_limit

#: Entries of a row that differ between two runs of the same cell.
TIMES = ("seconds", "evaluation_seconds")
FAILED = "failed"
#: How many of the first features "selected" keeps.
N_KEPT = 100


def run_cell(cell: Cell) -> Row:
    """Run a cell in one thread; whatever goes wrong is the reason in its row."""
    try:
        with threadpool_limits(limits=1), warnings.catch_warnings():
            # The published algorithm never converges; status and gap of the row say so.
            warnings.simplefilter("ignore", ConvergenceWarning)
            # Scores of zero: the row counts them; what explains most takes their place.
            for message in ("W = 0 is optimal", ".* a score of zero"):
                warnings.filterwarnings("ignore", message=message, category=UserWarning)
            outcome = _outcome(cell)
    except Exception as error:
        return failed_row(cell, f"{type(error).__name__}: {error}")
    return _row(cell, outcome)


def failed_row(cell: Cell, reason: str) -> Row:
    """Return the row of a cell that gave no result."""
    return _row(cell, {"status": FAILED, "reason": reason})


def without_times(row: Row) -> Row:
    """Return what two runs of the same cell must agree on."""
    return {name: value for name, value in row.items() if name not in TIMES}


def _row(cell: Cell, outcome: Row) -> Row:
    return {"key": cell.key, **cell.settings(), **outcome, "machine": machine_info()}


def _outcome(cell: Cell) -> Row:
    """Fit, evaluate, and return everything but the settings."""
    dataset = load_source(cell.dataset, scaling=cell.scaling, seed=cell.seed, read=cell.read)
    selector = make_selector(cell, dataset)
    started = time.process_time()
    with time_limit(method_of(cell.method).max_seconds):
        selector.fit(dataset.X)
    elapsed = time.process_time() - started
    outcome = {**_fitted(selector), "seconds": elapsed, "timer": "cpu"}
    outcome["shape"] = list(dataset.X.shape)
    outcome["trace"] = float(dataset.X.var(axis=0).sum() * len(dataset.X))
    order = np.argsort(selector.ranking_, kind="stable")
    if cell.n_runs > 0:
        started = time.perf_counter()
        outcome["scores"] = _scores(cell, dataset, order)
        outcome["evaluation_seconds"] = time.perf_counter() - started
    if "selected" in cell.keep:
        outcome["selected"] = order[:N_KEPT].tolist()
    if "history" in cell.keep:
        outcome["history"] = _history(selector)
    return outcome


def _fitted(selector: Selector) -> Row:
    """Return status, gap, value, bound and rank where the selector has them, and iterations."""
    fitted: Row = {"status": "done", "n_iter": getattr(selector, "n_iter_", None)}
    fitted["n_nonzero"] = int(np.count_nonzero(selector.scores_))
    solution = getattr(selector, "solution_", None)
    if solution is not None:
        fitted |= {
            "status": str(solution.status),
            "solver": solution.solver,
            "gap": _finite(solution.gap),
            "value": solution.value,
            "bound": _finite(solution.bound),
            "rank": solution.rank,
            "lam": selector.lam_,
            "eta": selector.eta_,
        }
    return fitted


def _scores(cell: Cell, dataset: Dataset, order: Any) -> list[Row]:
    """Return the clustering scores, one entry a number of features."""
    counts = cell.n_features
    if cell.method == "All features":
        counts = (order.size,)
    elif "n_features_to_select" in cell.parameters:
        # The scores depend on the number asked for: they count for that number only.
        counts = (int(cell.parameters["n_features_to_select"]),)
    if counts is not None:
        counts = tuple(count for count in counts if count <= order.size) or (order.size,)
    if dataset.y is None:
        raise ValueError("without classes there is nothing to evaluate: n_runs = 0, or a label")
    found = evaluate_selection(
        dataset.X,
        dataset.y,
        order,
        n_features=counts,
        n_runs=cell.n_runs,
        random_state=cell.seed,
    )
    return [{name: _finite(value) for name, value in asdict(score).items()} for score in found]


def _history(selector: Selector) -> list[float | None]:
    """Return the objective after each iteration, where the method has one."""
    solution = getattr(selector, "solution_", None)
    if solution is not None:
        return [_finite(record.value) for record in solution.history]
    return [_finite(value) for value in getattr(selector, "objective_", ())]


def _finite(value: Any) -> Any:
    """Return a number that JSON has a word for; infinities and NaN have none."""
    return value if isinstance(value, int) or math.isfinite(value) else None
