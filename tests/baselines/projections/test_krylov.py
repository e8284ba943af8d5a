from __future__ import annotations

import numpy as np
import pytest

from sparsecone.baselines.projections.krylov import leading_eigenvectors

VALUES = np.concatenate([[5.0, 5.0, 5.0, 4.0], np.linspace(3, 0, 296)])


@pytest.fixture(scope="module")
def matrix():
    vectors = np.linalg.qr(np.random.default_rng(0).normal(size=(300, 300)))[0]
    return (vectors * VALUES) @ vectors.T


@pytest.mark.parametrize("n_wanted", [2, 4, 60])
def test_multiple_eigenvalues_are_found_as_often_as_they_occur(matrix, n_wanted):
    values, vectors, products, residual = leading_eigenvectors(
        lambda block: matrix @ block, np.empty((300, 0)), n_wanted, tol=1e-10, max_products=100
    )
    assert residual <= 1e-10
    np.testing.assert_allclose(values, VALUES[:n_wanted], atol=1e-12)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(n_wanted), atol=1e-12)
    np.testing.assert_allclose(matrix @ vectors, vectors * values, atol=1e-8)
    np.testing.assert_allclose(products, matrix @ vectors, atol=1e-12)


def test_a_start_among_other_eigenvectors_hides_nothing():
    operator = np.arange(200.0, 0, -1)[:, None]
    values, *_ = leading_eigenvectors(
        lambda block: operator * block, np.eye(200)[:, -3:], 3, tol=1e-10, max_products=200
    )
    np.testing.assert_allclose(values, [200, 199, 198])


def test_a_good_start_saves_products(matrix):
    calls = []

    def apply(block):
        calls.append(block.shape[1])
        return matrix @ block

    vectors = leading_eigenvectors(apply, np.empty((300, 0)), 4, tol=1e-8, max_products=100).vectors
    cold = len(calls)
    leading_eigenvectors(apply, vectors, 4, tol=1e-7, max_products=100)
    assert len(calls) - cold == 1 < cold


def test_too_few_products_are_told_by_the_residual(matrix):
    _, vectors, _, residual = leading_eigenvectors(
        lambda block: matrix @ block, np.empty((300, 0)), 4, tol=1e-10, max_products=2
    )
    assert vectors.shape == (300, 4)
    assert residual > 1e-10
