"""Stability indices against hand-worked values."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparsecone.metrics import jaccard_stability, kuncheva_stability

RUNS = [[0, 1, 2, 3], [3, 2, 1, 4], [5, 6, 7, 0]]


def test_jaccard_is_the_mean_over_all_pairs():
    # Overlaps 3 of 5, 1 of 7 and 0 of 8.
    assert jaccard_stability(RUNS) == pytest.approx((3 / 5 + 1 / 7 + 0) / 3, rel=1e-14)


def test_kuncheva_is_the_mean_over_all_pairs():
    # d = 10, h = 4: (10 r - 16) / 24 for r = 3, 1, 0.
    expected = (14 / 24 - 6 / 24 - 16 / 24) / 3
    assert kuncheva_stability(RUNS, n_features=10) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize(
    ("runs", "n_features", "jaccard", "kuncheva"),
    [
        pytest.param([[2, 0], [0, 2]], 5, 1.0, 1.0, id="same"),
        pytest.param([[0, 1], [2, 3]], 4, 0.0, -1.0, id="opposite-halves"),
        pytest.param([[0, 1], [1, 2]], 4, 1 / 3, 0.0, id="overlap-of-chance"),
        pytest.param([[0, 1, 2], [2, 1, 0]], 3, 1.0, 0.0, id="no-choice"),
    ],
)
def test_limiting_cases(runs, n_features, jaccard, kuncheva):
    assert jaccard_stability(runs) == pytest.approx(jaccard, abs=1e-15)
    assert kuncheva_stability(runs, n_features=n_features) == pytest.approx(kuncheva, abs=1e-15)


@given(d=st.integers(3, 6), data=st.data())
def test_kuncheva_has_mean_zero_over_all_selections(d, data):
    """Against a fixed selection the average over all selections of its size is chance."""
    size = data.draw(st.integers(1, d - 1))
    fixed = list(range(size))
    every = [
        kuncheva_stability([fixed, other], n_features=d) for other in combinations(range(d), size)
    ]
    assert np.mean(every) == pytest.approx(0.0, abs=1e-14)
    assert min(every) >= -1.0
    assert max(every) == 1.0


def test_refuses_what_it_cannot_compare():
    with pytest.raises(ValueError, match="at least two runs, got 1"):
        jaccard_stability([[0, 1]])
    with pytest.raises(ValueError, match=r"one size, got sizes \[1, 2\]"):
        kuncheva_stability([[0], [0, 1]], n_features=4)
    with pytest.raises(ValueError, match="there are 4 features"):
        kuncheva_stability([[0], [4]], n_features=4)
