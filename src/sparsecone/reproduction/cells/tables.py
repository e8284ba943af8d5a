"""What the page asks of the rows of the study: means over sets, by method and number of genes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..cell import Row
from .orders import EVERYTHING, METHODS
from .run import COUNTS
from .sets import SETS, CellSet

#: Numbers of genes of small panels, and of the usual selections.
SMALL = tuple(count for count in COUNTS if count <= 500)
LARGE = tuple(count for count in COUNTS if count > 500)


@dataclass(frozen=True)
class Rows:
    """The rows of the study."""

    rows: Sequence[Row]

    def of_all_cells(self) -> Rows:
        """Return the rows of all cells, without those of draws of them."""
        return Rows([row for row in self.rows if row["key"].endswith("/0")])

    def sets(self, *, clustered: bool, counts: bool = False) -> list[CellSet]:
        """Return the sets that have rows, and counts where these are asked for."""
        known = {row["dataset"] for row in self.rows}
        return [
            found
            for found in SETS
            if found.name in known
            and found.clustered == clustered
            and (found.has_counts or not counts)
        ]

    def methods(self, sets: Sequence[CellSet]) -> list[str]:
        """Return the methods that have a result on each of some sets."""
        return [
            method.name
            for method in METHODS
            if sets and all(self.values(each, method.name, "nmi") for each in sets)
        ]

    def values(self, cell_set: CellSet, method: str, measure: str) -> dict[int, float]:
        """Return a measure by number of genes, mean over draws; all genes have one for all."""
        found: dict[int, list[float]] = {}
        for row in self.rows:
            if row["dataset"] == cell_set.name and row["method"] == method:
                for count, scores in row.get("scores", {}).items():
                    found.setdefault(int(count), []).append(scores[measure])
        means = {count: float(np.mean(each)) for count, each in found.items()}
        if method == EVERYTHING and means:
            return dict.fromkeys(COUNTS, next(iter(means.values())))
        return means

    def mean(
        self, sets: Sequence[CellSet], method: str, measure: str, counts: Sequence[int]
    ) -> float:
        """Return the mean of a measure over sets and numbers of genes."""
        found = []
        for each in sets:
            values = self.values(each, method, measure)
            found += [values[count] for count in counts if count in values]
        return float(np.mean(found))

    def stability(self, sets: Sequence[CellSet], method: str, count: int) -> float | None:
        """Return the share of genes that halves of the cells share, in per cent."""
        names = {each.name for each in sets}
        found = [
            100.0 * row["stability"][str(count)]
            for row in self.rows
            if row["dataset"] in names
            and row["method"] == method
            and str(count) in row.get("stability", {})
        ]
        return float(np.mean(found)) if found else None

    def cost(self, cell_set: CellSet, method: str) -> Row | None:
        """Return the row of what an order of the genes costs."""
        for row in self.rows:
            if row["key"] == f"{cell_set.name}/{method}/cost":
                return row
        return None
