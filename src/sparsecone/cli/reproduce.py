"""`sparsecone reproduce`: run the paper's experiments and write the page of results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .console import progress_of_rows, say, show_table

if TYPE_CHECKING:
    from ..experiments.section import Section

Which = Annotated[str, typer.Argument(help="An experiment, 1 to 6, or all.")]
Quick = Annotated[bool, typer.Option("--quick", help="Small data and grids: minutes.")]
Full = Annotated[bool, typer.Option("--full", help="The paper's full setting: days for 3.")]
PlanFile = Annotated[
    Path | None,
    typer.Option("--plan", exists=True, dir_okay=False, help="A plan of your own, in TOML."),
]
Out = Annotated[Path, typer.Option("--out", help="Folder of the rows and the page.")]
Jobs = Annotated[int, typer.Option("--jobs", min=1, help="Parallel processes.")]
PageOnly = Annotated[bool, typer.Option("--page-only", help="Run nothing, write the page anew.")]


def reproduce(
    which: Which,
    quick: Quick = False,
    full: Full = False,
    plan: PlanFile = None,
    out: Out = Path("results"),
    jobs: Jobs = 1,
    page_only: PageOnly = False,
) -> None:
    """Run one or all of the paper's experiments and write the page of results.

    Without --quick or --full the setting is the paper's, except for a coarser grid in 3. A run
    that was interrupted goes on where it was. SPARSECONE_DATA names the folder of the data.
    """
    numbers = _numbers(which, has_plan=plan is not None)
    if quick + full + (plan is not None) > 1:
        raise typer.BadParameter("--quick, --full and --plan exclude each other.")
    try:
        from ..experiments.reproduction import plans_of, run_plans, write_results
    except ModuleNotFoundError as error:
        say(f"This needs the package {error.name}: pip install 'sparsecone[experiments]'.")
        raise typer.Exit(1) from error
    level = "quick" if quick else "full" if full else "standard"
    try:
        plans = plans_of(numbers, level=level, path=plan)
        if not page_only:
            with progress_of_rows() as watch:
                run_plans(plans.values(), out, n_jobs=jobs, watch=watch)
        everything = plans if plan else plans_of(range(1, 7), level=level, path=None)
        sections, files = write_results(everything, out)
    except (ValueError, RuntimeError) as error:
        say(str(error), style="red")
        raise typer.Exit(1) from error
    for section in sections:
        if section.number in numbers:
            _show(section)
    say(f"Written: {', '.join(map(str, files))}")


def _numbers(which: str, *, has_plan: bool) -> list[int]:
    """Return the numbers of the experiments asked for."""
    if which == "all" and not has_plan:
        return list(range(1, 7))
    if which.isdigit() and 1 <= int(which) <= 6:
        return [int(which)]
    expected = "a number from 1 to 6" if has_plan else "a number from 1 to 6, or all"
    raise typer.BadParameter(f"'{which}' must be {expected}.")


def _show(section: Section) -> None:
    """Print the tables and sentences of a section."""
    from ..experiments.section import Table

    say(f"\nExperiment {section.number}: {section.title}", style="bold")
    say(f"The paper: {section.claim}")
    for block in section.blocks:
        if isinstance(block, Table):
            show_table(block.caption, block.columns, block.rows)
        elif isinstance(block, str):
            say(block)
