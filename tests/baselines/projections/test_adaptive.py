"""The three steps of FSASL, each against its own problem."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from sparsecone.baselines.projections.adaptive import (
    AdaptiveStructure,
    better_affinities,
    represent,
    smallest_constrained,
)
from sparsecone.baselines.projections.affinities import closed_form_affinities
from sparsecone.baselines.projections.row_sparse import RowPenalty


@pytest.fixture(name="U")
def orthonormal():
    return np.linalg.qr(np.random.default_rng(0).normal(size=(50, 4)))[0]


def test_the_objective_is_that_of_the_formula():
    X = np.random.default_rng(1).normal(size=(50, 9))
    V = np.random.default_rng(2).normal(size=(9, 4))
    P, mu = closed_form_affinities(X, 5)
    Z = sp.random_array((50, 50), density=0.1, random_state=np.random.default_rng(0), format="csr")
    model = AdaptiveStructure(X, 0.3, 0.7, RowPenalty(gamma=2.0, p=1.0), 5)
    dense = np.zeros((50, 50))
    np.put_along_axis(dense, P.indices, P.weights, axis=1)
    points = X @ V
    squares = np.sum((points[:, None] - points[None]) ** 2, axis=2)
    expected = (
        np.linalg.norm(points - Z @ points) ** 2
        + 0.3 * np.abs(Z.toarray()).sum()
        + 0.7 * (np.sum(squares * dense) + mu * np.sum(dense**2))
        + 2.0 * np.linalg.norm(V, axis=1).sum()
    )
    assert model.value(V, Z, P, mu) == pytest.approx(expected)


@pytest.mark.parametrize("alpha", [0.05, 0.1])
def test_representations_descend_to_where_no_subgradient_is_left(U, alpha):
    def value(Z):
        return np.linalg.norm(U - Z @ U) ** 2 + alpha * abs(Z).sum()

    Z = sp.csr_array((50, 50))
    values = [value(Z)]
    for _ in range(300):
        Z = represent(U, Z, alpha)
        values.append(value(Z))
    assert np.all(np.diff(values) <= 1e-14)
    dense = Z.toarray()
    assert not dense.diagonal().any()
    slope = 2 * (U - dense @ U) @ U.T
    np.fill_diagonal(slope, 0.0)
    assert np.abs(slope).max() <= alpha * (1 + 1e-3)
    np.testing.assert_allclose(slope[dense != 0], alpha * np.sign(dense[dense != 0]), rtol=1e-2)


def test_representations_do_not_depend_on_the_batches(U, monkeypatch):
    whole = represent(U, sp.csr_array((50, 50)), 0.05).toarray()
    monkeypatch.setattr("sparsecone.baselines.graph.BATCH_ENTRIES", 150)
    np.testing.assert_allclose(represent(U, sp.csr_array((50, 50)), 0.05).toarray(), whole)


def test_affinities_are_kept_where_they_are_better(U):
    P, mu = closed_form_affinities(U, 5)
    again = better_affinities(U, P, mu, 5)
    old, new = (
        np.sum(np.sum((U[:, None] - U[rows.indices]) ** 2, axis=2) * rows.weights, axis=1)
        + mu * np.sum(rows.weights**2, axis=1)
        for rows in (P, again)
    )
    assert np.all(new <= old + 1e-15)
    np.testing.assert_allclose(again.weights.sum(axis=1), 1.0)


@pytest.mark.parametrize("shape", [(40, 12), (12, 40)])
def test_the_projection_is_the_smallest_under_its_constraint(shape):
    rng = np.random.default_rng(0)
    X = rng.normal(size=shape)
    root = rng.normal(size=(shape[0], shape[0]))
    M, weights = sp.csr_array(root @ root.T), rng.uniform(0.1, 2.0, size=shape[1])
    V = smallest_constrained(X, M, weights, 3)
    np.testing.assert_allclose(V.T @ X.T @ X @ V, np.eye(3), atol=1e-9)
    # Stationary: A V = X'X V Lambda with a symmetric Lambda, and no other choice is smaller.
    A = X.T @ M @ X + np.diag(weights)
    np.testing.assert_allclose(A @ V, X.T @ X @ V @ (V.T @ A @ V), atol=1e-6)
    for seed in range(20):
        W = V + 0.1 * np.random.default_rng(seed).normal(size=V.shape)
        W = W @ np.linalg.inv(np.linalg.cholesky(W.T @ X.T @ X @ W)).T
        assert np.trace(W.T @ A @ W) >= np.trace(V.T @ A @ V)
