"""Matrices in single precision, beside their largest entry."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone.linalg.single import single


@pytest.mark.parametrize("scale", [1.0, -1e200, 1e-200])
def test_nothing_overflows_or_vanishes(scale: float) -> None:
    matrix = scale * np.array([[1.0, -4.0], [0.5, 3.0]])
    found, largest = single(matrix)
    assert found.dtype == np.float32
    assert largest == 4.0 * abs(scale)
    np.testing.assert_allclose(largest * found.astype(np.float64), matrix, rtol=1e-7)


def test_zeros_and_nothing_stay() -> None:
    assert not single(np.zeros((2, 2)))[0].any()
    assert single(np.zeros((0, 3)))[0].shape == (0, 3)
