"""Moments added block by block."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from sparsecone.data import RunningMoments


def scatter(X):
    centred = X - X.mean(axis=0)
    return centred.T @ centred


@given(
    cuts=st.lists(st.integers(0, 60), max_size=8),
    seed=st.integers(0, 100),
    diagonal=st.booleans(),
)
def test_any_cuts_in_any_order_add_up(cuts, seed, diagonal):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 5)) + 1e3 * rng.normal(size=5)
    parts = np.split(X, sorted(cuts))
    running = RunningMoments(5, diagonal=diagonal)
    for index in rng.permutation(len(parts)):
        running.add(parts[index])
    assert running.n_samples == 60
    np.testing.assert_allclose(running.mean, X.mean(axis=0), rtol=1e-13)
    np.testing.assert_allclose(running.variances, np.diag(scatter(X)), rtol=1e-9)
    if not diagonal:
        np.testing.assert_allclose(running.scatter, scatter(X), rtol=1e-9, atol=1e-9)


def test_sums_of_two_streams_are_those_of_one():
    X = np.random.default_rng(0).normal(size=(40, 3))
    first, second, empty = RunningMoments(3), RunningMoments(3), RunningMoments(3)
    first.add(X[:11])
    second.add(X[11:])
    merged = empty.merge(first).merge(second).merge(RunningMoments(3))
    np.testing.assert_allclose(merged.scatter, scatter(X), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(merged.mean, X.mean(axis=0), atol=1e-14)


def test_a_mean_far_from_zero_costs_no_digits():
    # S - n m m' would lose 16 of 16 digits here; the loss of a shift by a block's mean is the
    # rounding of the data themselves, 1e8 * 1e-16 of a unit.
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 4)) + 1e8
    running = RunningMoments(4)
    for start in range(0, 500, 50):
        running.add(X[start : start + 50])
    np.testing.assert_allclose(running.scatter, scatter(X), rtol=1e-7, atol=1e-5)


def test_an_outlying_first_row_costs_no_digits():
    X = np.random.default_rng(0).normal(size=(300, 3)).astype(np.float32)
    X[0] = 1e4
    running = RunningMoments(3)
    running.add(X[:1])
    running.add(X[1:])
    np.testing.assert_allclose(running.scatter, scatter(X.astype(np.float64)), rtol=1e-5)


def test_sparse_blocks():
    X = np.random.default_rng(0).poisson(0.3, size=(50, 6)).astype(np.float64)
    for diagonal in (True, False):
        running = RunningMoments(6, diagonal=diagonal)
        running.add(sp.csr_array(X[:20]))
        running.add(sp.csr_matrix(X[20:]))
        np.testing.assert_allclose(running.variances, np.diag(scatter(X)), atol=1e-12)
        if not diagonal:
            np.testing.assert_allclose(running.scatter, scatter(X), atol=1e-12)


@pytest.mark.parametrize("mean", [0.0, 1e4, 1e6, 1e7])
def test_sparse_blocks_with_a_mean_cost_no_digits(mean):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4)) + mean
    X[3, 1] = 0.0
    running, diagonal = RunningMoments(4), RunningMoments(4, diagonal=True)
    for start in range(0, 60, 20):
        running.add(sp.csr_array(X[start : start + 20]))
        diagonal.add(sp.csr_array(X[start : start + 20]))
    close = {"rtol": 1e-8, "atol": 1e-16 * (1 + mean) ** 2}
    np.testing.assert_allclose(running.scatter, scatter(X), **close)
    np.testing.assert_allclose(diagonal.variances, np.diag(scatter(X)), **close)
    np.testing.assert_allclose(diagonal.mean, X.mean(axis=0), rtol=1e-12, atol=1e-14)


def test_the_error_of_single_precision_is_stated():
    X = np.random.default_rng(0).normal(size=(5000, 30)).astype(np.float32) + 3.0
    exact = scatter(X.astype(np.float64))
    single, doubled = RunningMoments(30, doubled=0), RunningMoments(30)
    other = RunningMoments(30, doubled=0)
    single.add(X[:3000])
    other.add(X[3000:])
    single.merge(other)
    doubled.add(X)
    assert doubled.probe is None
    found = single.moments()
    off = float(np.linalg.norm(found.gram_matrix - exact))
    stated = found.matrix_error - doubled.moments().matrix_error
    assert found.is_measured
    assert 0.0 < off <= stated <= 1e3 * off
    np.testing.assert_allclose(np.diag(found.gram_matrix), np.diag(exact), rtol=1e-12)


def test_values_whose_squares_overflow_leave_the_state():
    X = np.random.default_rng(0).normal(size=(10, 3))
    running = RunningMoments(3)
    running.add(X)
    with pytest.raises(ValueError, match="overflow"), np.errstate(over="ignore"):
        running.add(X * 1e200)
    np.testing.assert_allclose(running.scatter, scatter(X), atol=1e-12)
    assert running.n_samples == 10


def in_single(X, *, shifted=None):
    """Return moments of rows in single precision, a small block at a time."""
    running = RunningMoments(X.shape[1], doubled=0)
    for start in range(0, len(X), 100):
        if shifted is not None:
            before = running._origin(X[start : start + 100], True)[1]
            shifted.append(before is not None)
        running.add(X[start : start + 100])
    return running.moments()


@pytest.mark.parametrize(("mean", "is_shifted"), [(2.5, False), (3.5, True)])
def test_rows_in_single_precision_are_shifted_by_means_that_are_far(mean, is_shifted):
    rng, shifted = np.random.default_rng(0), []
    X = rng.normal(size=(1000, 8)).astype(np.float32)
    X[:, 3] += np.float32(mean)
    moments = in_single(X, shifted=shifted)
    # The first block has no means before it.
    assert shifted == [True] + 9 * [is_shifted]
    centred = X.astype(np.float64) - X.mean(axis=0, dtype=np.float64)
    exact = centred.T @ centred
    np.testing.assert_allclose(moments.variances, np.diag(exact), rtol=1e-13)
    off = np.linalg.norm(moments.gram_matrix - exact)
    assert 0.0 < off <= moments.matrix_error + moments.gram_error
    assert moments.matrix_error <= 1e-4 * moments.trace


def test_rows_whose_means_move_away_cost_a_digit_at_most():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1000, 8)) + 100.0 * (np.arange(1000) >= 500)[:, None]
    X = X.astype(np.float32)
    moments = in_single(X)
    centred = X.astype(np.float64) - X.mean(axis=0, dtype=np.float64)
    exact = centred.T @ centred
    np.testing.assert_allclose(moments.variances, np.diag(exact), rtol=1e-13)
    assert np.linalg.norm(moments.gram_matrix - exact) <= 1e-6 * moments.trace


def test_what_shifts_take_away_is_in_the_error():
    X = np.random.default_rng(0).normal(size=(400, 5)).astype(np.float32) + np.float32(1.0)
    running = RunningMoments(5, doubled=0)
    running.add(X[:200])
    before = running.removed
    assert before < 1e-20
    running.add(X[200:])
    total = X[200:].sum(axis=0, dtype=np.float64)
    assert running.removed - before == pytest.approx(float(total @ total) / 200)
    plain = running.moments().matrix_error
    other = RunningMoments(5)
    other.removed = 1e9
    joined = running.merge(other).moments().matrix_error
    assert joined == plain
    other.add(X[:2])
    assert running.merge(other).moments().matrix_error > plain + 1e-6
