"""The largest numbers against a sort of all of them."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone.linalg.largest import largest_places


@pytest.mark.parametrize("size", [1, 7, 64, 65, 999, 5000])
@pytest.mark.parametrize("count", [1, 3, 16])
@pytest.mark.parametrize("kind", ["distinct", "ties", "nearly all zero", "sorted"])
def test_they_are_those_of_a_sort(size: int, count: int, kind: str) -> None:
    rng = np.random.default_rng(size + count)
    values = {
        "distinct": rng.standard_normal(size),
        "ties": rng.integers(4, size=size).astype(float),
        "nearly all zero": np.where(np.arange(size) % 97 == 5, rng.random(size), 0.0),
        "sorted": np.arange(size, dtype=float),
    }[kind]
    count = min(count, size)
    places = largest_places(values, count)
    assert np.unique(places).size == count
    np.testing.assert_array_equal(np.sort(values[places]), np.sort(values)[size - count :])
