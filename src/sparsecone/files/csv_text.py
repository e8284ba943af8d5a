"""The text of a table: its first line, and what is wrong with a file that cannot be read."""

from __future__ import annotations

import csv
import gzip
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from .dataset import DataFileError, shown

DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_LONGEST_ENTRY = 10_000_000
_NAMES_REMEDY = "Give every column a name of its own in the first line"


@contextmanager
def text_of(path: Path) -> Iterator[TextIO]:
    """Open a table as text, unpacked."""
    opened = gzip.open if path.suffix.lower() == ".gz" else open
    with opened(path, "rt", encoding="utf-8-sig", newline="") as file:
        csv.field_size_limit(_LONGEST_ENTRY)
        yield file


def first_row(path: Path, delimiter: str) -> list[str]:
    """Return the entries of the first line that has any, which may be names or numbers."""
    with text_of(path) as file:
        entries = next((row for row in csv.reader(file, delimiter=delimiter) if row), None)
    if entries is None:
        raise DataFileError(path, "has only blank lines", remedy="Download or save it again")
    entries = [entry.strip() for entry in entries]
    _check_delimiter(path, entries, delimiter)
    return entries


def are_names(entries: list[str]) -> bool:
    """Whether the entries of the first line are names: not all numbers, or just counting columns.

    Examples
    --------
    >>> [are_names(line.split(",")) for line in ("a,b", "1.5,2", "0,1,2,3")]
    [True, False, True]
    """
    if not all(is_number(entry) for entry in entries):
        return True
    # What pandas writes over columns without names.
    return len(entries) > 2 and entries == [str(index) for index in range(len(entries))]


def check_unique(path: Path, names: list[str], *, remedy: str = _NAMES_REMEDY) -> None:
    """Complain about the first name that stands over two columns."""
    if len(set(names)) == len(names):
        return
    name = next(name for name, count in Counter(names).items() if count > 1)
    places = [str(index) for index, other in enumerate(names, start=1) if other == name]
    raise DataFileError(
        path,
        f"has the name {shown(name)} over the columns {' and '.join(places[:3])}",
        remedy=remedy,
    )


def check_rows(path: Path, delimiter: str) -> None:
    """Complain about the first line with more or fewer entries than the first one."""
    with text_of(path) as file:
        rows = csv.reader(file, delimiter=delimiter)
        width = None
        for row in rows:
            width = len(row) if width is None and row else width
            # A line without any entry is no row.
            if row and len(row) != width:
                raise DataFileError(
                    path,
                    f"has {len(row)} entries in line {rows.line_num}, where the first line has "
                    f"{width}",
                    remedy="Give all lines the same number of entries",
                )


def blank_lines(path: Path, delimiter: str) -> list[bool]:
    """Return whether each line, from the first that has an entry on, has none."""
    with text_of(path) as file:
        blank = [not row for row in csv.reader(file, delimiter=delimiter)]
    return blank[blank.index(False) :]


def is_number(entry: str) -> bool:
    """Whether a text reads as a number."""
    try:
        float(entry)
    except ValueError:
        return False
    return True


def spreadsheet_safe(text: str) -> str:
    """Return a text with an apostrophe in front where a spreadsheet would run it as a formula.

    Examples
    --------
    >>> [spreadsheet_safe(text) for text in ("=1+1", "@sum", "gene", "-5")]
    ["'=1+1", "'@sum", 'gene', '-5']
    """
    risky = text.startswith(("=", "+", "-", "@", "\t", "\r")) and not is_number(text)
    return f"'{text}" if risky else text


def _check_delimiter(path: Path, entries: list[str], delimiter: str) -> None:
    """Complain if the first line is one entry that another delimiter would split."""
    if len(entries) > 1:
        return
    for other, name in DELIMITERS.items():
        if other != delimiter and other in entries[0]:
            given = "\\t" if other == "\t" else other
            raise DataFileError(
                path,
                f"has its columns separated by {name}, not {DELIMITERS.get(delimiter, delimiter)}",
                remedy=f"Say so: delimiter='{given}' (--delimiter '{given}')",
            )
