"""The text of a table: its first line, and what is wrong with a file that cannot be read."""

from __future__ import annotations

import csv
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

from .dataset import DataFileError, listed, shown
from .text_format import TextFormat

# What stands for a missing value in text.
GAPS = (
    *("", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "None", "?"),
    *("-", "--", ".", "#N/A", "#NV", "#DIV/0!", "#VALUE!"),
)
_NAMES_REMEDY = "Give every column a name of its own in the first line"
_YEAR = re.compile(r"[12]\d{3}")
_COMMA_NUMBER = re.compile(r"[+-]?\d*,\d+")


def first_row(path: Path, how: TextFormat) -> list[str]:
    """Return the entries of the first line that has any, which may be names or numbers."""
    with how.text_of(path) as file:
        entries = next((row for row in csv.reader(file, delimiter=how.delimiter) if row), None)
    if entries is None:
        raise DataFileError(path, "has only blank lines", remedy="Download or save it again")
    return [entry.strip() for entry in entries]


def are_names(entries: list[str]) -> bool:
    """Whether the entries of the first line are names: not all numbers, or just counting columns.

    Examples
    --------
    >>> [are_names(line.split(";")) for line in ("a;b", "1.5;2", "1,5;NA", ";7;8", "0;1;2;3")]
    [True, False, False, True, True]
    """
    if len(entries) > 1 and entries[0] == "":
        # The names of the rows stand in a first column without a name.
        return True
    numbers = [is_number(entry) or bool(_COMMA_NUMBER.fullmatch(entry)) for entry in entries]
    if not any(numbers):
        return True
    if any(
        not number and entry not in GAPS for entry, number in zip(entries, numbers, strict=True)
    ):
        return True
    # What pandas writes over columns without names, or a table that has a column a year.
    counted = [str(index) for index in range(len(entries))]
    return len(entries) > 2 and (entries == counted or are_years(entries))


def are_years(entries: list[str]) -> bool:
    """Whether entries count years in equal steps, which no sample does but by chance.

    Examples
    --------
    >>> [are_years(line.split()) for line in ("1990 1995 2000", "1990 1995 2001", "12 13 14")]
    [True, False, False]
    """
    if not all(_YEAR.fullmatch(entry) for entry in entries):
        return False
    years = [int(entry) for entry in entries]
    steps = {later - earlier for earlier, later in pairwise(years)}
    return len(steps) == 1 and steps != {0}


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


def numbered(names: list[str]) -> tuple[list[str], list[str]]:
    """Return names of which no two are the same, and what there is to say about it.

    A column without a name that is not the first is called after its position.

    Examples
    --------
    >>> numbered(["size", "size", ""])[0]
    ['size', 'size.1', 'column_2']
    """
    taken, found = set(names), []
    seen: set[str] = set()
    for place, name in enumerate(names):
        own, count = name or (f"column_{place}" if place else ""), 0
        new = own
        while new in seen or (new != name and new in taken):
            count += 1
            new = f"{own}.{count}"
        seen.add(new)
        found.append(new)
    twice = [name for name, count in Counter(names).items() if name and count > 1]
    if not twice:
        return found, []
    return found, [f"Names that stand over several columns are numbered: {listed(twice)}."]


def check_rows(path: Path, how: TextFormat) -> None:
    """Complain about the first line with more or fewer entries than the first one."""
    with how.text_of(path) as file:
        rows = csv.reader(file, delimiter=how.delimiter)
        width = None
        for row in rows:
            width = len(row) if width is None and row else width
            # A line without any entry is no row.
            if row and len(row) != width:
                raise DataFileError(
                    path,
                    f"has {len(row)} entries in line {rows.line_num + how.n_skipped}, where the "
                    f"first line has {width}",
                    remedy="Give all lines the same number of entries, or say what separates them: "
                    "delimiter= (--delimiter)",
                )


def blank_lines(path: Path, how: TextFormat) -> list[bool]:
    """Return whether each line, from the first that has an entry on, has none."""
    with how.text_of(path) as file:
        blank = [not row for row in csv.reader(file, delimiter=how.delimiter)]
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
