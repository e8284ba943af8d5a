"""The rows of one experiment, and the questions that its tables and figures ask of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Self

import numpy as np

from .cell import Cell, Row
from .measure import EMPTY, FAILED
from .methods import CONTROLS, all_methods
from .significance import Mean
from .versions import newest_version

Measure = Literal["acc", "nmi"]
MEASURES: tuple[Measure, ...] = ("acc", "nmi")
#: The load of a machine on which one process runs, and next to nothing besides.
ALONE = 1.5


def is_empty(row: Row) -> bool:
    """Return whether a cell selected nothing: a zero matrix, or no feature with a positive score.

    Examples
    --------
    >>> is_empty({"status": "empty"}), is_empty({"status": "stalled", "rank": 0})
    (True, True)
    """
    return row["status"] == EMPTY or row.get("rank") == 0 or row.get("n_nonzero") == 0


def is_timing(row: Row) -> bool:
    """Return whether a cell ran for its time: alone on the machine, repeated, without scores."""
    return bool(row.get("repeats", 1) > 1)


@dataclass(frozen=True)
class Score:
    """Clustering accuracy and information of one setting, in percent, over its seeds and runs."""

    n_features: int
    acc: float
    acc_std: float
    nmi: float
    nmi_std: float
    rows: tuple[Row, ...]

    def mean(self, measure: Measure) -> float:
        """Return the mean of one of the two."""
        return self.acc if measure == "acc" else self.nmi

    def std(self, measure: Measure) -> float:
        """Return the standard deviation of one of the two."""
        return self.acc_std if measure == "acc" else self.nmi_std

    def estimate(self, measure: Measure) -> Mean:
        """Return the mean with its standard error: over seeds, or over the runs of a single one."""
        if len(self.rows) > 1:
            means = [_entry(row, self.n_features)[f"{measure}_mean"] for row in self.rows]
            error = float(np.std(means, ddof=1) / np.sqrt(len(means)))
            return Mean(self.mean(measure), error, len(means))
        entry = _entry(self.rows[0], self.n_features)
        count = int(entry["n_runs"] if "n_runs" in entry else self.rows[0]["n_runs"])
        return Mean(self.mean(measure), self.std(measure) / np.sqrt(max(count, 1)), count)


@dataclass(frozen=True)
class Results:
    """The rows of a plan, of one version of everything that made them."""

    rows: tuple[Row, ...]  #: Those that there are, empty and failed ones among them.
    missing: tuple[str, ...] = ()  #: Data sets of the plan that are not present.
    planned: tuple[Cell, ...] = ()  #: The cells of the plan.
    left_out: tuple[Row, ...] = ()  #: Rows of other versions, which no table or verdict looks at.

    @classmethod
    def gathered(
        cls, cells: Sequence[Cell], rows: Mapping[str, Row], missing: Sequence[str] = ()
    ) -> Self:
        """Return the rows of some cells, by their keys, that are of the newest version."""
        found = [rows[cell.key] for cell in cells if cell.key in rows]
        kept, left_out = newest_version(found)
        return cls(tuple(kept), tuple(missing), tuple(cells), tuple(left_out))

    def where(self, **conditions: Any) -> list[Row]:
        """Return the rows with a selection whose settings or parameters have these values.

        Empty and failed cells are in none of them, and so in no mean, rank or peak.
        """
        rows = self._by_place.get((conditions.pop("dataset", None), conditions.pop("method", None)))
        return [
            row
            for row in rows or ()
            if all(_setting(row, name) == value for name, value in conditions.items())
        ]

    @cached_property
    def _by_place(self) -> dict[tuple[str | None, str | None], list[Row]]:
        """Rows with a selection by data set and method, where None stands for any."""
        places: dict[tuple[str | None, str | None], list[Row]] = {}
        for row in self.rows:
            if row["status"] != FAILED and not is_empty(row) and not is_timing(row):
                for dataset in (row["dataset"], None):
                    for method in (row["method"], None):
                        places.setdefault((dataset, method), []).append(row)
        return places

    @cached_property
    def timings(self) -> list[Row]:
        """Rows that are there for their times and ran alone, failed ones among them."""
        return [row for row in self.rows if is_timing(row) and _ran_alone(row)]

    def unfinished(self, methods: Sequence[str]) -> set[str]:
        """Return the data sets on which cells of some methods have not run.

        A part of a grid is not compared with a whole one.
        """
        done = {row["key"] for row in (*self.rows, *self.left_out)}
        return {
            cell.dataset
            for cell in self.planned
            if cell.method in methods and not cell.is_timing and cell.key not in done
        }

    def datasets(self) -> list[str]:
        """Return the data sets with a result, in the order of the rows."""
        return list(dict.fromkeys(row["dataset"] for row in self.where()))

    def methods(self) -> list[str]:
        """Return the methods with a result, in the order of the registry, controls last."""
        found = {row["method"] for row in self.where()}
        order = list(all_methods())
        controls_last = [*(name for name in order if name not in CONTROLS), *CONTROLS]
        return [name for name in controls_last if name in found]

    def control_scores(self, dataset: str, n_features: int) -> dict[str, Score]:
        """Return what the controls reach on a data set; all features count for every number."""
        found = {}
        for control in CONTROLS:
            rows = self.where(dataset=dataset, method=control)
            score = best_score(rows, None if control == "All features" else n_features)
            if score is not None:
                found[control] = score
        return found


def scores_of(rows: Sequence[Row]) -> dict[int, Score]:
    """Return the scores of one setting, by number of features, pooled over its seeds.

    The variance is that within the runs of a seed plus that between seeds.
    """
    by_count: dict[int, list[Row]] = {}
    for row in rows:
        for score in row.get("scores", ()):
            by_count.setdefault(score["n_features"], []).append(score)
    return {
        count: Score(count, *_pool(scores, "acc"), *_pool(scores, "nmi"), tuple(rows))
        for count, scores in sorted(by_count.items())
    }


def best_score(
    rows: Sequence[Row], n_features: int | None, measure: Measure = "acc"
) -> Score | None:
    """Return the best score over all settings of a method on a data set, or None without any.

    Only `n_features` count, unless it is None.
    """
    candidates = [
        score
        for group in by_setting(rows)
        for count, score in scores_of(group).items()
        if n_features in (None, count)
    ]
    return max(candidates, key=lambda score: score.mean(measure), default=None)


def _entry(row: Row, n_features: int) -> Row:
    """Return the scores of a row for a number of features."""
    found: Row = next(e for e in row["scores"] if e["n_features"] == n_features)
    return found


def excess(end: Row, optimum: Row) -> float:
    """Return how far the objective of a row lies above the certified optimum, in percent."""
    return 100.0 * float(end["value"] - optimum["value"]) / float(optimum["value"])


def by_setting(rows: Iterable[Row]) -> list[list[Row]]:
    """Return rows that differ in nothing but the seed together."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        setting = [row["dataset"], row["method"], row["parameters"], row["scaling"]]
        setting.append(row.get("noise"))
        groups.setdefault(json.dumps(setting), []).append(row)
    return list(groups.values())


def _pool(scores: Sequence[Row], measure: Measure) -> tuple[float, float]:
    means = np.array([score[f"{measure}_mean"] for score in scores])
    variances = np.array([score[f"{measure}_std"] for score in scores]) ** 2
    return float(means.mean()), float(np.sqrt(variances.mean() + means.var()))


def _setting(row: Row, name: str) -> Any:
    return row[name] if name in row else row["parameters"].get(name)


def _ran_alone(row: Row) -> bool:
    """Return whether nothing else of weight ran; where a system tells no load, that is taken so."""
    load = row.get("machine", {}).get("load")
    return load is None or float(load) <= ALONE
