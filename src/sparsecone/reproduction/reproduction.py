"""Run experiments and write their page: what the command `sparsecone reproduce` does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from . import choosing
from .catalogue import EXPERIMENTS
from .experiment import Section
from .export import write_for_paper
from .page import write_page, write_study
from .plan import ExperimentPlan, read_plan, shipped_plan
from .results import Results
from .runner import Watcher, run
from .section import Block
from .sources import is_present
from .store import RowFile, read_rows
from .summary import opening
from .theorems import theorem_section

ROWS_NAME = "rows.jsonl"
#: The study of label-free selections, which compares them with the methods of experiment 3.
STUDY = "choosing"
COMPARED = 3
#: The experiment whose rows Theorem 1 is tested on as well.
PROJECTION = 1


def plans_of(numbers: Iterable[int], *, level: str, path: Path | None) -> dict[int, ExperimentPlan]:
    """Return the plan of each experiment: the shipped one of a level, or that in a file."""
    return {number: plan_of(number, level=level, path=path) for number in numbers}


def plan_of(which: int | str, *, level: str, path: Path | None) -> ExperimentPlan:
    """Return the plan of an experiment or a study: a shipped one, or that in a file."""
    return shipped_plan(which, level) if path is None else read_plan(path)


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
    datasets = list(dict.fromkeys(cell.dataset for cell in cells.values()))
    ordered = sorted(cells.values(), key=lambda cell: datasets.index(cell.dataset))
    with RowFile(folder / ROWS_NAME) as store:
        run(ordered, store, n_jobs=n_jobs, watch=watch)


def results_of(plan: ExperimentPlan, folder: Path) -> Results:
    """Return the rows of a plan that are in a folder."""
    rows = {row["key"]: row for row in read_rows(folder / ROWS_NAME)}
    has_rows = {rows[cell.key]["dataset"] for cell in plan.cells if cell.key in rows}
    missing = [name for name in plan.datasets() if name not in has_rows and not is_present(name)]
    return Results.gathered(plan.cells, rows, missing)


def write_results(
    plans: dict[int, ExperimentPlan], folder: Path, *, latex: bool = False
) -> tuple[Sequence[Section], list[Path]]:
    """Write the page of some plans, and what a paper takes from it if asked for.

    Return what the page says, and its files.
    """
    results = {number: results_of(plan, folder) for number, plan in sorted(plans.items())}
    told = [EXPERIMENTS[number].section(found) for number, found in results.items()]
    if PROJECTION in results:
        told.append(theorem_section(results[PROJECTION]))
    sections = [*opening(results, told), *told]
    n_rows = len({row["key"] for found in results.values() for row in found.rows})
    files = write_page(sections, n_rows, folder)
    if latex:
        files += write_for_paper([block for each in sections for block in each.blocks], folder)
    return sections, files


def write_choosing(
    plan: ExperimentPlan, folder: Path, *, level: str, latex: bool = False
) -> tuple[Sequence[Block], list[Path]]:
    """Write the page of the study; return what it says and its files.

    Rows of experiment 3 that are in the folder count as well: the methods of the paper.
    """
    named = set(plan.datasets())
    compared = [cell for cell in shipped_plan(COMPARED, level).cells if cell.dataset in named]
    cells = {cell.key: cell for cell in (*plan.cells, *compared)}
    results = results_of(ExperimentPlan(STUDY, tuple(cells.values())), folder)
    blocks = choosing.report(results)
    files = write_study(choosing.TITLE, blocks, results.rows, folder, f"{STUDY}.md")
    return blocks, [*files, *(write_for_paper(blocks, folder) if latex else [])]
