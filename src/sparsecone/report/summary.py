"""What was asked and what was found."""

from __future__ import annotations

from dataclasses import dataclass

from ..selectors.reasons import fillers_of
from ..solve.solution import percent_above
from .inputs import Inputs

#: Names listed in the summary.
FIRST = 12


@dataclass(frozen=True)
class KeyFigure:
    """A number to be seen first, with what it is."""

    value: str
    caption: str


@dataclass(frozen=True)
class Summary:
    """The first section."""

    sentence: str  #: What was asked and found.
    figures: list[KeyFigure]  #: The numbers that matter.
    first: list[str]  #: The names of the best features.
    n_more: int  #: How many more were selected.


def summary_of(inputs: Inputs) -> Summary:
    """Return the summary of a selection."""
    n_selected, n_features = inputs.selected.size, inputs.n_features
    data = inputs.source or f"{inputs.n_samples:,} samples with {n_features:,} features"
    figures = [KeyFigure(f"{n_selected:,}", f"of {n_features:,} features selected")]
    figures += _explained(inputs) + _certified(inputs) + _times(inputs)
    kept = f"the best {n_selected:,}." if n_selected < n_features else "all of them."
    told = f"{inputs.method} ranked the features of {data}. It looked at no labels, and kept {kept}"
    return Summary(
        sentence=f"{told} {fillers_of(inputs.selector)}".strip(),
        figures=figures,
        first=inputs.names(inputs.selected[:FIRST]),
        n_more=max(0, n_selected - FIRST),
    )


def _explained(inputs: Inputs) -> list[KeyFigure]:
    """Return the share of the variance that the selected features explain, and its ceiling."""
    cuts, n_selected = inputs.cuts, int(inputs.selected.size)
    number = min(n_selected, cuts.order.size)
    share, most = cuts.percent(number)
    whose = "" if number == n_selected else f" by the first {number:,}"
    caption = f"of the variance explained{whose}; at most {most:.1f} % by any {number:,}"
    return [KeyFigure(f"{share:.1f} %", caption)]


def _certified(inputs: Inputs) -> list[KeyFigure]:
    solution = inputs.solution
    if solution is None:
        return []
    if solution.bound <= 0.0 and solution.gap > 0.0:
        return [KeyFigure("none", "proof of optimality")]
    gap = "0 %" if solution.gap == 0.0 else percent_above(solution.gap)
    return [KeyFigure(gap, "from the optimum, at most")]


def _times(inputs: Inputs) -> list[KeyFigure]:
    if inputs.solution is not None:
        return [KeyFigure(f"{inputs.solution.elapsed:.2f} s", "to fit")]
    if inputs.timings:
        return [KeyFigure(f"{sum(inputs.timings.values()):.2f} s", "in all")]
    return []
