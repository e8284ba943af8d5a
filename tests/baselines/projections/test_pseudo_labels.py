"""The multiplicative update of pseudo-labels."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone.baselines.projections.pseudo_labels import PseudoLabels, first_labels, unit_columns


@pytest.mark.parametrize("gamma", [0.01, 1.0, 1e6])
@pytest.mark.parametrize("seed", range(4))
def test_no_update_raises_the_objective_whatever_the_matrix(gamma, seed):
    rng = np.random.default_rng(seed)
    matrix = rng.normal(size=(30, 30))
    matrix += matrix.T
    labels = PseudoLabels(lambda F: matrix @ F, gamma)
    F = unit_columns(rng.uniform(size=(30, 3)))
    values = [labels.value(F, matrix @ F)]
    for _ in range(50):
        F = labels.improve(F)
        values.append(labels.value(F, matrix @ F))
    assert np.all(np.diff(values) <= 0)
    assert values[-1] < values[0]
    assert F.min() >= 0


def test_a_large_weight_makes_columns_orthonormal():
    labels = PseudoLabels(lambda F: 0.0 * F, 1.0)
    F = unit_columns(np.random.default_rng(0).uniform(size=(30, 3)))
    for _ in range(500):
        F = labels.improve(F)
    np.testing.assert_allclose(F.T @ F, np.eye(3), atol=1e-3)


def test_the_start_knows_the_clusters_and_has_no_zeros():
    points = np.repeat([0.0, 5.0, 9.0], 10)[:, None]
    F = first_labels(points, 3, 0)
    assert F.min() > 0
    np.testing.assert_allclose(np.linalg.norm(F, axis=0), 1)
    assert np.unique(F.argmax(axis=1).reshape(3, 10), axis=1).shape == (3, 1)
