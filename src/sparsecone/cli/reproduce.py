"""`sparsecone reproduce`: run the paper's experiments, or the study, and write their pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .console import progress_of_rows, say, show_table
from .written import note

if TYPE_CHECKING:
    from ..reproduction.plan import ExperimentPlan
    from ..reproduction.section import Block

Which = Annotated[
    str,
    typer.Argument(
        help="An experiment, 1 to 6, all, their timings, or a study: choosing or cells."
    ),
]
Quick = Annotated[bool, typer.Option("--quick", help="Small data and grids: minutes.")]
PlanFile = Annotated[
    Path | None,
    typer.Option("--plan", exists=True, dir_okay=False, help="A plan of your own, in TOML."),
]
Out = Annotated[Path, typer.Option("--out", help="Folder of the rows and the page.")]
Jobs = Annotated[int, typer.Option("--jobs", min=1, help="Parallel processes.")]
Verify = Annotated[
    int | None,
    typer.Option("--verify", min=1, help="Run so many finished cells again, and compare."),
]
PageOnly = Annotated[bool, typer.Option("--page-only", help="Run nothing, write the page anew.")]
Latex = Annotated[
    bool, typer.Option("--latex", help="Also every table as LaTeX and csv, every figure as PDF.")
]


def reproduce(
    which: Which,
    quick: Quick = False,
    plan: PlanFile = None,
    out: Out = Path("results"),
    jobs: Jobs = 1,
    verify: Verify = None,
    page_only: PageOnly = False,
    latex: Latex = False,
) -> None:
    """Run one or all of the paper's experiments, or the study, and write the page of results.

    The study, choosing, compares selections without labels with further methods and with those
    methods of the paper that experiment 3 has left in the same folder. Another one, cells, compares
    selections of genes with those of scanpy, on the files in the folder SPARSECONE_CELLS.

    Without --quick the grids are the paper's: hours for 3. A run that was interrupted goes on where
    it was. Experiments 1, 4 and 6 have cells that are there for their times and run last, one by
    one; timings runs them alone, for a machine that does nothing else, and writes no page. --verify
    runs finished cells again, drawn at random, and fails where one comes out otherwise than its
    row. SPARSECONE_DATA names the folder of the data.
    """
    if which == "cells":
        _cells(out, page_only=page_only)
        return
    is_study = which == "choosing"
    numbers = [] if is_study else _numbers(which, has_plan=plan is not None)
    if quick and plan is not None:
        raise typer.BadParameter("--quick and --plan exclude each other.")
    try:
        from ..reproduction import reproduction as steps
    except ModuleNotFoundError as error:
        say(f"This needs the package {error.name}: pip install 'sparsecone[experiments]'.")
        raise typer.Exit(1) from error
    level = "quick" if quick else "standard"
    try:
        study = steps.plan_of(which, level=level, path=plan) if is_study else None
        plans = steps.plans_of(numbers, level=level, path=plan)
        chosen = [study] if study else list(plans.values())
        if which == "timings":
            chosen = steps.timings_of(chosen)
        if verify is not None:
            _run_again(chosen, out / steps.ROWS_NAME, verify)
            return
        if not page_only:
            note(out)
            with progress_of_rows() as watch:
                steps.run_plans(chosen, out, n_jobs=jobs, watch=watch)
        if which == "timings":
            files = [out / steps.ROWS_NAME]
        elif study is not None:
            blocks, files = steps.write_choosing(study, out, level=level, latex=latex)
            _show(blocks)
        else:
            everything = plans if plan else steps.plans_of(range(1, 7), level=level, path=None)
            sections, files = steps.write_results(everything, out, latex=latex)
            for section in sections:
                if section.number in numbers:
                    say(f"\nExperiment {section.number}: {section.title}", style="bold")
                    for verdict in section.verdicts:
                        say(f"{verdict.claim} {verdict.outcome}: {verdict.numbers.rstrip('.')}.")
                    _show(section.blocks)
    except (ValueError, RuntimeError) as error:
        say(str(error), style="red")
        raise typer.Exit(1) from error
    say(f"Written: {', '.join(map(str, files))}")


def _run_again(plans: Iterable[ExperimentPlan], path: Path, count: int) -> None:
    """Run some cells of plans again, and say how each came out; a ValueError if one differs."""
    from ..reproduction.verify import verify

    checks = []
    for check in verify(plans, path, count):
        settings = ", ".join(f"{name} = {value}" for name, value in check.cell.parameters.items())
        where = f"{check.cell.dataset}, {check.cell.method}" + (f", {settings}" if settings else "")
        if check.differences:
            say(f"DIFFERS: {where} (row {check.cell.key})", style="red")
            for difference in check.differences:
                say(f"  {difference}")
        else:
            say(f"the same: {where}")
        checks.append(check)
    n_different = sum(bool(check.differences) for check in checks)
    if n_different:
        raise ValueError(
            f"{n_different} of {len(checks)} cells came out otherwise than their rows."
        )
    say(f"All {len(checks)} cells came out as their rows say.")


def _cells(out: Path, *, page_only: bool) -> None:
    """Run the study of cells and write its page."""
    try:
        from ..reproduction.cells import report, run

        if not page_only:
            run.run(out, say=say)
        blocks, files = report.write(out)
    except ModuleNotFoundError as error:
        say(f"This needs the package {error.name}: pip install 'sparsecone[study]'.")
        raise typer.Exit(1) from error
    except (ValueError, ImportError, RuntimeError) as error:
        say(str(error), style="red")
        raise typer.Exit(1) from error
    _show(blocks)
    say(f"Written: {', '.join(map(str, files))}")


def _numbers(which: str, *, has_plan: bool) -> list[int]:
    """Return the numbers of the experiments asked for."""
    if which in ("all", "timings") and not has_plan:
        return list(range(1, 7))
    if which.isdigit() and 1 <= int(which) <= 6:
        return [int(which)]
    expected = "a number from 1 to 6" + ("" if has_plan else ", all, timings, choosing or cells")
    raise typer.BadParameter(f"'{which}' must be {expected}.")


def _show(blocks: Sequence[Block]) -> None:
    """Print tables and sentences."""
    from ..reproduction.section import Points, Table, emphasis

    for block in blocks:
        if isinstance(block, Table):
            rows = [[emphasis(cell)[1] for cell in row] for row in block.rows]
            show_table(block.caption, block.columns, rows)
        elif isinstance(block, Points):
            say(f"{block.title}:")
            for sentence in block.sentences:
                say(f"- {sentence}")
        elif isinstance(block, str):
            say(block)
