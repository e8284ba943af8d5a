"""How much the selected features repeat one another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..charts import Cells, correlation_grid
from ..metrics.redundancy import correlations, mean_absolute_correlation
from .inputs import Inputs

#: Features in the picture, and features in the mean.
IN_PICTURE = 60
IN_MEAN = 300
#: Pairs that are named.
PAIRS = 5


@dataclass(frozen=True)
class Relations:
    """The section of the correlations."""

    picture: str  #: The matrix.
    #: How many of the best selected features are in the picture, and in the mean.
    n_shown: int
    n_meant: int
    mean: float  #: Mean absolute correlation.
    pairs: list[tuple[str, str, float]]  #: The pairs most alike.


def relations_of(inputs: Inputs) -> Relations | None:
    """Return the correlations of the selected features, or None for a single one."""
    meant = inputs.selected[:IN_MEAN]
    if meant.size < 2:
        return None
    matrix = correlations(inputs.columns(meant))
    shown = matrix[:IN_PICTURE, :IN_PICTURE]
    names = inputs.names(meant)
    picture = correlation_grid(
        Cells(shown, shown),
        names=names[: len(shown)],
        label=f"Correlation matrix of the {len(shown)} best selected features.",
    )
    return Relations(
        picture=picture,
        n_shown=len(shown),
        n_meant=meant.size,
        mean=mean_absolute_correlation(matrix),
        pairs=_pairs(matrix, names),
    )


def _pairs(matrix: np.ndarray, names: list[str]) -> list[tuple[str, str, float]]:
    """Return the pairs of largest absolute correlation."""
    first, second = np.triu_indices(len(matrix), k=1)
    values = matrix[first, second]
    best = np.argsort(-np.abs(values), kind="stable")[:PAIRS]
    return [(names[first[k]], names[second[k]], float(values[k])) for k in best]
