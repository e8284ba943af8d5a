"""What a paper takes from the page: every table as LaTeX and csv, every figure as PDF."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from ..files.whole_file import whole_file
from .latex import latex_of
from .section import Block, Figure, Table, emphasis

#: Beside the page; not kept in version control, as one command writes it anew.
PAPER_FOLDER = "paper"


def write_for_paper(blocks: Sequence[Block], folder: Path) -> list[Path]:
    """Write all tables and figures among some blocks below a folder; return that of each kind."""
    target = folder / PAPER_FOLDER
    target.mkdir(parents=True, exist_ok=True)
    for block in blocks:
        if isinstance(block, Table) and block.name:
            _write(target / f"{block.name}.tex", latex_of([block]).encode())
            _write(target / f"{block.name}.csv", csv_of(block).encode())
        elif isinstance(block, Figure):
            _write(target / f"{block.name}.pdf", block.picture.pdf())
    return [target]


def csv_of(table: Table) -> str:
    """Return a table as comma-separated values, without marks.

    Examples
    --------
    >>> print(csv_of(Table("Shares.", ("Method", "Wine, %"), (("Mine", "**61.2**"),))), end="")
    Method,"Wine, %"
    Mine,61.2
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows([emphasis(cell)[1] for cell in row] for row in table.rows)
    return text.getvalue()


def _write(path: Path, content: bytes) -> None:
    with whole_file(path) as draft:
        draft.write_bytes(content)
