"""How many features to take: what each number explains, and the scores in the order of choice."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..charts import Line, line_chart, ranked_chart
from ..charts.ranked import BARRED
from .inputs import Inputs

#: Rows of the table that stand in the page itself, for readers without scripts and for print.
MOST_ROWS = 60


@dataclass(frozen=True)
class KeptFeature:
    """One selected feature; `share` is the length of its bar."""

    rank: int
    name: str
    column: int
    score: float
    share: float


@dataclass(frozen=True)
class ScorePanel:
    """A chart on a linear and on a logarithmic axis; the latter None where nothing is positive."""

    title: str
    linear: str
    log: str | None


@dataclass(frozen=True)
class Choice:
    """The sections of the number of features and of all features."""

    verdict: str  #: What the selected features explain.
    curve: str  #: What every number of features explains, with its ceiling.
    panels: list[ScorePanel]  #: The scores.
    sentence: str  #: What the scores at the cut say.
    rows: list[KeptFeature]  #: The first selected features.


def choice_of(inputs: Inputs) -> Choice:
    """Return what there is to know of the number of features."""
    n, n_selected = inputs.n_features, inputs.selected.size
    near = min(n, max(2 * n_selected, 30), BARRED)
    panels = []
    if n > BARRED and n_selected < near:
        panels.append(_panel(inputs, near, f"Scores of the first {near}, in the order of choice"))
    panels.append(_panel(inputs, n, f"Scores of all {n:,}, in the order of choice"))
    return Choice(verdict_of(inputs), _curve(inputs), panels, _sentence(inputs), _rows(inputs))


def verdict_of(inputs: Inputs) -> str:
    """Return what the selected features explain and what no others can, in a sentence.

    The first is rounded down and the second up. Where that is not affordable it speaks of the first
    of them.
    """
    cuts, n_selected = inputs.cuts, int(inputs.selected.size)
    number = min(n_selected, cuts.order.size)
    share, most = cuts.percent(number)
    if number < n_selected:
        these = f"The first {number:,} of the {n_selected:,} features explain"
    else:
        these = "1 feature explains" if number == 1 else f"{number:,} features explain"
    return (
        f"{these} {share:.1f} % of the variance of all; no {number:,} can explain more than "
        f"{most:.1f} %."
    )


def _curve(inputs: Inputs) -> str:
    cuts = inputs.cuts
    numbers = np.arange(1.0, cuts.order.size + 1)
    tips = [
        f"{k:,} features explain {100 * a:.1f} %\nno {k:,} explain more than {100 * b:.1f} %"
        for k, (a, b) in enumerate(zip(cuts.explained, cuts.ceiling, strict=True), start=1)
    ]
    return line_chart(
        [
            Line("most", numbers, 100.0 * cuts.ceiling),
            Line("value", numbers, 100.0 * cuts.explained, tips),
        ],
        label="Share of the variance that the first features explain over their number, in "
        "percent, below the most that any so many can explain.",
        ends=(0.0, 100.0),
        cut=float(min(inputs.selected.size, cuts.order.size)),
        height=220,
    )


def _panel(inputs: Inputs, n_ranks: int, title: str) -> ScorePanel:
    features = inputs.order[:n_ranks]
    values = inputs.drawn_scores[features]

    def chart(*, log: bool) -> str:
        scale = "logarithmic" if log else "linear"
        return ranked_chart(
            values,
            n_selected=inputs.selected.size,
            names=inputs.names(features[:BARRED]),
            label=f"{title}, {scale} axis; {inputs.selected.size:,} are selected.",
            log=log,
        )

    some = bool(np.any(values > 0.0)) and bool(np.all(values >= 0.0))
    return ScorePanel(title, chart(log=False), chart(log=True) if some else None)


def _sentence(inputs: Inputs) -> str:
    """Return what the scores say of the order and of the cut."""
    scores = inputs.selector.scores_[inputs.order]
    n_selected = inputs.selected.size
    n_zero = int(np.count_nonzero(scores == 0.0))
    if n_zero == scores.size:
        return "Every score is zero: nothing stands out. Features rank by what they explain."
    having = "1 feature has" if n_zero == 1 else f"{n_zero:,} features have"
    notes = f" {having} a score of exactly zero." if n_zero else ""
    n_selected_zero = int(np.count_nonzero(scores[:n_selected] == 0.0))
    if n_selected_zero:
        notes += (
            f" {n_selected_zero:,} of the selected are among them, for the variance they explain: "
            "a lower lam gives more features a score."
        )
    if np.any(np.diff(scores) > 0.0):
        notes += (
            " Ranks are not in the order of the scores: features that repeat others come later."
        )
    if n_selected == scores.size:
        return f"All features were kept.{notes}"
    last, following = scores[n_selected - 1], scores[n_selected]
    if last == following:
        return f"The last selected feature and the first that is not have equal scores.{notes}"
    return (
        f"The last selected feature has a score of {last:.4g}, the first that is not has "
        f"{following:.4g}.{notes}"
    )


def _rows(inputs: Inputs) -> list[KeptFeature]:
    drawn = inputs.drawn_scores
    low, high = min(0.0, float(drawn.min())), float(drawn.max())
    return [
        KeptFeature(
            rank=rank,
            name=inputs.name(feature),
            column=feature,
            score=float(inputs.selector.scores_[feature]),
            share=(float(drawn[feature]) - low) / (high - low) if high > low else 0.0,
        )
        for rank, feature in enumerate(inputs.selected[:MOST_ROWS].tolist(), start=1)
    ]
