"""Scores over the numbers of features: the best setting of each method, or the best of a few."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import comb

import numpy as np

from . import figures
from .results import Measure, Results, Score, by_setting, scores_of
from .significance import Mean
from .sources import title_of

EVERYTHING = "All features"


@dataclass(frozen=True)
class Curves:
    """The curves of all methods on all data sets; empty and failed cells are in none."""

    results: Results
    _settings: dict[tuple[str, str], list[dict[int, Score]]] = field(default_factory=dict)

    def settings(self, dataset: str, method: str) -> list[dict[int, Score]]:
        """Return the scores of every setting that selected something, by number of features."""
        place = (dataset, method)
        if place not in self._settings:
            rows = self.results.where(dataset=dataset, method=method)
            found = [scores_of(group) for group in by_setting(rows)]
            self._settings[place] = [scores for scores in found if scores]
        return self._settings[place]

    def best(self, dataset: str, method: str, measure: Measure) -> dict[int, Score]:
        """Return for each number of features the best setting, as the paper does."""
        best: dict[int, Score] = {}
        for scores in self.settings(dataset, method):
            for count, score in scores.items():
                if count not in best or score.mean(measure) > best[count].mean(measure):
                    best[count] = score
        return dict(sorted(best.items()))

    def peak(self, dataset: str, method: str, measure: Measure) -> Score | None:
        """Return the highest point of a method's curve."""
        points = self.best(dataset, method, measure).values()
        return max(points, key=lambda score: score.mean(measure), default=None)

    def of_few(self, dataset: str, method: str, measure: Measure, n: int) -> dict[int, float]:
        """Return for each number of features the best of n random settings, in expectation."""
        values: dict[int, list[float]] = {}
        for scores in self.settings(dataset, method):
            for count, score in scores.items():
                values.setdefault(count, []).append(score.mean(measure))
        return {count: expected_best(found, n) for count, found in sorted(values.items())}

    def mean(self, dataset: str, method: str, measure: Measure) -> Mean | None:
        """Return the mean of the best curve over the numbers of features, with its error."""
        points = [s.estimate(measure) for s in self.best(dataset, method, measure).values()]
        if not points:
            return None
        error = float(np.sqrt(sum(point.error**2 for point in points)) / len(points))
        value = float(np.mean([point.value for point in points]))
        return Mean(value, error, min(point.count for point in points))

    def counts(self, dataset: str) -> list[int]:
        """Return the numbers of features of a data set; all of them have no place among them."""
        rows = [r for r in self.results.where(dataset=dataset) if r["method"] != EVERYTHING]
        return sorted({score["n_features"] for row in rows for score in row.get("scores", ())})


def expected_best(values: Sequence[float], n: int) -> float:
    """Return the expected largest of n of some values, drawn without putting back.

    With it methods that have more settings are compared at equal numbers of tries.

    Examples
    --------
    >>> expected_best([1.0, 2.0, 3.0], 1), expected_best([1.0, 2.0, 3.0], 3)
    (2.0, 3.0)
    """
    ordered = sorted(values)
    n = min(n, len(ordered))
    ways = [comb(place, n - 1) for place in range(len(ordered))]
    return float(np.dot(ordered, ways) / comb(len(ordered), n))


def score_panel(
    dataset: str,
    measure: Measure,
    curves: Mapping[str, Mapping[int, Mean]],
    counts: Sequence[int],
    *,
    label: Callable[[str], str] = str,
) -> figures.Panel:
    """Return the scores of methods over the numbers of features; all features are a level line."""
    drawn = []
    for method, curve in curves.items():
        if not curve:
            continue
        if method == EVERYTHING and counts:
            curve = dict.fromkeys((counts[0], counts[-1]), *curve.values())
        y, errors = [m.value for m in curve.values()], [m.error for m in curve.values()]
        drawn.append(figures.Curve(label(method), [*curve], y, method, errors))
    y_label = f"{measure.upper()} in %"
    return figures.Panel(title_of(dataset), drawn, "number of features", y_label)
