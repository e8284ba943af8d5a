"""What the caller wants of a file: which columns are labels, names or nothing at all."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from .csv_text import spreadsheet_safe
from .dataset import DataFileError, listed, shown
from .limits import Limit, limit_of

LABEL_NAMES = ("y", "gnd", "label", "labels", "class", "target")


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """How to read a file; the fields are the parameters of `load_file`."""

    path: Path
    label: str | None = None
    find_label: bool = True
    sample_names: str | tuple[str, ...] | None = None
    find_id: bool = True
    drop: tuple[str, ...] = ()
    drop_text: bool = False
    only: tuple[str, ...] | None = None
    delimiter: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    gaps: tuple[str, ...] = ()
    transpose: bool = False
    max_memory: int | None = None

    @property
    def limit(self) -> Limit:
        """How much memory the contents of the file may take."""
        return limit_of(self.path, self.max_memory)

    def label_among(self, names: Sequence[str]) -> str | None:
        """Return the name of the labels: the one asked for, or a usual one, or None."""
        if self.label is not None:
            self.check_names([self.label], names)
            return self.label
        return first_usual(names, LABEL_NAMES) if self.find_label else None

    def id_among(self, names: Sequence[str]) -> str | None:
        """Return the column with the names of the rows: the one asked for, or None."""
        if isinstance(self.sample_names, tuple):
            return next((name for name in self.sample_names if name in names), None)
        if self.sample_names is not None:
            self.check_names([self.sample_names], names)
        return self.sample_names

    def dropped(self, names: Sequence[str]) -> list[str]:
        """Return the columns to leave out.

        A name that is not there stands for several with commas between, if these are there.
        """
        known = set(names)
        found: list[str] = []
        for given in self.drop:
            found += [given] if given in known else split_names([given]) or [given]
        self.check_names(found, names)
        return found

    def check_names(self, asked: Sequence[str], names: Sequence[str]) -> None:
        """Complain about the first name that the file does not have."""
        known = set(names)
        for name in asked:
            if name not in known:
                near = get_close_matches(name, names, n=1) if len(name) < 200 else []
                hint = f"Did you mean {shown(near[0])}?" if near else f"It has {listed(names)}"
                raise DataFileError(self.path, f"has no column {shown(name)}", remedy=hint)

    def only_among(self, names: Sequence[str]) -> list[str]:
        """Return the names in the file of the columns in `only`, or say which are not there.

        A table written for spreadsheets may have an apostrophe in front of a name.
        """
        known = set(names)
        found = {
            name: name if name in known else spreadsheet_safe(name) for name in self.only or ()
        }
        absent = [name for name, there in found.items() if there not in known]
        if absent:
            raise DataFileError(
                self.path,
                f"lacks {len(absent)} of the {len(found)} columns asked for: {listed(absent)}",
                remedy=f"It has {listed(names)}: give a file with the same names",
            )
        return list(found.values())


def split_names(given: Sequence[str] | None) -> list[str]:
    """Return names that were given one by one, or several in a text with commas between.

    Examples
    --------
    >>> split_names(["a,b", '"c,d"'])
    ['a', 'b', 'c,d']
    """
    rows = csv.reader(given or (), skipinitialspace=True)
    return [name for row in rows for name in row if name]


def first_usual(names: Sequence[str], usual: Sequence[str]) -> str | None:
    """Return the name that comes first among the usual ones, in capitals or not."""
    by_lower_case = {name.lower(): name for name in names}
    return next((by_lower_case[name] for name in usual if name in by_lower_case), None)


def kind_of(path: Path) -> str:
    """Return the ending, in small letters, that says how a file is written, such as .csv.gz."""
    parts = path.suffixes[-2:] if path.suffix.lower() == ".gz" else path.suffixes[-1:]
    return "".join(parts).lower()
