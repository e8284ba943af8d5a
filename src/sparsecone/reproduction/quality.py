"""A selection without classes: what it explains, how much it repeats itself, what it costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..data import as_rows
from ..metrics import redundancy
from ..metrics.evaluation import papers_counts
from ..selectors.ceiling import ceiling
from ..selectors.curve import explained_shares
from ..selectors.explained import explained_variance
from .cell import Row
from .measure import N_KEPT
from .sources import load_source


@dataclass(frozen=True)
class Quality:
    """A selection of one size without classes."""

    #: Share of the variance of left-out samples that the selected features do not predict. That
    #: of the samples themselves is zero as soon as there are more features than samples.
    unexplained: float
    #: What they explain of the samples themselves, as a share of the most that so many can.
    of_ceiling: float
    redundancy: float  #: Mean absolute correlation among them.
    seconds: float  #: Of the fit.


def measured_count(width: int) -> int:
    """Return the number of features at which a selection is measured without classes.

    Of the paper's, the largest that is kept and is no more than half of all.

    Examples
    --------
    >>> measured_count(617), measured_count(256), measured_count(64)
    (100, 90, 30)
    """
    return max(
        (count for count in papers_counts(width) if count <= min(N_KEPT, width // 2)),
        default=min(N_KEPT, width),
    )


def quality_of(dataset: str, rows: Sequence[Row], count: int) -> Quality:
    """Return the mean quality of the first features that some rows keep."""
    X = load_source(dataset, scaling=rows[0]["scaling"], seed=0, read=rows[0].get("read")).X
    samples = as_rows(X)
    selections = [np.asarray(row["selected"][:count]) for row in rows]
    shares = [explained_shares(samples, chosen)[-1] for chosen in selections]
    return Quality(
        1.0 - float(np.mean([explained_variance(samples, chosen) for chosen in selections])),
        float(np.mean(shares) / ceiling(samples, count)[-1]),
        float(np.mean([redundancy(X, chosen) for chosen in selections])),
        float(np.mean([row["seconds"] for row in rows])),
    )
