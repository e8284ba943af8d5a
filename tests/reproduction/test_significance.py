"""Tests of significance against SciPy on raw values and against numbers worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ttest_ind, wilcoxon

from sparsecone.reproduction.significance import Mean, fewest, holm, signed_rank, welch


def mean_of(values: np.ndarray) -> Mean:
    return Mean(float(values.mean()), float(values.std(ddof=1) / np.sqrt(values.size)), values.size)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_welch_is_that_of_the_values_behind_the_means(alternative: str) -> None:
    rng = np.random.default_rng(0)
    first, second = rng.normal(50.0, 2.0, 30), rng.normal(51.0, 4.0, 12)
    expected = ttest_ind(first, second, equal_var=False, alternative=alternative).pvalue
    found = welch(mean_of(first), mean_of(second), alternative)  # type: ignore[arg-type]
    assert found == pytest.approx(expected)


def test_means_without_spread_differ_or_do_not() -> None:
    same, other = Mean(50.0, 0.0, 10), Mean(51.0, 0.0, 10)
    assert welch(same, same) == 1.0
    assert welch(same, other) == 0.0
    assert welch(same, other, "less") == 0.0
    assert welch(same, other, "greater") == 1.0
    assert np.isnan(welch(Mean(50.0, 0.0, 1), other))


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("n", [3, 8, 15, 16, 30])
def test_signed_ranks_are_those_of_scipy(alternative: str, n: int) -> None:
    differences = np.random.default_rng(n).normal(0.4, 1.0, n).tolist()
    expected = wilcoxon(differences, alternative=alternative).pvalue
    assert signed_rank(differences, alternative) == pytest.approx(expected)  # type: ignore[arg-type]


def test_ties_are_counted() -> None:
    # Ranks 1.5, 1.5 and 3: of eight patterns of signs (+ + +) and (- + +), (+ - +) reach 4.5.
    assert signed_rank([-1.0, 1.0, 2.0]) == pytest.approx(3 / 8)
    assert signed_rank([0.0, 0.0]) == 1.0
    assert np.isnan(signed_rank([]))


@pytest.mark.parametrize(
    ("alternative", "n_tests"), [("greater", 1), ("two-sided", 1), ("greater", 2)]
)
def test_with_one_fewer_the_test_can_reject_nothing(alternative: str, n_tests: int) -> None:
    n = fewest(alternative, n_tests)  # type: ignore[arg-type]
    enough, too_few = ([float(k) for k in range(1, m + 1)] for m in (n, n - 1))
    assert n_tests * signed_rank(enough, alternative) < 0.05  # type: ignore[arg-type]
    assert n_tests * signed_rank(too_few, alternative) >= 0.05  # type: ignore[arg-type]


def test_holm_never_falls_below_bonferroni_of_the_rest() -> None:
    # By hand: 4 * 0.005; 3 * 0.011; max(0.033, 2 * 0.02); 0.06.
    assert holm([0.02, 0.005, 0.06, 0.011]) == pytest.approx([0.04, 0.02, 0.06, 0.033])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    with_gap = holm([float("nan"), 0.03])
    assert np.isnan(with_gap[0])
    assert with_gap[1] == pytest.approx(0.03)
