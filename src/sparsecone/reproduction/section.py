"""What an experiment has to say: sentences, tables and figures, in the order of the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .results import Results
from .sources import title_of


@dataclass(frozen=True)
class Table:
    """A table of text.

    Attributes
    ----------
    caption : str
        What it shows.
    columns : tuple of str
        Heads.
    rows : tuple of tuple of str
        Its cells.
    """

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Figure:
    """A figure.

    Attributes
    ----------
    name : str
        Stem of its file.
    caption : str
        What it shows.
    svg : str
        The picture itself.
    """

    name: str
    caption: str
    svg: str


@dataclass(frozen=True)
class Points:
    """Sentences that belong together, one below the other.

    Attributes
    ----------
    title : str
        What they are about.
    sentences : tuple of str
        The sentences.
    """

    title: str
    sentences: tuple[str, ...]


Block = str | Table | Figure | Points


def method_table(
    caption: str,
    methods: Sequence[str],
    datasets: Sequence[str],
    cell: Callable[[str, str], str],
    *,
    label: Callable[[str], str] = str,
) -> Table:
    """Return a table of what `cell` says of each method, a row, on each data set, a column."""
    rows = tuple((label(name), *(cell(dataset, name) for dataset in datasets)) for name in methods)
    return Table(caption, ("Method", *map(title_of, datasets)), rows)


@dataclass(frozen=True)
class Section:
    """The part of the page that belongs to one experiment."""

    number: int
    title: str
    claim: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Experiment:
    """One of the paper's experiments.

    Attributes
    ----------
    number : int
        Its number in the paper.
    title : str
        What it is about.
    claim : str
        What the paper concludes from it.
    report : callable
        Makes tables, figures and sentences from the rows.
    """

    number: int
    title: str
    claim: str
    report: Callable[[Results], Sequence[Block]]

    def section(self, results: Results) -> Section:
        """Return the section of the page for these results."""
        blocks = [*self.report(results), *results.remarks()]
        return Section(self.number, self.title, self.claim, tuple(blocks))
