"""What tables ask of the rows."""

from __future__ import annotations

import pytest

from sparsecone.reproduction.cell import Cell
from sparsecone.reproduction.results import best_score, scores_of

from fabricated import fabricate


def test_seeds_are_pooled_and_settings_are_not() -> None:
    seeds = [
        Cell(dataset="digits", method="Random subset", seed=s, n_features=(9,)) for s in (0, 1)
    ]
    low, high = (fabricate(cell, acc=acc) for cell, acc in zip(seeds, (40.0, 46.0), strict=True))
    pooled = scores_of([low, high])[9]
    assert pooled.acc == 43.0
    # Within 2 a seed, between seeds 3: the variances add.
    assert pooled.acc_std == pytest.approx((2.0**2 + 3.0**2) ** 0.5)
    other = Cell(dataset="digits", method="Random subset", n_features=(9,), parameters={"a": 1})
    best = best_score([low, high, fabricate(other, acc=45.0)], 9)
    assert best is not None
    assert best.acc == 45.0
    assert best_score([low], 10) is None
