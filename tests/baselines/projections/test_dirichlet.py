from __future__ import annotations

import numpy as np
import pytest

from sparsecone.baselines.graph import laplacian, nearest_neighbours, symmetric_graph
from sparsecone.baselines.projections.dirichlet import (
    FullDirichlet,
    LowRankDirichlet,
    dirichlet_form,
)


def wide_data():
    """Return 30 samples of 200 features, with a Laplacian and the scatter from its definition."""
    X = np.random.default_rng(0).normal(size=(30, 200))
    matrix = laplacian(symmetric_graph(nearest_neighbours(X, 4)))
    return X, matrix, X.T @ matrix.toarray() @ X


def test_the_smaller_side_is_stored():
    X, matrix, _ = wide_data()
    assert isinstance(dirichlet_form(X, matrix, 3), LowRankDirichlet)
    assert isinstance(dirichlet_form(X[:, :32], matrix, 3), FullDirichlet)


@pytest.mark.parametrize("n_wanted", [3, 60])
def test_both_kinds_answer_alike(n_wanted):
    X, matrix, M = wide_data()
    rng = np.random.default_rng(1)
    penalty, start = 10.0 ** rng.uniform(-3, 7, 200), rng.normal(size=(200, n_wanted))
    full, low = FullDirichlet(M, 1e-10), dirichlet_form(X, matrix, n_wanted)
    assert full.energy(start) == pytest.approx(low.energy(start), rel=1e-12)
    expected = np.linalg.eigh(M + np.diag(penalty))[1][:, :n_wanted]
    for kind in (full, low):
        V, energy = kind.flattest_penalised(penalty, start)
        assert energy == pytest.approx(np.trace(V.T @ M @ V), rel=1e-9)
        np.testing.assert_allclose(V.T @ V, np.eye(n_wanted), atol=1e-12)
        np.testing.assert_allclose(V @ V.T, expected @ expected.T, atol=1e-6)


def test_a_large_null_space_is_left_out():
    X, matrix, M = wide_data()
    values, vectors = np.linalg.eigh(M)
    expected = vectors[:, values > 1e-8][:, :3]
    for kind in (FullDirichlet(M, 1e-10), dirichlet_form(X, matrix, 3)):
        V = kind.flattest(3)
        np.testing.assert_allclose(V @ V.T, expected @ expected.T, atol=1e-8)


def test_a_small_null_space_is_taken():
    M = np.diag([0.0, 0.0, 3.0, 2.0, 1.0])
    np.testing.assert_allclose(
        np.abs(FullDirichlet(M, 1e-10).flattest(3)).sum(axis=1), [1, 1, 0, 0, 1]
    )


def test_too_few_directions_are_refused():
    M = np.diag([0.0, 0.0, 0.0, 0.0, 1.0])
    with pytest.raises(ValueError, match="1 independent directions only, fewer than the 2"):
        FullDirichlet(M, 1e-10).flattest(2)


def test_a_penalty_far_below_the_scatter_does_no_harm():
    X = np.random.default_rng(0).normal(size=(40, 10))
    M = FullDirichlet(X.T @ X, 1e-12)
    start = M.flattest(2)
    V = M.flattest_penalised(np.full(10, 1e-25), start).vectors
    np.testing.assert_allclose(V @ V.T, start @ start.T, atol=1e-10)
