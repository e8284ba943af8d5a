"""Leading eigenpairs from a few products: as good as the spectrum allows, whatever its shape."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg

from sparsecone.linalg.eigen import EXTRA, PRODUCTS, krylov_pairs
from sparsecone.linalg.types import Array

SIZE, COUNT = 400, 16

SPECTRA = {
    "steep": (np.geomspace(1.0, 1e-14, SIZE), 1e-9),
    "a power": (np.arange(1.0, SIZE + 1) ** -1, 1e-5),
    "low rank": (np.r_[np.arange(20.0, 0.0, -1.0), np.zeros(SIZE - 20)] / 20.0, 1e-12),
    "as many alike as a product has": (
        np.r_[np.ones(COUNT // 2 + EXTRA), np.full(SIZE - COUNT // 2 - EXTRA, 0.01)],
        1e-9,
    ),
    "one far above": (np.r_[1.0, np.linspace(2e-12, 1e-12, SIZE - 1)], 1e-12),
    "all alike": (np.ones(SIZE), 1e-12),
    "nothing": (np.zeros(SIZE), 0.0),
}


def matrix_with(values: Array) -> Array:
    size = values.size
    basis = scipy.linalg.qr(np.random.default_rng(3).normal(size=(size, size)))[0]
    return np.asarray((basis * values) @ basis.T)


@pytest.mark.parametrize(("values", "error"), SPECTRA.values(), ids=SPECTRA)
def test_values_and_vectors(values: Array, error: float) -> None:
    matrix = matrix_with(values)
    found, vectors = krylov_pairs(lambda L: matrix @ L, SIZE, COUNT)
    np.testing.assert_allclose(found, values[:COUNT], rtol=0.0, atol=error)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(COUNT), atol=1e-11)
    residual = np.linalg.norm(matrix @ vectors - vectors * found, 2)
    assert residual <= 10.0 * np.sqrt(error)


@pytest.mark.parametrize("size", [1, 2, EXTRA, EXTRA + 1, PRODUCTS * EXTRA, PRODUCTS * EXTRA + 1])
def test_a_space_as_large_as_the_matrix_has_all_pairs(size: int) -> None:
    values = np.arange(float(size), 0.0, -1.0)
    matrix = matrix_with(values)
    count = min(size, 2)
    np.testing.assert_allclose(krylov_pairs(lambda L: matrix @ L, size, count)[0], values[:count])


def test_how_many_products_it_takes() -> None:
    widths = []

    def product(L: Array) -> Array:
        widths.append(L.shape[1])
        return np.arange(1.0, SIZE + 1)[:, None] * L

    krylov_pairs(product, SIZE, COUNT)
    assert widths == [COUNT // 2 + EXTRA] * PRODUCTS
