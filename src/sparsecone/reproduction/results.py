"""The rows of one experiment, and the questions that its tables and figures ask of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from .cell import Row
from .measure import FAILED
from .methods import CONTROLS, all_methods
from .sources import how_to_get, title_of

Measure = Literal["acc", "nmi"]


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


@dataclass(frozen=True)
class Results:
    """The rows of a plan.

    Attributes
    ----------
    rows : tuple of Row
        Those that there are, failed ones among them.
    missing : tuple of str
        Data sets of the plan that are not present.
    n_cells : int
        Number of cells of the plan.
    """

    rows: tuple[Row, ...]
    missing: tuple[str, ...] = ()
    n_cells: int = 0

    def where(self, **conditions: Any) -> list[Row]:
        """Return the rows with a result whose settings or parameters have these values."""
        rows = self._by_place.get((conditions.pop("dataset", None), conditions.pop("method", None)))
        return [
            row
            for row in rows or ()
            if all(_setting(row, name) == value for name, value in conditions.items())
        ]

    @cached_property
    def _by_place(self) -> dict[tuple[str | None, str | None], list[Row]]:
        """Rows with a result by data set and method, where None stands for any."""
        places: dict[tuple[str | None, str | None], list[Row]] = {}
        for row in self.rows:
            if row["status"] != FAILED:
                for dataset in (row["dataset"], None):
                    for method in (row["method"], None):
                        places.setdefault((dataset, method), []).append(row)
        return places

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

    def remarks(self) -> list[str]:
        """Return what the reader must know about rows that are not there."""
        remarks = []
        if self.missing:
            sources = "; ".join(how_to_get(name) for name in self.missing)
            remarks.append(f"Not run, because the data are not in the data folder: {sources}.")
        n_present = sum(row["status"] != FAILED for row in self.rows)
        n_failed = len(self.rows) - n_present
        open_cells = self.n_cells - len(self.rows)
        if open_cells > 0:
            remarks.append(f"{open_cells} of the {self.n_cells} cells of the plan have not run.")
        if n_failed:
            remarks.append(f"{n_failed} cells failed: {_reasons(self.rows)}.")
        return remarks


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
    """Return the best score over all settings among some rows, or None where there is none.

    Parameters
    ----------
    rows : sequence of Row
        Rows of one data set and method.
    n_features : int or None
        The number of features that counts; None for any.
    measure : {"acc", "nmi"}
        What best means.
    """
    candidates = [
        score
        for group in by_setting(rows)
        for count, score in scores_of(group).items()
        if n_features in (None, count)
    ]
    return max(candidates, key=lambda score: score.mean(measure), default=None)


def excess(end: Row, optimum: Row) -> float:
    """Return how far the objective of a row lies above the certified optimum, in percent."""
    return 100.0 * float(end["value"] - optimum["value"]) / float(optimum["value"])


def by_setting(rows: Iterable[Row]) -> list[list[Row]]:
    """Return rows that differ in nothing but the seed together."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        setting = [row["dataset"], row["method"], row["parameters"], row["scaling"]]
        groups.setdefault(json.dumps(setting), []).append(row)
    return list(groups.values())


def _pool(scores: Sequence[Row], measure: Measure) -> tuple[float, float]:
    means = np.array([score[f"{measure}_mean"] for score in scores])
    variances = np.array([score[f"{measure}_std"] for score in scores]) ** 2
    return float(means.mean()), float(np.sqrt(variances.mean() + means.var()))


def _setting(row: Row, name: str) -> Any:
    return row[name] if name in row else row["parameters"].get(name)


def _reasons(rows: Iterable[Row]) -> str:
    """Return each reason with the methods and data sets that failed for it."""
    failed: dict[str, list[str]] = {}
    for row in rows:
        if row["status"] == FAILED:
            where = f"{row['method']} on {title_of(row['dataset'])}"
            failed.setdefault(row["reason"], []).append(where)
    return "; ".join(f"{', '.join(dict.fromkeys(who))} ({why})" for why, who in failed.items())
