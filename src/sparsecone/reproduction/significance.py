"""Tests of significance for verdicts: fixed here, before any row is looked at.

Means of k-means runs are compared with Welch's test on their standard errors, methods over data
sets with Wilcoxon's signed-rank test on one difference a data set (sizes of one data set are not
independent of each other), and several tests of one claim share the level by Holm's correction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.stats import rankdata, ttest_ind_from_stats, wilcoxon

from .ranks import LEVEL

# Signs of more differences are too many to count.
_COUNTED = 15

Direction = Literal["two-sided", "greater", "less"]


@dataclass(frozen=True)
class Mean:
    """A mean, its standard error, and of how many values it is the mean."""

    value: float
    error: float
    count: int


def welch(first: Mean, second: Mean, alternative: Direction = "two-sided") -> float:
    """Return the p-value of Welch's test that two means differ, as the alternative says.

    Examples
    --------
    >>> round(welch(Mean(62.36, 0.232, 30), Mean(60.0, 0.25, 30)), 9)
    4e-09
    >>> welch(Mean(50.0, 0.0, 10), Mean(50.0, 0.0, 10))
    1.0
    """
    if min(first.count, second.count) < 2:
        return float("nan")
    if first.error == second.error == 0.0:
        return _without_spread(first.value - second.value, alternative)
    parts = [(m.value, m.error * np.sqrt(m.count), m.count) for m in (first, second)]
    found = ttest_ind_from_stats(*parts[0], *parts[1], equal_var=False, alternative=alternative)
    return float(found.pvalue)


def _without_spread(difference: float, alternative: Direction) -> float:
    """Return 0 where means without any spread differ as the alternative says."""
    differs = {
        "two-sided": difference != 0.0,
        "greater": difference > 0.0,
        "less": difference < 0.0,
    }
    return float(not differs[alternative])


def signed_rank(differences: Sequence[float], alternative: Direction = "greater") -> float:
    """Return the p-value of Wilcoxon's signed-rank test over differences, NaN for none.

    Up to 15 differences it is exact, ties included, by counting all signs that they could have.

    Examples
    --------
    >>> signed_rank([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    0.015625
    """
    values = np.array([value for value in differences if value != 0.0])
    if not differences:
        return float("nan")
    if not values.size:
        return 1.0
    if values.size > _COUNTED:
        return float(wilcoxon(values, alternative=alternative).pvalue)
    ranks = rankdata(np.abs(values))
    signs = np.arange(2**values.size)[:, np.newaxis] >> np.arange(values.size) & 1
    sums, found = signs @ ranks, ranks[values > 0.0].sum()
    above, below = float(np.mean(sums >= found - 1e-9)), float(np.mean(sums <= found + 1e-9))
    both = min(1.0, 2.0 * min(above, below))
    return {"greater": above, "less": below, "two-sided": both}[alternative]


def fewest(alternative: Direction = "greater", n_tests: int = 1) -> int:
    """Return how many differences a signed-rank test needs before it can reject anything.

    Examples
    --------
    >>> fewest(), fewest("two-sided"), fewest(n_tests=2)
    (5, 6, 6)
    """
    sides = 2 if alternative == "two-sided" else 1
    return int(np.ceil(np.log2(sides * n_tests / LEVEL)))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values that may each be compared with the level though there are several.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted = [float("nan")] * len(p_values)
    known = [place for place, p in enumerate(p_values) if not np.isnan(p)]
    reached = 0.0
    for passed, place in enumerate(sorted(known, key=lambda place: p_values[place])):
        reached = max(reached, min(1.0, (len(known) - passed) * p_values[place]))
        adjusted[place] = reached
    return adjusted


def in_words(p_value: float) -> str:
    """Return a p-value as the page writes it.

    Examples
    --------
    >>> in_words(0.03125), in_words(1e-9)
    ('p = 0.031', 'p < 0.0001')
    """
    return "p < 0.0001" if p_value < 1e-4 else f"p = {p_value:.2g}"
