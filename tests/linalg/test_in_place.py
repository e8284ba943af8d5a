"""Products that are added to an array."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone.linalg.in_place import add_product


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("rank", [0, 3])
def test_a_product_is_added_in_place(rank: int, order: str) -> None:
    rng = np.random.default_rng(0)
    left = np.asarray(rng.normal(size=(7, rank)), order=order)
    right = np.asarray(rng.normal(size=(rank, 4)), order=order)
    total = rng.normal(size=(7, 4))
    expected = total - 0.5 * left @ right
    add_product(total, left, right, -0.5)
    np.testing.assert_allclose(total, expected, rtol=1e-14)


def test_nothing_is_added_to_nothing() -> None:
    total = np.zeros((0, 4))
    add_product(total, np.zeros((0, 2)), np.ones((2, 4)))
    assert total.shape == (0, 4)
