"""SPEC against its definition, on dense and sparse data."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from sparsecone.baselines.graph import nearest_neighbours, symmetric_graph
from sparsecone.baselines.laplacian_score import LaplacianScore
from sparsecone.baselines.spec import SPEC


@pytest.fixture(name="X")
def samples():
    return np.random.default_rng(0).normal(1.0, size=(60, 20))


@pytest.mark.parametrize("self_loops", [False, True])
@pytest.mark.parametrize("criterion", ["all", "centred", "leading"])
def test_the_criteria_are_those_of_the_paper(X, criterion, self_loops):
    graph = symmetric_graph(nearest_neighbours(X, 5)).toarray() + self_loops * np.eye(60)
    roots = np.sqrt(graph.sum(axis=1))
    values, xi = np.linalg.eigh(np.eye(60) - graph / np.outer(roots, roots))
    f = roots[:, None] * X
    f /= np.linalg.norm(f, axis=0)
    parts = (xi.T @ f) ** 2
    expected = {
        "all": -values @ parts,
        "centred": -(values @ parts) / (1 - parts[0]),
        "leading": (2 - values[1:5]) @ parts[1:5],
    }[criterion]
    fitted = SPEC(criterion=criterion, n_clusters=4, self_loops=self_loops).fit(X)
    np.testing.assert_allclose(fitted.scores_, expected, rtol=1e-9)


@pytest.mark.parametrize("weights", ["binary", "heat"])
def test_the_second_criterion_is_the_laplacian_score(X, weights):
    own, other = (method(weights=weights, width=3.0).fit(X) for method in (SPEC, LaplacianScore))
    np.testing.assert_allclose(own.scores_, other.scores_, rtol=1e-12)


@pytest.mark.parametrize("layout", [sp.csr_array, sp.csc_matrix])
@pytest.mark.parametrize("criterion", ["all", "centred", "leading"])
def test_sparse_scores_are_the_dense_ones(X, layout, criterion):
    X = np.maximum(X - 1.0, 0.0)
    X[:, 3], X[:, 5] = 0.0, 0.1
    dense, sparse = (SPEC(criterion=criterion).fit(Z).scores_ for Z in (X, layout(X)))
    np.testing.assert_allclose(sparse, dense, rtol=1e-9)
    assert np.all(np.isinf(dense) == np.isin(np.arange(20), [3, 5]))


def test_moons_lead_small_noise(two_moons):
    assert set(SPEC(criterion="leading").fit(two_moons(noise=0.1)).selected_[:2]) == {0, 1}
