"""What an experiment has to say: verdicts, sentences, tables and figures, in the page's order."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from .pictures import Picture
from .sources import title_of


@dataclass(frozen=True)
class Table:
    """A table of text; a cell `**so**` is the best of its kind, one `*so*` ties with it."""

    caption: str  #: What it shows.
    columns: tuple[str, ...]  #: Heads.
    rows: tuple[tuple[str, ...], ...]
    name: str = ""  #: Stem of its files; empty for a table that has none.


@dataclass(frozen=True)
class Figure:
    """A figure of a page."""

    name: str  #: Stem of its file.
    caption: str  #: What it shows.
    picture: Picture

    @property
    def svg(self) -> str:
        """The picture for a page."""
        return self.picture.svg


@dataclass(frozen=True)
class Points:
    """Sentences that belong together, one below the other."""

    title: str  #: What they are about.
    sentences: tuple[str, ...]


Block = str | Table | Figure | Points

_MARKED = re.compile(r"(\*{1,2})([^*]+)\1")


def emphasis(cell: str) -> tuple[str, str]:
    """Return the mark of a cell, "**", "*" or none, and its text.

    Examples
    --------
    >>> emphasis("**61.2**"), emphasis("SPCAFS *")
    (('**', '61.2'), ('', 'SPCAFS *'))
    """
    found = _MARKED.fullmatch(cell)
    return (found[1], found[2]) if found else ("", cell)


def marked(values: Mapping[str, str], best: str | None, ties: Sequence[str] = ()) -> dict[str, str]:
    """Return texts by name with the best and what is not told apart from it marked."""
    return {
        name: f"**{text}**" if name == best else f"*{text}*" if name in ties else text
        for name, text in values.items()
    }


def method_table(
    caption: str,
    methods: Sequence[str],
    datasets: Sequence[str],
    cell: Callable[[str, str], str],
    *,
    label: Callable[[str], str] = str,
    name: str = "",
) -> Table:
    """Return a table of what `cell` says of each method, a row, on each data set, a column."""
    rows = tuple((label(each), *(cell(dataset, each) for dataset in datasets)) for each in methods)
    return Table(caption, ("Method", *map(title_of, datasets)), rows, name)
