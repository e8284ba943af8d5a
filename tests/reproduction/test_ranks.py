"""Ranks and critical differences against numbers worked out by hand and printed ones."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import friedmanchisquare

from sparsecone.reproduction.ranks import (
    critical_difference,
    friedman_statistic,
    mean_ranks,
    rank_methods,
)

#: The example of Demsar (2006), table 6: mean ranks of four classifiers on 14 data sets.
DEMSAR = np.array([3.143, 2.000, 2.893, 1.964])


def test_ranks_by_hand() -> None:
    table = np.array([[90.0, 80.0, 70.0], [50.0, 60.0, 60.0], [10.0, 20.0, 30.0]])
    # First row 1 2 3; second 3 and a tie of 1 and 2; third 3 2 1.
    assert mean_ranks(table).tolist() == pytest.approx([7 / 3, 5.5 / 3, 5.5 / 3])


def test_friedman_statistic_of_the_printed_example() -> None:
    assert friedman_statistic(DEMSAR, 14) == pytest.approx(9.28, abs=0.02)


@pytest.mark.parametrize(
    ("n_methods", "level", "quantile"),
    [(2, 0.05, 1.960), (4, 0.05, 2.569), (4, 0.10, 2.291), (10, 0.05, 3.164)],
)
def test_quantiles_of_the_printed_table(n_methods: int, level: float, quantile: float) -> None:
    # With k (k + 1) / (6 N) = 1 the critical difference is the quantile.
    difference = critical_difference(n_methods, n_methods * (n_methods + 1), level)
    assert difference * np.sqrt(6.0) == pytest.approx(quantile, abs=1e-3)


def test_critical_difference_of_the_printed_example() -> None:
    assert critical_difference(4, 14) == pytest.approx(1.25, abs=5e-3)
    assert critical_difference(4, 14, 0.10) == pytest.approx(1.12, abs=5e-3)


def test_best_comes_first_and_the_test_is_that_of_scipy() -> None:
    rng = np.random.default_rng(0)
    values = {name: rng.normal(shift, 1.0, 12) for shift, name in enumerate("abcd")}
    ranking = rank_methods(values)
    assert next(iter(ranking.mean_ranks)) == "d"
    assert sum(ranking.mean_ranks.values()) == pytest.approx(10.0)
    assert ranking.n_datasets == 12
    assert ranking.p_value == pytest.approx(friedmanchisquare(*values.values()).pvalue)


def test_groups_are_joined_only_within_the_critical_difference() -> None:
    ranking = rank_methods({name: [-float(place)] * 9 for place, name in enumerate("abcd")})
    assert ranking.critical == pytest.approx(2.569 * np.sqrt(20 / 54), abs=1e-3)  # 1.56
    assert ranking.groups() == [("a", "b"), ("b", "c"), ("c", "d")]
