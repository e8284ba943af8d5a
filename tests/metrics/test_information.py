"""Normalised mutual information: the geometric mean, and labels that say nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparsecone.metrics import normalized_mutual_information


def entropy(labels):
    _, counts = np.unique(labels, return_counts=True, axis=0)
    shares = counts / counts.sum()
    return float(-(shares * np.log(shares)).sum())


def test_hand_worked_case():
    # I = H(l) = log 2; H(m) = 1.5 log 2; I / sqrt(H(m) H(l)) = sqrt(2 / 3), not 4 / 5.
    value = normalized_mutual_information([0, 0, 1, 1], [1, 1, 0, 2])
    assert value == pytest.approx(np.sqrt(2 / 3), rel=1e-12)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=40))
def test_is_the_papers_formula(pairs):
    labels = np.array(pairs)
    first, second, both = entropy(labels[:, 0]), entropy(labels[:, 1]), entropy(labels)
    value = normalized_mutual_information(labels[:, 0], labels[:, 1])
    if min(first, second) == 0.0:
        assert value == (1.0 if first == second else 0.0)
    else:
        expected = (first + second - both) / np.sqrt(first * second)
        assert value == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("classes", "clusters", "expected"),
    [
        pytest.param([0, 0, 1, 1], [3, 3, 3, 3], 0.0, id="one-cluster"),
        pytest.param([0, 0, 0], [0, 1, 2], 0.0, id="one-class"),
        pytest.param([2, 2, 2], [5, 5, 5], 1.0, id="one-of-each"),
        pytest.param(["a", "a", "b"], [1, 1, 0], 1.0, id="renamed"),
    ],
)
def test_labels_that_say_nothing_or_all(classes, clusters, expected):
    assert normalized_mutual_information(classes, clusters) == pytest.approx(expected, abs=1e-12)
