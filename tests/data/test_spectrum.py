"""The leading eigenpairs: exact, remembered, and found again only where something is missing."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone.data import as_samples, spectrum
from sparsecone.linalg.tridiagonal import Tridiagonal

X = np.random.default_rng(0).normal(size=(40, 12)) * np.geomspace(3.0, 0.3, 12)
VALUES = np.linalg.eigvalsh(np.cov(X.T, ddof=0) * len(X))[::-1]


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list of how many eigenvectors were computed."""
    calls: list[int] = []

    class Counted(Tridiagonal):
        def vectors(self, first: int, last: int) -> np.ndarray:
            calls.append(last - first)
            return super().vectors(first, last)

    monkeypatch.setattr(spectrum, "Tridiagonal", Counted)
    return calls


@pytest.mark.parametrize("wide", [False, True])
def test_what_is_known_is_not_computed_again(wide: bool, count: list[int]) -> None:
    samples = as_samples(np.column_stack([X, 1e-3 * np.ones((40, 60))]) if wide else X)
    first = samples.leading(0.0, most=5)
    np.testing.assert_allclose(first.values, VALUES[:5], rtol=1e-8)
    threshold = 0.5 * (VALUES[2] + VALUES[3])
    np.testing.assert_allclose(samples.leading(threshold).values, VALUES[:3], rtol=1e-8)
    np.testing.assert_allclose(samples.leading(threshold, most=2).values, VALUES[:2], rtol=1e-8)
    assert sum(count) == 5
    lower = 0.5 * (VALUES[7] + VALUES[8])
    np.testing.assert_allclose(samples.leading(lower).values, VALUES[:8], rtol=1e-8)
    assert sum(count) == 8
    assert samples.leading(lower, most=6).values.size == 6
    assert sum(count) == 8


@pytest.mark.parametrize("weights", [None, np.linspace(0.5, 1.0, 40)])
def test_what_is_let_go_is_found_again_where_it_is_needed(
    weights: np.ndarray | None, count: list[int]
) -> None:
    samples = as_samples(X)
    before = samples.leading(0.0, weights, most=5)
    samples.let_go()
    np.testing.assert_array_equal(samples.leading(0.0, weights, most=4).values, before.values[:4])
    assert sum(count) == 5
    after = samples.leading(0.0, weights, most=8)
    np.testing.assert_array_equal(after.vectors[:, :5], before.vectors)
    np.testing.assert_allclose(after.vectors.T @ after.vectors, np.eye(8), atol=1e-12)
    assert sum(count) == 8


def test_weighted_pairs_are_not_taken_for_the_others() -> None:
    samples = as_samples(X)
    weights = np.linspace(0.0, 1.0, 40)
    samples.leading(0.0)
    centred = samples.centred_rows()
    expected = np.linalg.eigvalsh(centred.T @ (weights[:, None] * centred))[::-1]
    np.testing.assert_allclose(samples.leading(0.0, weights).values, expected, rtol=1e-8)
    np.testing.assert_allclose(samples.leading(0.0).values, VALUES, rtol=1e-8)


def test_equal_eigenvalues_found_in_two_steps_have_different_vectors() -> None:
    # Four features, each twice: eigenvalues in pairs that any cut may part.
    plain = np.repeat(np.eye(4), 2, axis=0) @ np.diag([4.0, 3.0, 2.0, 1.0])
    samples = as_samples(np.column_stack([np.vstack([plain, -plain]), np.vstack([-plain, -plain])]))
    for most in range(1, samples.n_features + 1):
        found = samples.leading(0.0, most=most)
        off = found.vectors.T @ found.vectors - np.eye(found.values.size)
        assert np.abs(off).max(initial=0.0) < 1e-8
        residual = samples.gram_product(found.vectors) - found.vectors * found.values
        assert np.linalg.norm(residual) < 1e-10


def test_no_eigenvalue_above_the_floor_is_missing() -> None:
    for samples in (as_samples(X), as_samples(X.T)):
        for most in (1, 4, 11):
            found = samples.leading(0.0, most=most)
            values = np.linalg.eigvalsh(samples.gram_matrix)[::-1]
            assert values[most] <= found.floor + found.error
            assert found.floor <= values[most] + found.error


@pytest.mark.parametrize("weights", [None, np.linspace(0.5, 1.0, 12)])
@pytest.mark.parametrize("wide", [False, True])
def test_the_smaller_side_of_large_data_is_iterated_on(
    wide: bool, weights: np.ndarray | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = X.T if wide else X[:12, :8]
    monkeypatch.setattr(spectrum, "SMALL", 2)
    monkeypatch.setattr(spectrum, "LARGEST_DENSE", 4)
    samples = as_samples(given)
    found = spectrum.leading_eigenpairs(samples, 0.0, weights, most=3)
    centred = given - given.mean(axis=0)
    matrix = centred.T @ (centred if weights is None else weights[:, None] * centred)
    np.testing.assert_allclose(found.values[:3], np.linalg.eigvalsh(matrix)[:-4:-1])
    vectors = found.vectors[:, :3]
    np.testing.assert_allclose(matrix @ vectors, vectors * found.values[:3], atol=1e-10)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=0), 1.0)
    assert found.residual == np.inf
