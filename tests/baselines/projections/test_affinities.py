from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sparsecone.baselines.projections.affinities import (
    closed_form_affinities,
    nearest_affinities,
    project_onto_simplex,
    squared_distances,
)


@given(arrays(float, (3, 4), elements=st.floats(-100, 100)))
def test_projection_onto_the_simplex_meets_its_optimality_conditions(rows):
    projected = project_onto_simplex(rows)
    assert np.all(projected >= 0)
    np.testing.assert_allclose(projected.sum(axis=1), 1)
    # A multiplier a row: rows - projected equals it where positive, and is below it elsewhere.
    for row, point in zip(rows, projected, strict=True):
        multiplier = (row - point)[point > 0]
        np.testing.assert_allclose(multiplier, multiplier[0], atol=1e-9)
        assert np.all((row - point)[point == 0] <= multiplier[0] + 1e-9)


def test_closed_form_is_the_formula():
    X = np.random.default_rng(0).normal(size=(25, 4))
    distances = np.sort(np.sum((X[:, None] - X) ** 2, axis=2), axis=1)[:, 1:]
    affinities, r = closed_form_affinities(X, 3)
    denominators = 3 * distances[:, 3] - distances[:, :3].sum(axis=1)
    expected = (distances[:, 3:4] - distances[:, :3]) / denominators[:, None]
    np.testing.assert_allclose(affinities.weights, expected)
    assert np.isclose(r, np.mean(denominators) / 2)
    np.testing.assert_allclose(affinities.weights.sum(axis=1), 1)


def test_closed_form_solves_the_problem_of_its_row():
    X = np.random.default_rng(0).normal(size=(25, 4))
    affinities, _ = closed_form_affinities(X, 3)
    costs = np.sum((X[:1] - X[1:]) ** 2, axis=1)[None]
    nearest = np.sort(costs)[0, :4]
    r = (3 * nearest[3] - nearest[:3].sum()) / 2
    anew = nearest_affinities(costs, np.arange(1, 25)[None], r)
    np.testing.assert_allclose(np.sort(anew.weights[0])[-3:], np.sort(affinities.weights[0]))
    np.testing.assert_allclose(np.sort(anew.weights[0])[:-3], 0, atol=1e-15)


def test_equal_distances_get_equal_shares():
    X = np.repeat([[0.0, 0.0], [1.0, 0.0]], 6, axis=0)
    affinities, r = closed_form_affinities(X, 4)
    np.testing.assert_array_equal(affinities.weights, 0.25)
    assert r == 0


def test_the_graph_is_symmetric_with_half_of_each_side():
    X = np.random.default_rng(0).normal(size=(25, 4))
    affinities, _ = closed_form_affinities(X, 3)
    S = np.zeros((25, 25))
    np.put_along_axis(S, affinities.indices, affinities.weights, axis=1)
    np.testing.assert_allclose(affinities.graph.toarray(), (S + S.T) / 2)
    assert affinities.graph.nnz <= 2 * 25 * 3
    np.testing.assert_allclose(affinities.laplacian.sum(axis=1), 0, atol=1e-15)


def test_squared_distances_of_neighbours():
    points, indices = (
        np.array([[0.0, 0.0], [3.0, 4.0], [0.0, 1.0]]),
        np.array([[1, 2], [0, 2], [0, 1]]),
    )
    np.testing.assert_array_equal(squared_distances(points, indices), [[25, 1], [25, 18], [1, 18]])
