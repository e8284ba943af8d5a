"""An experiment of the paper: what it claims, and what the rows say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .claims import Verdict
from .results import Results
from .section import Block


@dataclass(frozen=True)
class Section:
    """A part of the page; its number is that of an experiment, 0 for other parts."""

    number: int
    title: str
    verdicts: tuple[Verdict, ...]
    blocks: tuple[Block, ...]

    @property
    def heading(self) -> str:
        """What stands above it."""
        return f"Experiment {self.number}: {self.title}" if self.number else self.title

    @property
    def anchor(self) -> str:
        """Its name in links."""
        words = self.title.lower().split()
        return f"experiment-{self.number}" if self.number else "-".join(words)


@dataclass(frozen=True)
class Experiment:
    """One of the paper's experiments."""

    number: int  #: Its number in the paper.
    title: str  #: What it is about.
    judge: Callable[[Results], Sequence[Verdict]]  #: Tests the claims that the paper draws from it.
    #: Makes tables, figures and sentences from the rows.
    report: Callable[[Results], Sequence[Block]]

    def section(self, results: Results) -> Section:
        """Return the section of the page for these results."""
        verdicts, blocks = self.judge(results), self.report(results)
        return Section(self.number, self.title, tuple(verdicts), tuple(blocks))
