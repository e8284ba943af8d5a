"""Residuals about a mean come in tiles, and are those of a dense matrix."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone.data.centring import as_rows
from sparsecone.linalg.lyapunov import Symmetric
from sparsecone.model import reconstruction
from sparsecone.model.reconstruction import Reconstruction

RNG = np.random.default_rng(0)
ROWS = as_rows(RNG.normal(size=(30, 5)) * [5.0, 4.0, 3.0, 1.0, 0.5])
X = ROWS.centred_rows()


def test_residuals_come_in_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    W = Symmetric(np.diag([0.5, 0.25, 0.0, 1.0, 0.5]), np.diag([0.5, 0.75, 1.0, 0.0, 0.5]))
    found = Reconstruction(W, np.arange(5.0))
    exact = (X - np.arange(5.0)) @ W.complement
    for tile, enough, most, heights in (
        (5 * 30, 3, 5 * 10, [30]),
        (5 * 12, 3, 5 * 10, [12, 12, 6]),
        (5 * 2, 12, 5 * 12, [12, 12, 6]),
        (5 * 2, 12, 5 * 10, [10, 10, 10]),
        (4, 12, 4, [1] * 30),
        (5 * 29, 29, 5 * 10, [29, 1]),
    ):
        monkeypatch.setattr(reconstruction, "TILE", tile)
        monkeypatch.setattr(reconstruction, "ENOUGH_ROWS", enough)
        monkeypatch.setattr(reconstruction, "MOST", most)
        parts = list(found.residuals(ROWS))
        assert [len(entries) for _, entries in parts] == heights
        assert [part.stop - part.start for part, _ in parts] == heights
        np.testing.assert_allclose(np.vstack([entries for _, entries in parts]), exact, atol=1e-13)
        squares, along = found.squared_residuals(ROWS)
        np.testing.assert_array_equal(found.squares(ROWS), squares)
        np.testing.assert_allclose(squares, (exact**2).sum(axis=1), rtol=1e-13)
        np.testing.assert_allclose(along, (exact * X).sum(axis=1), rtol=1e-12, atol=1e-12)
