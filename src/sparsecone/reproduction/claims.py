"""What the paper claims, the test of each claim, and what came out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from .paper import DATASETS
from .ranks import LEVEL
from .section import Table
from .significance import holm, in_words
from .sources import title_of


class Outcome(StrEnum):
    """One of three words for a claim; nothing in between."""

    REPRODUCED = "reproduced"
    NOT_REPRODUCED = "not reproduced"
    UNTESTABLE = "not testable here"


@dataclass(frozen=True)
class Claim:
    """A claim of the paper, to which rows give a verdict."""

    where: str  #: Experiment or theorem.
    claim: str  #: What the paper says.
    test: str  #: How it is tested: written before the rows were.

    def judged(self, holds: bool, numbers: str) -> Verdict:
        """Return the verdict of a test that could be made."""
        outcome = Outcome.REPRODUCED if holds else Outcome.NOT_REPRODUCED
        return Verdict(**vars(self), numbers=numbers, outcome=outcome)

    def tested(self, p_values: Sequence[float], told: Sequence[str]) -> Verdict:
        """Return the verdict of several tests, each with its numbers: all must reject (Holm)."""
        corrected = holm(p_values)
        numbers = [f"{text}, {in_words(p)}" for text, p in zip(told, corrected, strict=True)]
        return self.judged(all(p < LEVEL for p in corrected), "; ".join(numbers))

    def untestable(self, why: str) -> Verdict:
        """Return that no test could be made, and why."""
        return Verdict(**vars(self), numbers=why, outcome=Outcome.UNTESTABLE)


@dataclass(frozen=True)
class Verdict(Claim):
    """A claim of the paper, and what the rows say of it."""

    numbers: str  #: What came out, or why nothing can.
    outcome: Outcome


def told_of(number: int, parts: Sequence[str], datasets: Iterable[str]) -> str:
    """Return numbers as one text that names the experiment's data sets without any.

    Examples
    --------
    >>> told_of(5, ["17 iterations"], ["pie"])
    '17 iterations; without Orlraws10P'
    """
    present = set(datasets)
    lacking = [title_of(name) for name in DATASETS[number] if name not in present]
    return "; ".join([*parts, *([f"without {', '.join(lacking)}"] if lacking else [])])


def verdict_table(verdicts: Sequence[Verdict]) -> Table:
    """Return the table that the page opens with: claim by claim."""
    counts = ", ".join(
        f"{sum(verdict.outcome is outcome for verdict in verdicts)} {outcome}"
        for outcome in Outcome
    )
    lines = tuple(
        (each.where, each.claim, each.test, each.numbers, f"**{each.outcome}**")
        for each in verdicts
    )
    caption = f"The paper's claims, the test of each, and the verdict: {counts}."
    return Table(
        caption, ("Where", "The paper's claim", "Test", "Numbers", "Verdict"), lines, "claims"
    )
