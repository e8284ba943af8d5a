"""What the commands show on the terminal: tables, sentences, and how far a run is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

console = Console()


def show_table(caption: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table with its caption above."""
    table = Table(title=caption, title_justify="left", title_style="italic")
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*row)
    console.print(table)


def say(text: str, *, style: str | None = None) -> None:
    """Print a sentence as it stands; the terminal wraps it, so that paths can be copied."""
    console.print(text, style=style, markup=False, highlight=False, soft_wrap=True)


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
