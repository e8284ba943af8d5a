"""Neighbours found in single precision against all pairs in double precision."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sparsecone.baselines import graph, single_precision
from sparsecone.baselines.graph import nearest_neighbours
from sparsecone.baselines.single_precision import Search, neighbours_in_single_precision


def from_the_definition(X, n_neighbors):
    """The nearest by differences, of equal ones the first."""
    squared = np.sum((X[:, None].astype(float) - X[None]) ** 2, axis=2)
    np.fill_diagonal(squared, np.inf)
    return np.argsort(squared, axis=1, kind="stable")[:, :n_neighbors]


def data_sets(rng, kind, n_samples, n_features):
    X = rng.normal(size=(n_samples, n_features))
    if kind == "blobs":
        X += 20.0 * rng.normal(size=(4, n_features))[rng.integers(4, size=n_samples)]
    elif kind == "integers":
        X = rng.integers(-2, 3, size=X.shape).astype(float)
    elif kind == "duplicates":
        X = X[rng.integers(n_samples // 2, size=n_samples)]
    elif kind == "outlier":
        X[3] *= 1e3
    elif kind == "scaled":
        X *= np.exp(rng.normal(size=n_features) * 8.0)
    elif kind == "sizes":
        X *= np.exp(rng.normal(size=n_samples) * 2.0)[:, None]
    elif kind == "close":
        X[n_samples // 2 :] = X[: n_samples - n_samples // 2] + 1e-5 * X[n_samples // 2 :]
    return X


KINDS = ["normal", "blobs", "integers", "duplicates", "outlier", "scaled", "sizes", "close"]


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    tile=st.sampled_from([7, 16, 40, 1000]),
    n_neighbors=st.integers(1, 6),
    n_features=st.sampled_from([1, 3, 17, 70]),
    exponent=st.sampled_from([-120, -30, 0, 30, 120]),
    offset=st.sampled_from([0.0, 1e3, 2.0**20]),
)
def test_neighbours_are_those_of_the_definition(
    kind, seed, tile, n_neighbors, n_features, exponent, offset
):
    X = data_sets(np.random.default_rng(seed), kind, 45, n_features) + offset
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(single_precision, "TILE", tile)
        patch.setattr(single_precision, "CHUNK", 16)
        patch.setattr(single_precision, "ENTRIES", 100)
        # However much is left open, all of it is decided.
        patch.setattr(single_precision, "CANDIDATES", np.inf)
        patch.setattr(single_precision, "DIFFERENCE", 0)
        found = neighbours_in_single_precision(X * 2.0**exponent, n_neighbors)
    np.testing.assert_array_equal(found, from_the_definition(X, n_neighbors))


@pytest.mark.parametrize("kind", ["normal", "blobs", "outlier", "sizes"])
@pytest.mark.parametrize("scale", [1e-120, 1.0, 1e120])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_of_many_samples_few_candidates_are_left(monkeypatch, kind, scale, dtype):
    if dtype == np.float32:
        scale = scale ** (1 / 8)
    X = (data_sets(np.random.default_rng(1), kind, 700, 40) * scale).astype(dtype)
    monkeypatch.setattr(single_precision, "TILE", 150)
    search = Search(X, 5)
    found = search.candidates()
    assert found is not None
    assert found.samples.size < 8 * len(X)
    indices = neighbours_in_single_precision(X, 5)
    # One scale for all, which the definition's squares need not overflow for.
    np.testing.assert_array_equal(indices, from_the_definition(X / dtype(scale), 5))


def test_errors_are_not_exceeded():
    """Closeness in exact arithmetic lies between the bounds of every candidate."""
    X = data_sets(np.random.default_rng(2), "blobs", 300, 1100)
    search = Search(X, 5)
    found = search.candidates()
    centred = X - X.mean(axis=0)
    pairs = centred[found.samples], centred[found.others]
    closeness = np.sum(pairs[0] * pairs[1], axis=1) - np.sum(pairs[1] ** 2, axis=1) / 2
    errors = search.errors[found.samples] + search.errors[found.others]
    off = closeness - (found.most - search.errors[found.others])
    assert np.all(np.abs(off) < 0.2 * errors)


@pytest.mark.parametrize("kind", ["constant", "copies", "far"])
def test_where_too_much_is_left_open_double_precision_decides(kind):
    X = np.random.default_rng(3).normal(size=(700, 60))
    if kind == "constant":
        X[:] = 3.0
    elif kind == "copies":
        X[100:] = X[:10].repeat(60, axis=0)
    else:
        X[:350] += 1e6
    assert neighbours_in_single_precision(X, 5) is None
    found = nearest_neighbours(X, 5)
    squared = np.sum((X - X[found.indices[:, -1]]) ** 2, axis=1)
    expected = np.sum((X - X[from_the_definition(X, 5)[:, -1]]) ** 2, axis=1)
    np.testing.assert_allclose(squared, expected, rtol=1e-3, atol=1e-20)


@pytest.mark.parametrize("shape", [(700, 40), (700, 800)])
def test_graphs_are_the_same_in_either_precision(monkeypatch, shape):
    X = data_sets(np.random.default_rng(4), "scaled", *shape)
    found = nearest_neighbours(X, 5)
    assert found.products is None
    monkeypatch.setattr(graph, "SAMPLES", np.inf)
    expected = nearest_neighbours(X, 5)
    np.testing.assert_array_equal(found.indices, expected.indices)
    np.testing.assert_allclose(found.distances, expected.distances, rtol=1e-10)
