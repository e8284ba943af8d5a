"""Ranks of methods over data sets: Friedman's test and Nemenyi's critical difference.

After Demsar, Statistical comparisons of classifiers over multiple data sets (2006).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import chi2, rankdata, studentized_range

from ..linalg.types import Array

#: Differences of mean ranks beyond the critical one come by chance in 5 % of all cases.
LEVEL = 0.05


@dataclass(frozen=True)
class Ranking:
    """Mean ranks, best first, and what chance may explain."""

    mean_ranks: dict[str, float]  #: The mean rank of each method; 1 is best.
    n_datasets: int  #: Number of data sets behind it.
    critical: float  #: Mean ranks that differ by less are not told apart (Nemenyi).
    p_value: float  #: Chance of ranks as different as these if all methods were equal (Friedman).

    def groups(self) -> list[tuple[str, ...]]:
        """Return the largest sets of methods that are not told apart.

        Examples
        --------
        >>> Ranking({"a": 1.0, "b": 1.5, "c": 2.5, "d": 4.0}, 9, 1.2, 0.01).groups()
        [('a', 'b'), ('b', 'c')]
        """
        names, ranks = list(self.mean_ranks), list(self.mean_ranks.values())
        found: list[tuple[str, ...]] = []
        reached = 0
        for start, rank in enumerate(ranks):
            end = sum(other - rank < self.critical for other in ranks)
            if end - start > 1 and end > reached:
                found.append(tuple(names[start:end]))
                reached = end
        return found


def rank_methods(values: Mapping[str, Sequence[float]]) -> Ranking:
    """Rank methods by their values, one a data set, larger is better; equal ones share ranks."""
    table = np.array(list(values.values()), dtype=float).T
    means = mean_ranks(table)
    n_datasets, n_methods = table.shape
    ordered = sorted(zip(values, means.tolist(), strict=True), key=lambda pair: pair[1])
    return Ranking(
        dict(ordered),
        n_datasets,
        critical_difference(n_methods, n_datasets),
        float(chi2.sf(friedman_statistic(means, n_datasets), n_methods - 1)),
    )


def mean_ranks(table: Array) -> Array:
    """Return the mean rank of each column, the largest value of a row being first.

    Examples
    --------
    >>> mean_ranks(np.array([[3.0, 2.0, 1.0], [5.0, 5.0, 1.0]])).tolist()
    [1.25, 1.75, 3.0]
    """
    return np.asarray(rankdata(-table, axis=1).mean(axis=0))


def friedman_statistic(ranks: Array, n_datasets: int) -> float:
    """Return Friedman's statistic, which is chi-squared where all methods are equal.

    12 N / (k (k + 1)) (sum_j R_j^2 - k (k + 1)^2 / 4) for the mean ranks R_j of k methods on N
    data sets.
    """
    k = ranks.size
    return float(12.0 * n_datasets / (k * (k + 1)) * (ranks @ ranks - k * (k + 1) ** 2 / 4.0))


def critical_difference(n_methods: int, n_datasets: int, level: float = LEVEL) -> float:
    """Return Nemenyi's critical difference of mean ranks, q sqrt(k (k + 1) / (6 N)).

    q is the quantile of the studentised range of k methods, divided by the root of 2.

    Examples
    --------
    >>> round(critical_difference(4, 14), 2)
    1.25
    """
    q = studentized_range.ppf(1.0 - level, n_methods, np.inf) / np.sqrt(2.0)
    return float(q * np.sqrt(n_methods * (n_methods + 1) / (6.0 * n_datasets)))
