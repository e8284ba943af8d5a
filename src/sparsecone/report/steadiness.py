"""How far the selection is the same on subsamples."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..charts import ranked_chart
from .inputs import Inputs

#: Ranks in the chart, at least and at most.
FEWEST, MOST = 30, 400


@dataclass(frozen=True)
class Steadiness:
    """The section of the stability."""

    chart: str  #: How often each feature was selected, in rank order.
    n_shown: int  #: How many ranks it shows.
    #: Overlap of the selections, corrected for chance; None where it is not defined.
    kuncheva: float | None
    n_always: int  #: Selected features that every subsample selected.


def steadiness_of(inputs: Inputs) -> Steadiness | None:
    """Return how stable the selection is, or None where that was not asked for."""
    if inputs.stability is None:
        return None
    frequencies = inputs.stability.frequencies
    n_selected = inputs.selected.size
    features = inputs.order[: min(max(2 * n_selected, FEWEST), MOST)]
    chart = ranked_chart(
        100.0 * frequencies[features],
        n_selected=min(n_selected, features.size),
        names=inputs.names(features),
        top=100.0,
        label="Share of the subsamples that selected each feature, in rank order.",
    )
    always = int((frequencies[inputs.selected] >= 1.0).sum())
    kuncheva = float(inputs.stability.kuncheva)
    return Steadiness(chart, features.size, None if math.isnan(kuncheva) else kuncheva, always)
