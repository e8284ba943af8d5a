"""Streams and blocks against the fit on all rows at once."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from sparsecone import AWSPCAPSD, CSPCAPSD, SPCAPSD, from_blocks, lambda_max
from sparsecone.data import LARGEST_GRAM

from shared import load

X = np.random.default_rng(0).normal(size=(50, 6)) * [4, 3, 2, 1, 1, 1] + 10
FAST = {"tol": 1e-3, "n_features_to_select": 50}
MODELS = {
    "spca": SPCAPSD(**FAST),
    "cspca": CSPCAPSD(solver="reweighted", **FAST),
    "aw": AWSPCAPSD(**FAST),
}


def real_rows(dataset, n):
    data, _ = load(dataset)
    return data[np.random.default_rng(0).permutation(len(data))[:n]]


def assert_same(selector, plain):
    largest = plain.scores_.max()
    np.testing.assert_allclose(selector.scores_ / largest, plain.scores_ / largest, atol=1e-6)
    np.testing.assert_array_equal(selector.selected_, plain.selected_)


def batches(data, rows):
    return [data[start : start + rows] for start in range(0, len(data), rows)]


@pytest.mark.parametrize(("dataset", "n"), [("usps", 1000), ("pie", 1166)])
@pytest.mark.parametrize("rows", [1, 7, 2000])
def test_streamed_moments_of_real_data(dataset, n, rows):
    data = real_rows(dataset, n)
    plain = SPCAPSD(n_features_to_select=50).fit(data)
    parts = batches(data, rows)
    order = np.random.default_rng(1).permutation(len(parts))
    shuffled = [data[:0], *(parts[index] for index in order)]
    assert_same(clone(plain).fit(from_blocks(shuffled)), plain)
    if rows == 1:
        parts = [*parts[:100], data[100:]]
    streamed = clone(plain)
    for part in parts:
        streamed.partial_fit(part)
    assert_same(streamed.solve(), plain)


@pytest.mark.parametrize("model", ["cspca", "aw"])
@pytest.mark.parametrize(("dataset", "n", "rows"), [("usps", 500, 7), ("pie", 200, 90)])
def test_robust_models_take_several_passes(model, dataset, n, rows, monkeypatch):
    # Samples in memory have a start of their own, which ends elsewhere within the tolerance.
    monkeypatch.setattr("sparsecone.solvers.lyapunov.has_spectral_start", lambda _: False)
    data = real_rows(dataset, n)
    data = data[:, :: data.shape[1] // 200]
    plain = clone(MODELS[model]).fit(data)
    parts = batches(data, rows)[::-1]
    streamed = clone(MODELS[model]).fit(from_blocks([*parts, data[:0]]))
    assert_same(streamed, plain)
    assert streamed.solution_.status == "converged"


def test_a_start_in_memory_changes_the_objective_by_no_more_than_the_gap():
    data = real_rows("usps", 500)[:, ::3]
    plain = clone(MODELS["aw"]).fit(data).solution_
    streamed = clone(MODELS["aw"]).fit(from_blocks(batches(data, 90))).solution_
    for one, other in ((plain, streamed), (streamed, plain)):
        assert one.status == "converged"
        assert one.bound <= other.value


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("make", [np.asarray, sp.csr_array], ids=["dense", "sparse"])
def test_wide_blocks_never_form_the_square_matrix(model, make, monkeypatch):
    monkeypatch.setattr("sparsecone.data.blocks.LARGEST_GRAM", 100)
    monkeypatch.setattr("sparsecone.solvers.LARGEST_DENSE", 100)
    rng = np.random.default_rng(0)
    data = rng.normal(size=(40, 3)) @ rng.normal(size=(3, 200)) + 0.1 * rng.normal(size=(40, 200))
    # The trace term keeps the rank low, for the model that has none the weight of the norms does.
    selector = clone(MODELS[model]).set_params(solver="factored", tol=1e-2)
    plain = clone(selector).fit(data)
    streamed = clone(selector).fit(from_blocks([make(data[:13]), make(data[13:])]))
    np.testing.assert_allclose(streamed.scores_, plain.scores_, rtol=0.05, atol=0.02)
    assert streamed.solution_.gap <= 1e-2


def test_automatic_choice_of_solver():
    blocks = from_blocks(batches(X, 7))
    assert CSPCAPSD().fit(blocks).solution_.solver == "reweighted"
    assert SPCAPSD().fit(blocks).solution_.status == "converged"


def test_largest_lam_of_blocks():
    blocks = from_blocks(batches(X, 7))
    for model in ("spca-psd", "cspca-psd", "aw-spca-psd"):
        expected = lambda_max(X, model=model)
        np.testing.assert_allclose(lambda_max(blocks, model=model), expected, rtol=1e-5)


@pytest.mark.filterwarnings("ignore:.*duality gap.*:sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("solver", ["auto", "admm", "published"])
def test_fewer_samples_than_features(solver):
    data = np.random.default_rng(0).normal(size=(9, 30)) * np.linspace(1, 5, 30)
    model = SPCAPSD(solver=solver, lam=0.03, n_features_to_select=5, random_state=0)
    assert_same(clone(model).fit(from_blocks(batches(data, 4))), clone(model).fit(data))


def test_batches_are_solved_when_that_is_asked_for():
    selector = SPCAPSD(n_features_to_select=2)
    for start, stop in ((0, 20), (20, 30), (30, 50)):
        selector.partial_fit(X[start:stop])
        assert not hasattr(selector, "scores_")
        with pytest.raises(NotFittedError):
            selector.transform(X)
        selector.solve()
        np.testing.assert_allclose(selector.scores_, SPCAPSD().fit(X[:stop]).scores_, rtol=1e-7)
    assert selector.transform(X).shape == (50, 2)


def test_a_refused_batch_leaves_the_others():
    selector = SPCAPSD().partial_fit(X[:20])
    bad = X[20:30].copy()
    bad[3, 2] = np.nan
    for batch in (bad, X[20:30, :4], np.char.add(X[20:30].astype(str), "?")):
        with pytest.raises(ValueError, match=r"NaN|features|could not convert"):
            selector.partial_fit(batch)
    selector.partial_fit(X[20:]).solve()
    np.testing.assert_allclose(selector.scores_, SPCAPSD().fit(X).scores_, rtol=1e-9)


def test_one_sample_is_not_enough():
    selector = SPCAPSD().partial_fit(X[:1])
    with pytest.raises(NotFittedError, match=r"seen 1 sample\(s\), and two are needed"):
        selector.solve()
    with pytest.raises(NotFittedError, match=r"seen 0 sample\(s\)"):
        SPCAPSD().solve()
    assert selector.partial_fit(X[1:]).solve().scores_.shape == (6,)


def test_fit_forgets_the_stream():
    selector = SPCAPSD().partial_fit(X * 100).fit(X)
    np.testing.assert_array_equal(selector.scores_, SPCAPSD().fit(X).scores_)
    assert selector.partial_fit(X[:, :3]).solve().scores_.shape == (3,)


def test_a_stream_survives_pickling():
    selector = pickle.loads(pickle.dumps(SPCAPSD().partial_fit(X[:20])))
    selector.partial_fit(X[20:]).solve()
    np.testing.assert_allclose(selector.scores_, SPCAPSD().fit(X).scores_, rtol=1e-9)


def test_too_many_features_to_stream():
    with pytest.raises(ValueError, match=r"use fit with sparsecone\.from_blocks"):
        SPCAPSD().partial_fit(np.zeros((2, LARGEST_GRAM + 1)))


@pytest.mark.parametrize("power", [-400, 400])
def test_batches_of_any_scale_add_up(power: int) -> None:
    X = np.random.default_rng(0).normal(size=(60, 4)) * [1.0, 2.0, 3.0, 4.0]
    scaled = X * 2.0**power
    batched = SPCAPSD(n_features_to_select=2).partial_fit(scaled[:25]).partial_fit(scaled[25:])
    whole = SPCAPSD(n_features_to_select=2).fit(X)
    np.testing.assert_allclose(batched.solve().scores_, whole.scores_, rtol=1e-9)
    assert batched.solution_.value / 4.0**power == pytest.approx(whole.solution_.value, rel=1e-9)
