"""Run experiments and write their page: what the command `sparsecone reproduce` does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from . import choosing
from .catalogue import EXPERIMENTS
from .cell import Cell
from .page import write_page, write_study
from .plan import ExperimentPlan, read_plan, shipped_plan
from .results import Results
from .runner import Watcher, run
from .section import Block, Section
from .sources import is_present
from .store import RowFile, read_rows

ROWS_NAME = "rows.jsonl"
#: The study of label-free selections, which compares them with the methods of experiment 3.
STUDY = "choosing"
COMPARED = 3


def plans_of(numbers: Iterable[int], *, level: str, path: Path | None) -> dict[int, ExperimentPlan]:
    """Return the plan of each experiment: the shipped one of a level, or that in a file."""
    return {
        number: shipped_plan(number, level) if path is None else read_plan(path)
        for number in numbers
    }


def timings_of(plans: Iterable[ExperimentPlan]) -> list[ExperimentPlan]:
    """Return what plans have for its time alone."""
    return [
        ExperimentPlan(plan.name, tuple(cell for cell in plan.cells if cell.is_timing))
        for plan in plans
    ]


def run_plans(
    plans: Iterable[ExperimentPlan], folder: Path, *, n_jobs: int, watch: Watcher | None = None
) -> None:
    """Run all cells that have no row in the folder yet, one data set after the other.

    Cells that plans share run once.
    """
    cells = {cell.key: cell for plan in plans for cell in plan.cells}
    places = {name: place for place, name in enumerate(_datasets(cells.values()))}
    ordered = sorted(cells.values(), key=lambda cell: places[cell.dataset])
    with RowFile(folder / ROWS_NAME) as store:
        run(ordered, store, n_jobs=n_jobs, watch=watch)


def _datasets(cells: Iterable[Cell]) -> list[str]:
    return list(dict.fromkeys(cell.dataset for cell in cells))


def results_of(plan: ExperimentPlan, folder: Path) -> Results:
    """Return the rows of a plan that are in a folder."""
    rows = {row["key"]: row for row in read_rows(folder / ROWS_NAME)}
    found = tuple(rows[cell.key] for cell in plan.cells if cell.key in rows)
    has_rows = {row["dataset"] for row in found}
    missing = tuple(
        name for name in plan.datasets() if name not in has_rows and not is_present(name)
    )
    return Results(found, missing, len(plan.cells))


def sections_of(plans: dict[int, ExperimentPlan], folder: Path) -> list[Section]:
    """Return the sections of the experiments that have rows."""
    by_number = {number: results_of(plan, folder) for number, plan in sorted(plans.items())}
    return [
        EXPERIMENTS[number].section(results)
        for number, results in by_number.items()
        if results.rows
    ]


def write_results(
    plans: dict[int, ExperimentPlan], folder: Path
) -> tuple[Sequence[Section], list[Path]]:
    """Write the page of some plans; return its sections and files."""
    sections = sections_of(plans, folder)
    rows = [row for plan in plans.values() for row in results_of(plan, folder).rows]
    return sections, write_page(sections, rows, folder)


def study_plan(*, level: str, path: Path | None) -> ExperimentPlan:
    """Return the plan of the study: the shipped one of a level, or that in a file."""
    return shipped_plan(STUDY, level) if path is None else read_plan(path)


def write_choosing(
    plan: ExperimentPlan, folder: Path, *, level: str
) -> tuple[Sequence[Block], list[Path]]:
    """Write the page of the study; return what it says and its files.

    Rows of experiment 3 that are in the folder count as well: the methods of the paper.
    """
    cells = {cell.key: cell for cell in (*plan.cells, *shipped_plan(COMPARED, level).cells)}
    everything = results_of(ExperimentPlan(STUDY, tuple(cells.values())), folder)
    own = results_of(plan, folder)
    named = set(plan.datasets())
    rows = tuple(row for row in everything.rows if row["dataset"] in named)
    results = Results(rows, own.missing, own.n_cells + len(rows) - len(own.rows))
    blocks = choosing.report(results)
    return blocks, write_study(choosing.TITLE, blocks, rows, folder, f"{STUDY}.md")
