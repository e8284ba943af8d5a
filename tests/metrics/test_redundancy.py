"""Redundancy on data whose correlations are known."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone.metrics import redundancy

# Columns: two orthogonal contrasts a and b, 3 - 2a, a + b, a constant.
A = np.array([1.0, 1.0, -1.0, -1.0])
B = np.array([1.0, -1.0, 1.0, -1.0])
X = np.column_stack([A, B, 3.0 - 2.0 * A, A + B, np.full(4, 0.1)])


@pytest.mark.parametrize(
    ("selected", "expected"),
    [
        pytest.param([0, 1], 0.0, id="orthogonal"),
        pytest.param([0, 2], 1.0, id="opposite-counts-as-repeated"),
        pytest.param([0, 3], np.sqrt(0.5), id="half-shared"),
        pytest.param([0, 1, 2], 1 / 3, id="one-of-three-pairs"),
        pytest.param([0, 2, 4], 1 / 3, id="constant-correlates-with-nothing"),
        pytest.param([4, 0], 0.0, id="constant-and-one"),
        pytest.param([3], 0.0, id="single"),
    ],
)
def test_hand_worked_cases(selected, expected):
    assert redundancy(X, selected) == pytest.approx(expected, abs=1e-15)


def test_agrees_with_numpy_and_ignores_scale_and_order():
    rng = np.random.default_rng(0)
    data = rng.normal(size=(40, 6)) @ rng.normal(size=(6, 6)) + 100.0
    correlation = np.abs(np.corrcoef(data, rowvar=False))
    expected = correlation[np.triu_indices(6, k=1)].mean()
    assert redundancy(data, np.arange(6)) == pytest.approx(expected, rel=1e-10)
    scaled = data * np.array([1e-200, 1.0, 1e150, -3.0, 1e8, 0.5])
    assert redundancy(scaled, [5, 3, 1, 0, 2, 4]) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize(
    ("selected", "message"),
    [
        pytest.param([], "non-empty 1-D", id="empty"),
        pytest.param([[0, 1]], "non-empty 1-D", id="two-dimensional"),
        pytest.param([True, False, True, False, False], "np.flatnonzero", id="mask"),
        pytest.param([0.0, 1.0], "integer indices", id="floats"),
        pytest.param([1, 2, 3, 4, 5], "not ranks such as ranking_", id="ranks"),
        pytest.param([-1, 0], "count from 0", id="negative"),
        pytest.param([1, 1], "more than once", id="repeated"),
    ],
)
def test_refuses_what_is_no_selection(selected, message):
    with pytest.raises(ValueError, match=message):
        redundancy(X, selected)
