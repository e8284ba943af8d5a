"""What the study of label-free selections asks of the rows of its plans."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..linalg.types import Array
from .cell import Row
from .curves import EVERYTHING, Curves
from .quality import Quality, measured_count, quality_of
from .ranks import Ranking, rank_methods
from .results import Measure, Results, best_score
from .significance import Mean
from .sources import is_present

#: The selector with all of its defaults, which the study is about.
DEFAULT = "SPCA-PSD (auto)"
#: The paper's models by the paper's algorithm, the best of their settings by the classes.
LABELLED = ("SPCA-PSD (published)", "CSPCA-PSD (published)", "AW-SPCA-PSD (published)")
RANDOM = "Random subset"
#: A method may lack this share of the data sets and still be ranked, on those that all have.
MOST_LACKING = 0.25

ByCount = Mapping[int, float]


@dataclass(frozen=True)
class Study:
    """The results of a study: the data sets on which the default has run, and all methods."""

    results: Results
    _points: dict[tuple[str, str, Measure], dict[int, Mean]] = field(default_factory=dict)
    _unfinished: dict[str, set[str]] = field(default_factory=dict)

    @cached_property
    def datasets(self) -> list[str]:
        """Data sets, those without a result of the default left out."""
        return [
            name
            for name in self.results.datasets()
            if self.results.where(dataset=name, method=DEFAULT)
        ]

    @cached_property
    def methods(self) -> list[str]:
        """Methods with a result on one of the data sets."""
        return [
            method
            for method in self.results.methods()
            if any(self.curve(name, method, "acc") for name in self.datasets)
        ]

    def points(self, dataset: str, method: str, measure: Measure) -> dict[int, Mean]:
        """Return the scores by number of features with their errors, for each the best setting.

        There are none where cells of the method have not run: a part of a grid is not compared.
        """
        place = (dataset, method, measure)
        if place not in self._points:
            if method not in self._unfinished:
                self._unfinished[method] = self.results.unfinished([method])
            whole = dataset not in self._unfinished[method]
            best = self._curves.best(*place) if whole else {}
            self._points[place] = {n: score.estimate(measure) for n, score in best.items()}
        return self._points[place]

    def curve(self, dataset: str, method: str, measure: Measure) -> ByCount:
        """Return the scores by number of features, for each the best setting; may be empty."""
        points = self.points(dataset, method, measure)
        return {count: mean.value for count, mean in points.items()}

    @cached_property
    def _curves(self) -> Curves:
        return Curves(self.results)

    def mean(self, dataset: str, method: str, measure: Measure) -> float | None:
        """Return the mean over the numbers of features, None without a result."""
        curve = self.curve(dataset, method, measure)
        return float(np.mean(list(curve.values()))) if curve else None

    def means(self, method: str, measure: Measure) -> list[float]:
        """Return the means of all data sets that have one."""
        found = [self.mean(dataset, method, measure) for dataset in self.datasets]
        return [mean for mean in found if mean is not None]

    def lead(self, dataset: str, method: str, measure: Measure) -> float | None:
        """Return the default minus a method, over the numbers of features that both have."""
        ours, theirs = (self.curve(dataset, name, measure) for name in (DEFAULT, method))
        if method == EVERYTHING and theirs:
            theirs = dict.fromkeys(ours, *theirs.values())
        shared = ours.keys() & theirs.keys()
        if not shared:
            return None
        return float(np.mean([ours[count] - theirs[count] for count in sorted(shared)]))

    def leads(self, method: str, measure: Measure) -> dict[str, float]:
        """Return the default minus a method on every data set where both ran."""
        found = {name: self.lead(name, method, measure) for name in self.datasets}
        return {name: lead for name, lead in found.items() if lead is not None}

    def spread(self, dataset: str, measure: Measure) -> float | None:
        """Return the standard deviation between random subsets of their mean over the numbers."""
        rows = self.results.where(dataset=dataset, method=RANDOM)
        if len(rows) < 2:
            return None
        return float(np.std([_mean(row, measure) for row in rows if row.get("scores")], ddof=1))

    def luckiest(self, measure: Measure) -> list[float]:
        """Return what the best random subset for each number of features has, by the classes."""
        best = []
        for dataset in self.datasets:
            curves: dict[int, list[float]] = {}
            for row in self.results.where(dataset=dataset, method=RANDOM):
                for score in row["scores"]:
                    curves.setdefault(score["n_features"], []).append(score[f"{measure}_mean"])
            if curves:
                best.append(float(np.mean([max(values) for values in curves.values()])))
        return best

    def over_settings(
        self, method: str, measure: Measure, choice: Callable[[Array], float]
    ) -> list[float]:
        """Return for every data set a choice among the settings' means over the numbers."""
        chosen = []
        for dataset in self.leads(method, measure):
            rows = self.results.where(dataset=dataset, method=method)
            means = [_mean(row, measure) for row in rows if row.get("scores")]
            chosen.append(float(choice(np.array(means))))
        return chosen

    def ranking(self, measure: Measure) -> Ranking | None:
        """Return the ranks of the methods that (almost) all data sets have."""
        ranked = [
            method
            for method in self.methods
            if method != EVERYTHING
            and len(self.means(method, measure)) >= (1.0 - MOST_LACKING) * len(self.datasets)
        ]
        values: dict[str, list[float]] = {method: [] for method in ranked}
        for dataset in self.datasets:
            means = [self.mean(dataset, method, measure) for method in ranked]
            known = [mean for mean in means if mean is not None]
            if len(known) == len(ranked):
                for method, mean in zip(ranked, known, strict=True):
                    values[method].append(mean)
        return rank_methods(values) if len(values[DEFAULT]) > 1 and len(values) > 1 else None

    def quality(self, dataset: str, method: str) -> Quality | None:
        """Return how a selection does without classes, mean over its seeds."""
        rows = self.results.where(dataset=dataset, method=method)
        count = measured_count(rows[0]["shape"][1]) if rows else 0
        best = best_score(rows, None if method == EVERYTHING else count)
        whole = bool(self.points(dataset, method, "acc"))
        if best is None or not whole or method == EVERYTHING or not is_present(dataset):
            return None
        kept = [row for row in best.rows if "selected" in row]
        return quality_of(dataset, kept, count) if kept else None


def _mean(row: Row, measure: Measure) -> float:
    """Return the mean of a row over its numbers of features."""
    return float(np.mean([score[f"{measure}_mean"] for score in row["scores"]]))
