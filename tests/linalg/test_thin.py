"""Products with few columns: the same in either order of the factors."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone.linalg import thin
from sparsecone.linalg.thin import thin_product


@pytest.mark.parametrize("largest", [1, 10**6])
@pytest.mark.parametrize("by_columns", [False, True])
def test_either_order_gives_the_product_by_rows(
    largest: int, by_columns: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thin, "LARGE", largest)
    rng = np.random.default_rng(0)
    matrix, columns = rng.standard_normal((30, 20)), rng.standard_normal((20, 3))
    given = np.asfortranarray(matrix) if by_columns else matrix
    found = thin_product(given, columns)
    np.testing.assert_allclose(found, np.einsum("ij,jk->ik", matrix, columns), rtol=1e-12)
    assert found.flags.c_contiguous
    np.testing.assert_allclose(thin_product(given, columns[:, 0]), found[:, 0], rtol=1e-12)


def test_a_large_matrix_is_multiplied_from_the_other_side(monkeypatch: pytest.MonkeyPatch) -> None:
    class Seen(np.ndarray):
        """An array that can only be multiplied from the left."""

        def __matmul__(self, other: object) -> np.ndarray:
            raise AssertionError(other)

    matrix = np.arange(12.0).reshape(4, 3).view(Seen)
    monkeypatch.setattr(thin, "LARGE", matrix.size)
    np.testing.assert_array_equal(thin_product(matrix, np.ones((3, 2)))[:, 0], [3.0, 12, 21, 30])
    monkeypatch.setattr(thin, "LARGE", matrix.size + 1)
    with pytest.raises(AssertionError):
        thin_product(matrix, np.ones((3, 2)))
