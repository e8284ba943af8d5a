"""Several methods on the same data: what each explains at every number, and what they share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..charts import Line, line_chart
from ..linalg.types import Array
from ..selectors.base import Selector
from ..selectors.ceiling import ceiling
from .cuts import Cuts, n_tried
from .features import as_json, listed_names, thousandths
from .inputs import Inputs

#: Numbers of features, at least where there are so many, that are compared.
FEWEST = 100


@dataclass(frozen=True)
class MethodFigures:
    """One method at its own number of features; shares are in percent."""

    name: str
    kind: str
    n_selected: int
    explained: float
    overlap: float
    seconds: float | None
    evaluation: tuple[float, float, float] | None


@dataclass(frozen=True, eq=False)
class Compared:
    """Fitted selectors by name, on the data of the inputs, whose selector is the first of them."""

    inputs: Inputs
    selectors: Mapping[str, Selector]
    seconds: Mapping[str, float]
    evaluation: Mapping[str, tuple[float, float, float]]

    @cached_property
    def most(self) -> int:
        """Return up to how many features the methods are compared."""
        largest = max(selector.selected_.size for selector in self.selectors.values())
        wanted = max(FEWEST, int(largest))
        return min(wanted, n_tried(self.inputs.rows, wanted))

    @property
    def selected(self) -> int:
        """Return the number of features at which the page opens."""
        return min(self.most, int(self.inputs.selected.size))

    @cached_property
    def orders(self) -> list[Array]:
        """All features in the order of each method."""
        return [np.argsort(selector.ranking_) for selector in self.selectors.values()]

    @cached_property
    def explained(self) -> list[Array]:
        """Share of the variance that the first features of each method explain."""
        return [Cuts(self.inputs.rows, order[: self.most]).explained for order in self.orders]

    @cached_property
    def ceiling(self) -> Array:
        """No selection of so many features explains a larger share."""
        return ceiling(self.inputs.rows, self.most)

    @cached_property
    def overlaps(self) -> Array:
        """Share of the features that two methods have in common, of the number that is shown."""
        first = [set(order[: self.selected].tolist()) for order in self.orders]
        return np.array([[len(a & b) / self.selected for b in first] for a in first])

    @property
    def verdict(self) -> str:
        """Which method explains most at that number, in a sentence."""
        shares = [curve[self.selected - 1] for curve in self.explained]
        best = int(np.argmax(shares))
        return (
            f"With {self.selected:,} {'feature' if self.selected == 1 else 'features'} "
            f"{list(self.selectors)[best]} explains most, "
            f"{np.floor(1e3 * shares[best]) / 10:.1f} % of the variance of all; no "
            f"{self.selected:,} can explain more than "
            f"{np.ceil(1e3 * self.ceiling[self.selected - 1]) / 10:.1f} %."
        )

    def figures(self) -> list[MethodFigures]:
        """Return the methods as rows of a table."""
        return [
            MethodFigures(
                name=name,
                kind=kind_of(place),
                n_selected=int(selector.selected_.size),
                explained=100.0 * float(self.explained[place][self.selected - 1]),
                overlap=100.0 * float(self.overlaps[0, place]),
                seconds=self.seconds.get(name),
                evaluation=self.evaluation.get(name),
            )
            for place, (name, selector) in enumerate(self.selectors.items())
        ]

    def curves(self) -> str:
        """Return the chart of what every method explains, below the ceiling."""
        numbers = np.arange(1.0, self.most + 1)
        lines = [Line("most", numbers, 100.0 * self.ceiling)]
        for place, (name, shares) in enumerate(zip(self.selectors, self.explained, strict=True)):
            tips = [f"{name}\n{k + 1:,} features: {100 * s:.1f} %" for k, s in enumerate(shares)]
            lines.append(Line(kind_of(place), numbers, 100.0 * shares, tips))
        return line_chart(
            lines,
            label="Share of the variance that the first features of each method explain over their "
            "number, in percent, below the most that any so many can explain.",
            ends=(0.0, 100.0),
            cut=float(self.selected),
            height=240,
        )

    def as_json(self) -> str:
        """Return what the page needs: every feature that a method has among its first."""
        union = np.unique(np.concatenate([order[: self.most] for order in self.orders]))
        ranks = [selector.ranking_[union] for selector in self.selectors.values()]
        listed = np.argsort(np.sum(ranks, axis=0), kind="stable")
        return as_json(
            {
                "selected": self.selected,
                "least": 1,
                "most": self.most,
                "methods": list(self.selectors),
                "names": listed_names(self.inputs, union[listed]),
                "columns": union[listed].tolist(),
                "ranks": [rank[listed].tolist() for rank in ranks],
                "explained": [thousandths(shares) for shares in self.explained],
                "ceiling": np.ceil(1e3 * self.ceiling).astype(int).tolist(),
            }
        )


def kind_of(place: int) -> str:
    """Return the CSS class of a method: ten colours, and one for all beyond."""
    return f"class-{place}" if place < 10 else "class-other"
