"""What the commands show on the terminal: tables, sentences, and how far a run is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from ..solve.solution import Progress as SolverProgress

console = Console()
messages = Console(stderr=True)


def printable(text: str, *, width: int | None = None) -> str:
    r"""Return a text that cannot steer the terminal: escaped, and cut to a width.

    Examples
    --------
    >>> print(printable("red\x1b[31m\n"), printable("a long name", width=6))
    red\x1b[31m\n a lon…
    """
    shown = text if width is None else text[: width + 1]
    safe = "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in shown
    )
    return safe if width is None or len(safe) <= width else f"{safe[: width - 1]}…"


def show_table(
    caption: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    numbers: Sequence[str] = (),
) -> None:
    """Print a table with its caption above.

    Columns of numbers are aligned to the right, and never broken: others make room.
    """
    table = Table(
        title=Text(printable(caption)),
        title_justify="left",
        title_style="italic",
        box=SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
    )
    for column in columns:
        is_number = column in numbers
        table.add_column(
            column, overflow="fold", no_wrap=is_number, justify="right" if is_number else "left"
        )
    for row in rows:
        table.add_row(*(Text(printable(entry)) for entry in row))
    console.print(table)


def say(text: str, *, style: str | None = None) -> None:
    """Print a sentence as it stands; the terminal wraps it, so that paths can be copied."""
    console.print(text, style=style, markup=False, highlight=False, soft_wrap=True)


def remark(text: str, *, style: str | None = None) -> None:
    """Print a message beside the results: one line on stderr."""
    messages.print(printable(text), style=style, markup=False, highlight=False, soft_wrap=True)


def complain(text: str) -> None:
    """Print what went wrong: one line on stderr."""
    remark(f"Error: {text}", style="red")


def say_json(value: Any) -> None:
    """Print a value for machines; characters that could steer a terminal are escaped."""
    console.out(json.dumps(value, allow_nan=False, indent=2), highlight=False)


@contextmanager
def working(title: str) -> Iterator[Callable[[SolverProgress], None]]:
    """Show on a terminal that work is under way; yield what shows the progress of a solver."""
    if not messages.is_terminal:
        # A disabled bar writes an empty line before rich 14.
        yield lambda _: None
        return
    bar = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        TimeElapsedColumn(),
        console=messages,
        transient=True,
    )
    with bar:
        task = bar.add_task(printable(title), total=None)

        def watch(progress: SolverProgress) -> None:
            record = progress.record
            bar.update(
                task,
                description=f"{title}: {record.solver}, iteration {record.n_iter}, "
                f"gap {record.gap:.1e}",
            )

        yield watch


@contextmanager
def progress_of_rows() -> Iterator[Any]:
    """Yield a watcher of a run that shows cells done and the time left."""
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(elapsed_when_finished=False),
        console=console,
    )
    with bar:
        task = bar.add_task("cells", total=None)

        def watch(total: int, row: dict[str, Any] | None) -> None:
            bar.update(task, total=total, advance=0 if row is None else 1)
            if row is not None:
                bar.update(task, description=f"{row['method']} on {row['dataset']}")

        yield watch
