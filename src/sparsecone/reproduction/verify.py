"""Run finished cells again, and say where they come out otherwise than their rows."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from .cell import Cell, Row
from .measure import FAILED, run_cell
from .plan import ExperimentPlan
from .sources import is_present
from .store import read_rows

#: Relative difference of two values of the objective that rounding may make.
VALUE = 1e-6
#: Difference of two scores, in percent, beyond what rows round to.
SCORE = 1e-3


@dataclass(frozen=True)
class Check:
    """A cell that ran again, and what is different now; nothing, if its row holds."""

    cell: Cell
    differences: tuple[str, ...]


def verify(
    plans: Iterable[ExperimentPlan], path: Path, count: int, *, seed: int | None = None
) -> Iterator[Check]:
    """Run some finished cells of plans again, drawn at random, and compare with their rows.

    There are `count` of them, or all that there are: not those that failed or are there for their
    times. A ValueError says that there is none.
    """
    rows = {row["key"]: row for row in read_rows(path)}
    cells = {cell.key: cell for plan in plans for cell in plan.cells}
    finished = [cell for cell in cells.values() if _can_be_checked(cell, rows.get(cell.key))]
    if not finished:
        raise ValueError(f"'{path}' has no finished cell of this plan that could run again here.")
    for cell in random.Random(seed).sample(finished, min(count, len(finished))):
        yield Check(cell, tuple(differences(rows[cell.key], run_cell(cell))))


def differences(before: Row, now: Row) -> Iterator[str]:
    """Yield in words what two rows of the same cell disagree on."""
    if before["status"] != now["status"]:
        yield f"status {before['status']}, now {now['status']} ({now.get('reason', 'no reason')})"
        return
    value, again = before.get("value"), now.get("value")
    if value is not None and abs(value - again) > _tolerance(before, now) * abs(value):
        yield f"objective {value:.10g}, now {again:.10g}"
    scores, others = before.get("scores", []), now.get("scores", [])
    if [score["n_features"] for score in scores] != [score["n_features"] for score in others]:
        yield "other numbers of features"
        return
    for score, other in zip(scores, others, strict=True):
        number = f"{score['n_features']} features"
        if score["features"] != other["features"]:
            yield f"{number}: not the same features"
        for measure in ("acc_mean", "nmi_mean"):
            if abs(score[measure] - other[measure]) > SCORE:
                yield f"{number}: {measure} {score[measure]}, now {other[measure]}"


def _can_be_checked(cell: Cell, row: Row | None) -> bool:
    is_finished = row is not None and row["status"] != FAILED
    return is_finished and not cell.is_timing and is_present(cell.dataset)


def _tolerance(before: Row, now: Row) -> float:
    """Return how far two values may be apart: both of certified ones are within their gaps."""
    gaps = [row["gap"] for row in (before, now) if row["status"] == "converged"]
    return max([VALUE, *gaps])
