"""Draws of the synthetic sets at several levels of noise: where both shaped features are found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from .cell import Row
from .methods import all_methods
from .results import Results
from .significance import Mean

#: The first two features of every synthetic set form the shape; the others are noise.
SHAPED = {0, 1}


def pair_of(row: Row) -> list[int]:
    """Return the first two features of a selection."""
    return list(row["selected"][:2])


def is_right(row: Row) -> bool:
    """Return whether both shaped features come first."""
    return set(pair_of(row)) == SHAPED


@dataclass(frozen=True)
class Noise:
    """Whether the best setting of a method found both: by data set, method, seed and level."""

    found: Mapping[tuple[str, str, int, float], bool]

    @classmethod
    def of(cls, results: Results) -> Self:
        """Take for every draw the setting of best ACC, as the paper does."""
        best: dict[tuple[str, str, int, float], Row] = {}
        for row in results.where():
            if row.get("noise") is None or not row.get("scores") or "selected" not in row:
                continue
            place = (row["dataset"], row["method"], row["seed"], float(row["noise"]))
            if place not in best or _acc(row) > _acc(best[place]):
                best[place] = row
        chosen = {place: is_right(row) for place, row in best.items() if "All" not in place[1]}
        return cls(chosen)

    @cached_property
    def levels(self) -> list[float]:
        """Levels of noise, weakest first."""
        return sorted({level for *_, level in self.found})

    @cached_property
    def datasets(self) -> list[str]:
        """Data sets, in the order of the rows."""
        return list(dict.fromkeys(dataset for dataset, *_ in self.found))

    @cached_property
    def methods(self) -> list[str]:
        """Methods, in the order of the registry."""
        present = {method for _, method, *_ in self.found}
        return [method for method in all_methods() if method in present]

    def n_draws(self, dataset: str) -> int:
        """Return how many draws of a data set there are."""
        return len({seed for name, _, seed, _ in self.found if name == dataset})

    def rate(self, dataset: str, method: str, level: float) -> Mean | None:
        """Return the share of draws in which both were found, with its standard error."""
        outcomes = [
            right
            for (name, of, _, at), right in self.found.items()
            if (name, of, at) == (dataset, method, level)
        ]
        if not outcomes:
            return None
        share = float(np.mean(outcomes))
        return Mean(share, float(np.sqrt(share * (1.0 - share) / len(outcomes))), len(outcomes))

    def limit(self, dataset: str, method: str) -> float | None:
        """Return the strongest noise up to which both were found in every draw."""
        reached = None
        for level in self.levels:
            rate = self.rate(dataset, method, level)
            if rate is None or rate.value < 1.0:
                break
            reached = level
        return reached

    def leads(self, first: str, second: str) -> list[float]:
        """Return one method minus another, for every draw, in shares of the levels both have."""
        differences: dict[tuple[str, int], list[int]] = {}
        for (dataset, method, seed, level), right in self.found.items():
            other = self.found.get((dataset, second, seed, level))
            if method == first and other is not None:
                differences.setdefault((dataset, seed), []).append(int(right) - int(other))
        return [float(np.mean(values)) for values in differences.values()]


def _acc(row: Row) -> float:
    return float(row["scores"][0]["acc_mean"])
