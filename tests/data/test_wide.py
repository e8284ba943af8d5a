"""Wide data: no second copy of X, and no more pairs of factors than memory allows."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from sparsecone import AWSPCAPSD, CSPCAPSD, SPCAPSD
from sparsecone.data import Rows, answers, as_samples


def low_rank(n, d, dtype=np.float64, mean=0.02):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 3)) @ rng.normal(size=(3, d)) + 0.1 * rng.normal(size=(n, d)) + mean
    return X.astype(dtype)


@pytest.mark.parametrize("model", [SPCAPSD, CSPCAPSD])
def test_implicit_centring_gives_the_same(model, monkeypatch):
    X = low_rank(30, 400)
    plain = model(lam=0.03, tol=1e-5).fit(X)
    monkeypatch.setattr("sparsecone.data.centring.LARGEST_COPY", 0)
    assert as_samples(X).matrix is X
    implicit = model(lam=0.03, tol=1e-5).fit(X)
    largest = plain.scores_.max()
    np.testing.assert_allclose(implicit.scores_ / largest, plain.scores_ / largest, atol=1e-6)
    assert implicit.solution_.status == "converged"


@pytest.mark.parametrize("order", ["C", "F"])
def test_centred_samples_are_taken_as_they_are(order):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 200)) + rng.normal(size=(60, 1)) @ rng.normal(size=(1, 200))
    X -= X.mean(axis=0)
    X -= X.mean(axis=0)
    X = np.asarray(X, order=order)
    samples, given = as_samples(X), X.copy()
    assert np.shares_memory(samples.matrix, X)
    assert not samples.matrix.flags.writeable
    moved = as_samples(X + 1e-9)
    assert np.linalg.norm(moved.centred_rows().mean(axis=0)) < 1e-14
    part = X[:, ::2]
    assert not np.shares_memory(as_samples(part).matrix, X)
    for model in (SPCAPSD, CSPCAPSD, AWSPCAPSD):
        found, other = (
            model(n_features_to_select=20).fit(X),
            model(n_features_to_select=20).fit(given + 1e-9),
        )
        assert found.solution_.status == "converged"
        assert found.solution_.value == pytest.approx(other.solution_.value, rel=1e-4)
    np.testing.assert_array_equal(X, given)


def test_large_means_are_subtracted_in_a_copy(monkeypatch):
    monkeypatch.setattr("sparsecone.data.centring.LARGEST_COPY", 0)
    samples = as_samples(low_rank(30, 400, mean=100.0))
    assert samples.offset is None
    np.testing.assert_allclose(samples.matrix.mean(axis=0), 0.0, atol=1e-14)


def test_single_precision_is_centred_in_tiles(monkeypatch):
    X = low_rank(30, 400, np.float32, mean=100.0)
    exact = as_samples(X.astype(np.float64))
    monkeypatch.setattr("sparsecone.data.centring.LARGEST_DOUBLED", 0)
    monkeypatch.setattr("sparsecone.data.products.TILE", 1000)
    samples = as_samples(X)
    assert samples.matrix is X
    L = np.random.default_rng(0).normal(size=(400, 3))
    np.testing.assert_allclose(samples.project(L), exact.project(L), rtol=1e-10)
    np.testing.assert_allclose(samples.variances, exact.variances, rtol=1e-12)
    np.testing.assert_allclose(samples.sample_gram(), exact.sample_gram(), rtol=1e-9, atol=1e-9)


def test_the_error_of_sums_in_single_precision_is_stated(monkeypatch):
    X = low_rank(300, 40, np.float32)
    exact = as_samples(X.astype(np.float64))
    monkeypatch.setattr("sparsecone.data.centring.LARGEST_DOUBLED", 0)
    samples = as_samples(X)
    gram, stated = samples._gram
    off = float(np.linalg.norm(gram - exact.gram_matrix))
    assert 0.0 < off <= stated <= 1e3 * off
    solution = SPCAPSD(eta=0.02, lam=0.1, tol=1e-2).fit(X).solution_
    assert (solution.status, solution.proven) == ("estimated", False)
    assert "Estimated" in solution.verdict


def test_inner_products_of_the_samples_are_in_double_precision(monkeypatch):
    X = low_rank(40, 3000, np.float32, mean=3.0)
    exact = as_samples(X.astype(np.float64))
    monkeypatch.setattr("sparsecone.data.centring.LARGEST_DOUBLED", 0)
    samples = as_samples(X)
    assert samples.matrix is X
    inner = samples.sample_gram_matrix
    np.testing.assert_allclose(inner, exact.sample_gram(), atol=1e-12 * exact.trace)
    # Sums in single precision would be off by more than this.
    solution = SPCAPSD(eta=0.01, lam=0.02, tol=1e-7).fit(X).solution_
    assert (solution.status, solution.proven) == ("converged", True)


def test_answers_of_implicitly_centred_samples(monkeypatch):
    X = low_rank(20, 60)
    explicit = as_samples(X)
    monkeypatch.setattr("sparsecone.data.centring.LARGEST_COPY", 0)
    implicit = as_samples(X)
    assert implicit.offset is not None
    for name in ("variances", "squared_norms", "gram_matrix", "trace"):
        np.testing.assert_allclose(getattr(implicit, name), getattr(explicit, name), atol=1e-10)
    np.testing.assert_allclose(implicit.sample_gram(), explicit.sample_gram(), atol=1e-10)


@pytest.mark.parametrize("model", [SPCAPSD, CSPCAPSD])
def test_fewer_pairs_where_they_are_large(model, monkeypatch):
    X = low_rank(30, 400)
    monkeypatch.setattr("sparsecone.solvers.descent.MEMORY_BYTES", 0)
    smoothed = {} if model is SPCAPSD else {"delta": 1e-5}
    solution = model(lam=0.03, solver="factored", **smoothed).fit(X).solution_
    assert solution.status == "converged"


def test_peak_memory_of_a_wide_fit(monkeypatch):
    X = low_rank(500, 80000, np.float32)
    monkeypatch.setattr("sparsecone.data.centring.LARGEST_DOUBLED", 0)
    for module in ("data.products", "data.rows", "selectors.sides"):
        monkeypatch.setattr(f"sparsecone.{module}.TILE", 2**18)
    selector = SPCAPSD(lam=0.01, max_iter=12, tol=1e-2)
    tracemalloc.start()
    selector.fit(X)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # Tiles in double precision are kept small here. The vectors of the spectrum, the pairs of the
    # quasi-Newton method and the inner products of the samples take most of it: a second X, or one
    # in double precision, would not fit.
    assert peak < X.nbytes


def test_data_are_recognised_without_being_asked() -> None:
    class Costly(Rows):
        @property
        def gram_matrix(self):
            raise AssertionError("a d x d matrix is formed")

    X = np.random.default_rng(0).normal(size=(5, 40))
    assert answers(Costly(X - X.mean(axis=0), X.mean(axis=0), None))
    assert not answers(X)
