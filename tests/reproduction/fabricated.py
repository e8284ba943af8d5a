"""Rows as a run would have made them, without running: for tests of tables, figures and pages."""

from __future__ import annotations

import numpy as np

from sparsecone.reproduction.cell import Cell, Row
from sparsecone.reproduction.machine import MOMENT, machine_info
from sparsecone.reproduction.methods import METHODS
from sparsecone.reproduction.plan import ExperimentPlan
from sparsecone.reproduction.results import Results

WIDTH = 1024


def fabricate(cell: Cell, *, acc: float | None = None) -> Row:
    """Return a row with numbers drawn from the settings, and the accuracy asked for."""
    rng = np.random.default_rng(int(cell.key, 16) % 2**32)
    width = 9 if cell.n_features == (2,) else WIDTH
    row: Row = {"key": cell.key, **cell.settings(), "status": "done", "n_iter": 20}
    row |= {"n_nonzero": width, "seconds": 0.5, "shape": [500, width], "trace": 1e5}
    if METHODS[cell.method].kind == "psd":
        lam, eta = (float(cell.parameters.get(name, 0.0)) for name in ("lam", "eta"))
        row |= {"status": "stalled", "gap": 0.1, "value": 90.0, "bound": 80.0, "rank": 5}
        row |= {"lam": lam, "eta": eta}
    if cell.n_runs:
        counts = (width,) if cell.method == "All features" else cell.n_features or (50, 100)
        accuracies = rng.uniform(40.0, 60.0, len(counts)) if acc is None else [acc] * len(counts)
        row["scores"] = [
            {"n_features": n, "acc_mean": a, "acc_std": 2.0, "nmi_mean": a + 9.0, "nmi_std": 1.5}
            | {"n_runs": cell.n_runs, "features": f"{n:012x}"}
            for n, a in zip(counts, map(float, accuracies), strict=True)
        ]
    if cell.is_timing:
        row["seconds_all"] = [0.4, 0.5, 0.7]
    if "selected" in cell.keep:
        row["selected"] = rng.permutation(width)[:100].tolist()
    if "history" in cell.keep:
        row["history"] = [100.0, 85.0, 90.0]
    return {**row, "machine": machine_info()}


def emptied(row: Row) -> Row:
    """Return the row of the same cell where nothing was selected."""
    left = {name: value for name, value in row.items() if name not in ("scores", "selected")}
    return {**left, "status": "empty", "reason": "W = 0 is optimal", "rank": 0, "n_nonzero": 0}


def with_acc(row: Row, acc: float) -> Row:
    """Return a row with another accuracy at every number of features."""
    scores = [{**score, "acc_mean": acc, "nmi_mean": acc + 9.0} for score in row["scores"]]
    return {**row, "scores": scores}


def results_of(plan: ExperimentPlan) -> Results:
    """Return fabricated results for all cells of a plan."""
    return Results(tuple(map(fabricate, plan.cells)), (), plan.cells)


def without_times(row: Row) -> Row:
    """Return what two runs of the same cell must agree on."""
    lasting = {name: value for name, value in row["machine"].items() if name not in MOMENT}
    kept = {name: value for name, value in row.items() if name not in ("seconds", "seconds_all")}
    return {**kept, "machine": lasting}
