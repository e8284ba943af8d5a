"""The leading eigenpairs: exact, remembered, and found again only where something is missing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sparsecone.data import as_samples, spectrum
from sparsecone.data.spectrum import Spectrum, leading_eigenpairs

X = np.random.default_rng(0).normal(size=(40, 12)) * np.geomspace(3.0, 0.3, 12)
VALUES = np.linalg.eigvalsh(np.cov(X.T, ddof=0) * len(X))[::-1]


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that grows with every decomposition."""
    calls: list[int] = []

    def counted(*given: Any, **options: Any) -> Spectrum:
        calls.append(1)
        return leading_eigenpairs(*given, **options)

    monkeypatch.setattr(spectrum, "leading_eigenpairs", counted)
    return calls


@pytest.mark.parametrize("wide", [False, True])
def test_what_is_known_is_not_computed_again(wide: bool, count: list[int]) -> None:
    samples = as_samples(np.column_stack([X, 1e-3 * np.ones((40, 60))]) if wide else X)
    first = samples.leading(0.0, most=5)
    np.testing.assert_allclose(first.values, VALUES[:5], rtol=1e-8)
    threshold = 0.5 * (VALUES[2] + VALUES[3])
    np.testing.assert_allclose(samples.leading(threshold).values, VALUES[:3], rtol=1e-8)
    np.testing.assert_allclose(samples.leading(threshold, most=2).values, VALUES[:2], rtol=1e-8)
    assert len(count) == 1
    lower = 0.5 * (VALUES[7] + VALUES[8])
    np.testing.assert_allclose(samples.leading(lower).values, VALUES[:8], rtol=1e-8)
    assert len(count) == 2
    assert samples.leading(lower, most=6).values.size == 6
    assert len(count) == 2


def test_weighted_pairs_are_not_taken_for_the_others() -> None:
    samples = as_samples(X)
    weights = np.linspace(0.0, 1.0, 40)
    samples.leading(0.0)
    centred = samples.centred_rows()
    expected = np.linalg.eigvalsh(centred.T @ (weights[:, None] * centred))[::-1]
    np.testing.assert_allclose(samples.leading(0.0, weights).values, expected, rtol=1e-8)
    np.testing.assert_allclose(samples.leading(0.0).values, VALUES, rtol=1e-8)
