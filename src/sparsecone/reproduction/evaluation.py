"""Clustering scores of selections, each set of features clustered once for all cells.

Many settings select the same features. A score names the set it belongs to, so that the rows that
there are tell which sets have their scores already: nothing else is kept, and nothing is lost with
a run that is killed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from ..datasets import Dataset
from ..metrics import evaluate_selection
from ..metrics.evaluation import papers_counts
from .cell import Cell, Row

#: Scores by the name of the set of features.
Known = Mapping[str, Row]

#: Decimals of a score in percent.
DECIMALS = 4


class Evaluations:
    """The scores that some rows have, by data and protocol, and by set of features."""

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self._found: dict[str, dict[str, Row]] = {}
        for row in rows:
            self.add(row)

    def add(self, row: Row) -> None:
        """Remember the scores of a row; those of earlier versions do not name their features."""
        scores = self._found.setdefault(_protocol(row), {})
        for score in row.get("scores", ()):
            if "features" in score:
                scores[score["features"]] = score

    def of(self, cell: Cell) -> Known:
        """Return the scores that hold for a cell as well."""
        return self._found.get(_protocol(cell.settings()), {})


def evaluate(
    cell: Cell, dataset: Dataset, order: Any, *, counts: Iterable[int], known: Known
) -> list[Row]:
    """Return the clustering scores of the first features, one entry a number of features.

    `order` has all features, the best first; sets in `known` need not be clustered again.
    """
    if dataset.y is None:
        raise ValueError("without classes there is nothing to evaluate: n_runs = 0, or a label")
    scores = []
    for count in counts:
        # In the order of the data: the scores are those of the set, to the last digit.
        chosen = np.sort(order[:count])
        name = name_of_set(chosen, dataset)
        if name in known:
            scores.append(dict(known[name]))
            continue
        (found,) = evaluate_selection(
            *(dataset.X, dataset.y, chosen),
            n_features=[count],
            n_runs=cell.n_runs,
            random_state=cell.seed,
        )
        rounded = {key: round(value, DECIMALS) for key, value in asdict(found).items()}
        scores.append({**rounded, "n_runs": cell.n_runs, "features": name})
    return scores


def name_of_set(features: Any, dataset: Dataset) -> str:
    """Return a short name that a set of features of some data has, and no other.

    Examples
    --------
    >>> X = np.eye(3)
    >>> name_of_set([0, 2], Dataset("a", X, None)) == name_of_set([2, 0], Dataset("a", X, None))
    True
    >>> name_of_set([0, 2], Dataset("a", X, None)) == name_of_set([0, 2], Dataset("a", -X, None))
    False
    """
    chosen = np.sort(features)
    digest = hashlib.sha256(chosen.astype("<i4").tobytes())
    digest.update(np.ascontiguousarray(dataset.X[:, chosen], dtype="<f8").tobytes())
    return digest.hexdigest()[:12]


def counts_of(cell: Cell, width: int, *, n_scored: int | None) -> list[int]:
    """Return the numbers of features at which a cell is evaluated: its own, or the paper's.

    A method that goes by its scores alone has an opinion on `n_scored` features, and no more are
    evaluated; None is for one that fills up by a rule of its own.
    """
    if cell.method == "All features":
        return [width]
    if "n_features_to_select" in cell.parameters:
        # The scores depend on the number asked for: they count for that number only.
        return [int(cell.parameters["n_features_to_select"])]
    wanted = cell.n_features or papers_counts(width)
    counts = [count for count in wanted if count <= width] or [width]
    return counts if n_scored is None else [count for count in counts if count <= n_scored]


def _protocol(settings: Row) -> str:
    """Return what two evaluations of the same features must have in common."""
    names = ("dataset", "scaling", "noise", "seed", "n_runs", "read")
    return json.dumps({name: settings.get(name) for name in names}, sort_keys=True)
