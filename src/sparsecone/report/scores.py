"""The scores with the cut, and the table of the selected features."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..charts import ranked_chart
from ..charts.ranked import BARRED
from .inputs import LONGEST_NAME, Inputs

#: Rows of the table; the files that hold a ranking have all of it.
MOST_ROWS = 1000
#: Characters of a full name under the pointer.
LONGEST_TITLE = 140


@dataclass(frozen=True)
class SelectedFeature:
    """One selected feature; `title` is its full name where `name` is not."""

    rank: int
    name: str
    title: str | None
    column: int
    score: float
    share: float
    frequency: float | None


@dataclass(frozen=True)
class ScorePanel:
    """A chart on a linear and on a logarithmic axis; the latter None where nothing is positive."""

    title: str
    linear: str
    log: str | None


@dataclass(frozen=True)
class Scores:
    """The section of the scores."""

    panels: list[ScorePanel]
    sentence: str
    rows: list[SelectedFeature]
    n_hidden: int


def scores_of(inputs: Inputs) -> Scores:
    """Return the section of the scores."""
    n, n_selected = inputs.n_features, inputs.selected.size
    near = min(n, max(2 * n_selected, 30), BARRED)
    panels = [_panel(inputs, n, f"All {n:,} scores, in the order of their ranks")]
    if n > BARRED and n_selected < near:
        panels.append(_panel(inputs, near, f"The first {near}, around the cut"))
    shown = inputs.selected[:MOST_ROWS]
    return Scores(panels, _sentence(inputs), _rows(inputs, shown), n_selected - shown.size)


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
    """Return what the scores at the cut say."""
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


def _rows(inputs: Inputs, features: np.ndarray) -> list[SelectedFeature]:
    scores = inputs.selector.scores_
    drawn = inputs.drawn_scores
    low, high = min(0.0, float(drawn.min())), float(drawn.max())
    frequencies = None if inputs.stability is None else inputs.stability.frequencies
    rows = []
    for rank, feature in enumerate(features.tolist(), start=1):
        name, title = inputs.name(feature), inputs.name(feature, LONGEST_TITLE)
        share = (float(drawn[feature]) - low) / (high - low) if high > low else 0.0
        rows.append(
            SelectedFeature(
                rank=rank,
                name=name,
                title=title if len(title) > LONGEST_NAME else None,
                column=feature,
                score=float(scores[feature]),
                share=share,
                frequency=None if frequencies is None else float(frequencies[feature]),
            )
        )
    return rows
