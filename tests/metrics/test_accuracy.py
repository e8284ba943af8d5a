"""Clustering accuracy against hand-worked cases and the brute-force best matching."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparsecone.metrics import clustering_accuracy

label_pairs = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=30)


@pytest.mark.parametrize(
    ("classes", "clusters", "expected"),
    [
        pytest.param([0, 0, 1, 1], [1, 1, 0, 0], 1.0, id="renamed"),
        pytest.param(["b", "a", "a"], [2, 7, 7], 1.0, id="text-classes"),
        pytest.param([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 1], 4 / 6, id="fewer-clusters"),
        pytest.param([0, 0, 0, 1, 1, 1], [0, 0, 1, 2, 2, 3], 4 / 6, id="more-clusters"),
        pytest.param([0, 0, 1, 2], [3, 3, 3, 3], 2 / 4, id="one-cluster"),
        pytest.param([5, 5, 5, 5], [0, 1, 1, 2], 2 / 4, id="one-class"),
        pytest.param([0, 1, 2], [0, 9, 4], 1.0, id="gaps-from-empty-clusters"),
        pytest.param([0], [1], 1.0, id="one-sample"),
        # Matching each cluster to its largest class would give cluster 0 and 1 the same class.
        pytest.param([0, 0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 1, 0], 4 / 7, id="not-greedy"),
    ],
)
def test_hand_worked_cases(classes, clusters, expected):
    assert clustering_accuracy(classes, clusters) == pytest.approx(expected, abs=1e-15)


@given(label_pairs)
def test_equals_the_best_of_all_matchings(pairs):
    classes, clusters = np.array(pairs).T
    best = max(np.mean(np.array(names)[clusters] == classes) for names in permutations(range(5)))
    assert clustering_accuracy(classes, clusters) == pytest.approx(best, abs=1e-15)


@given(label_pairs)
def test_is_symmetric_and_bounded(pairs):
    classes, clusters = np.array(pairs).T
    accuracy = clustering_accuracy(classes, clusters)
    assert 0.0 < accuracy <= 1.0
    assert accuracy == clustering_accuracy(clusters, classes)


def test_refuses_labels_it_cannot_compare():
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        clustering_accuracy([0, 1], [0, 1, 1])
    with pytest.raises(ValueError, match="no samples is undefined"):
        clustering_accuracy([], [])
