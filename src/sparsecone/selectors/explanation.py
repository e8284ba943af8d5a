"""Who stands for whom: the selected feature closest to each, and why a feature was left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..data import Data
from ..linalg.threads import one_thread
from ..linalg.types import Array
from ..optional import require
from .parts import explained_parts

if TYPE_CHECKING:
    from .base import Selector

# Correlations from which on a feature is a copy, and is like another one.
COPY = 1.0 - 1e-6
ALIKE = 0.7


@dataclass(frozen=True)
class Explanation:
    """What the selected features say of all others; arrays have an entry a feature."""

    names: Array  #: Names of the features, or their indices.
    ranking: Array
    scores: Array
    n_selected: int
    #: The selected feature with the largest absolute correlation, other than the feature itself;
    #: -1 where there is none.
    closest: Array
    correlation: Array  #: That correlation; 0 for a constant feature.
    #: The share of its variance that all selected features explain, by a ridge regression.
    explained: Array
    varies: Array  #: Whether a feature varies.
    unscored: str  #: What a score of zero means.

    def reason(self, feature: int) -> str:
        """Return why a feature was left out, or that it was not."""
        rank, r = int(self.ranking[feature]), float(self.correlation[feature])
        if rank <= self.n_selected:
            return f"chosen {ordinal(rank)}"
        if not self.varies[feature]:
            return "constant"
        other = int(self.closest[feature])
        whom = f"{self.names[other]}, chosen {ordinal(int(self.ranking[other]))}"
        if abs(r) >= COPY:
            return f"copy of {whom}" if r > 0.0 else f"copy of {whom}, with the opposite sign"
        if abs(r) >= ALIKE:
            return f"{r:.2f} like {whom}"
        if self.explained[feature] >= ALIKE:
            return f"{100.0 * self.explained[feature]:.0f} % explained by the selected together"
        if self.scores[feature] == 0.0:
            return self.unscored
        return f"ranked {ordinal(rank)}, and {self.n_selected} are selected"

    def sentence(self, feature: int) -> str:
        """Return the reason, and what is known of a feature without it."""
        is_selected = self.ranking[feature] <= self.n_selected
        text = f"{self.names[feature]} is {'selected' if is_selected else 'left out'}: "
        text += self.reason(feature) + "."
        if is_selected or not self.varies[feature]:
            return text
        return (
            f"{text} The selected explain {100.0 * self.explained[feature]:.0f} % of its variance."
        )

    def table(self) -> Any:
        """Return all of it as a DataFrame, a row a feature."""
        pandas = require("pandas", purpose="A table of reasons", extra="cli")
        whom = [self.names[other] if other >= 0 else None for other in self.closest.tolist()]
        index = pandas.Index(self.names, name="feature")
        columns = {
            "rank": self.ranking,
            "selected": self.ranking <= self.n_selected,
            "score": self.scores,
            "closest": pandas.Series(whom, index=index, dtype=object),
            "correlation": self.correlation,
            "explained": self.explained,
            "reason": [self.reason(feature) for feature in range(self.names.size)],
        }
        return pandas.DataFrame(columns, index=index)


@one_thread()
def explain(data: Data, selector: Selector) -> Explanation:
    """Return the explanation of a fitted selector on some data.

    It takes the columns of S of the k selected features and O(d k^2); sparse data stay sparse.
    """
    selected, variances = selector.selected_, np.asarray(data.variances)
    columns, norms = data.gram_columns(selected), np.sqrt(variances)
    varies = variances > 0.0
    scale = np.zeros_like(norms)
    np.divide(1.0, norms, out=scale, where=varies)
    alike = scale[:, None] * columns * scale[selected]
    alike[selected, np.arange(selected.size)] = 0.0
    nearest = np.argmax(np.abs(alike), axis=1)
    correlation = np.clip(alike[np.arange(len(alike)), nearest], -1.0, 1.0)
    parts = explained_parts(data, selected, columns)
    explained = np.minimum(parts.sum(axis=0) * scale**2, 1.0)
    names = getattr(selector, "feature_names_in_", np.arange(data.n_features))
    return Explanation(
        names=np.asarray(names),
        ranking=selector.ranking_,
        scores=selector.scores_,
        n_selected=selected.size,
        closest=np.where(correlation == 0.0, -1, selected[nearest]),
        correlation=correlation,
        explained=explained,
        varies=varies,
        unscored=selector._unscored,
    )


def ordinal(number: int) -> str:
    """Return a number as a place in an order.

    Examples
    --------
    >>> [ordinal(number) for number in (1, 2, 3, 4, 11, 22, 113)]
    ['1st', '2nd', '3rd', '4th', '11th', '22nd', '113th']
    """
    teen = 10 <= number % 100 <= 20
    ending = "th" if teen else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
