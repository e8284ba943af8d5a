"""The scores along a path of weights, where one was asked for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..charts import Line, line_chart
from .inputs import Inputs

#: Features that have a line of their own, the selected first.
MOST_LINES = 40


@dataclass(frozen=True)
class Weights:
    """The section of the path."""

    counts: str  #: How many features have a score over lam.
    scores: str  #: The scores of the first features over lam.
    #: How many features have a line, and how many lams there are.
    n_lines: int
    n_weights: int
    #: The relative weight of the trace, and the largest relative gap.
    eta: float
    gap: float


def weights_of(inputs: Inputs) -> Weights | None:
    """Return how the scores change with lam, or None where that was not asked for."""
    path = inputs.lam_path
    if path is None:
        return None
    some = np.flatnonzero(path.lams > 0.0)[::-1]
    lams, counts, scores = path.relative_lams[some], path.n_nonzero[0, some], path.scores[0, some]
    tips = [
        f"lam = {lam:.3g}\n{count:,} features with a score"
        for lam, count in zip(lams.tolist(), counts.tolist(), strict=True)
    ]
    features = inputs.order[:MOST_LINES]
    lines = [
        Line(
            "selected" if place < inputs.selected.size else "rest",
            lams,
            scores[:, feature],
            [f"{inputs.name(feature)}\nlam = {lam:.3g}" for lam in lams.tolist()],
        )
        for place, feature in enumerate(features.tolist())
    ]
    return Weights(
        counts=line_chart(
            [Line("value", lams, counts.astype(float), tips)],
            label="Number of features with a score over lam, logarithmic.",
            log_x=True,
        ),
        scores=line_chart(
            lines[::-1], label="Scores of the first features over lam, logarithmic.", log_x=True
        ),
        n_lines=features.size,
        n_weights=some.size,
        eta=float(path.relative_etas[0]),
        gap=float(path.gaps[0].max()),
    )
