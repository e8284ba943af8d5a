"""CSPCA and AW-SPCA: descent, a convex solver as oracle, and the form for wide data."""

from __future__ import annotations

from itertools import islice
from typing import Any

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.linalg import qr
from sklearn.exceptions import ConvergenceWarning

from sparsecone.baselines.aw_spca import AWSPCA
from sparsecone.baselines.base import converge
from sparsecone.baselines.cspca import CSPCA
from sparsecone.baselines.self_representation import RIDGE, SMOOTHING, irls_steps

from shared import golden, load

MODELS = [
    pytest.param({"eta": 10.0, "recentre": False}, id="cspca"),
    pytest.param({"eta": 0.0, "recentre": False}, id="cspca-without-nuclear-norm"),
    pytest.param({"eta": 0.0, "recentre": True}, id="aw-spca"),
]


def centred(n_samples: int, n_features: int, seed: int = 0) -> Any:
    """Correlated samples with outliers, so that weights, offset and all norms matter."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, n_features)) @ rng.normal(size=(n_features, n_features))
    X[: n_samples // 4] *= 3.0
    X[: n_samples // 4] += 4.0
    return X - X.mean(axis=0)


def plain_steps(X: Any, lam: float, eta: float, recentre: bool) -> Any:
    """The formulas of the module docstring, word for word, with d x d matrices."""
    n, d = X.shape
    c, D, N = np.ones(n), np.eye(d), np.eye(d)
    while True:
        rows = X - np.average(X, axis=0, weights=c) if recentre else X
        S = rows.T @ np.diag(c) @ rows
        W = S @ np.linalg.inv(S + lam * D + eta / 2 * N + RIDGE * np.eye(d))
        residuals = np.linalg.norm(rows - rows @ W.T, axis=1)
        yield W, residuals
        c = 0.5 / np.sqrt(residuals**2 + SMOOTHING)
        D = np.diag(0.5 / np.sqrt(np.sum(W**2, axis=0) + SMOOTHING))
        values, vectors = np.linalg.eigh(W.T @ W)
        N = vectors @ np.diag(1.0 / np.sqrt(np.maximum(values, 0.0) + SMOOTHING)) @ vectors.T


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("shape", [(15, 6), (6, 15), (8, 8)])
def test_iterates_are_those_of_the_plain_formulas(
    model: dict[str, Any], shape: tuple[int, int]
) -> None:
    X = centred(*shape)
    wide = shape[1] > shape[0]
    basis = qr(X.T, mode="economic")[0] if wide else np.eye(shape[1])
    steps = zip(irls_steps(X, lam=8.0, **model), plain_steps(X, 8.0, **model), strict=False)
    W = np.zeros(0)
    for (found, value), (W, residuals) in islice(steps, 10):
        assert_allclose(basis @ found.M, W, atol=1e-8)
        assert_allclose(found.columns, np.linalg.norm(W, axis=0), atol=1e-8)
        norms = residuals.sum() + 8.0 * np.linalg.norm(W, axis=0).sum()
        nuclear = np.linalg.svd(W, compute_uv=False).sum()
        assert_allclose(value, norms + model["eta"] * nuclear, rtol=1e-8)
    assert np.abs(W - W.T).max() > 1e-3, "the last matrix is not symmetric"


@pytest.mark.parametrize("model", MODELS)
@given(
    seed=st.integers(0, 1000),
    shape=st.sampled_from([(12, 5), (5, 12)]),
    lam=st.sampled_from([0.1, 1.0, 30.0]),
)
def test_smoothed_objective_falls_at_every_step(
    model: dict[str, Any], seed: int, shape: tuple[int, int], lam: float
) -> None:
    def smooth(norms: Any) -> float:
        return float(np.sqrt(norms**2 + SMOOTHING).sum())

    steps = islice(irls_steps(centred(*shape, seed), lam=lam, **model), 60)
    values = [
        smooth(state.residuals)
        + lam * smooth(state.columns)
        + model["eta"] * smooth(state.singular)
        + RIDGE * np.sum(state.columns**2)
        for state, _ in steps
    ]
    assert np.diff(values).max() <= 1e-12 * values[0]


def optimum(X: Any, lam: float, eta: float, recentre: bool) -> float:
    """The least value of the objective over all square matrices, from a convex solver."""
    d = X.shape[1]
    W, v = cp.Variable((d, d)), cp.Variable((1, d))
    residuals = X - X @ W.T - (np.ones((len(X), 1)) @ v if recentre else 0.0)
    value = cp.sum(cp.norm(residuals, axis=1)) + lam * cp.sum(cp.norm(W, axis=0))
    problem = cp.Problem(cp.Minimize(value + eta * cp.normNuc(W)))
    return float(problem.solve(solver=cp.CLARABEL))


@pytest.mark.parametrize("model", MODELS)
def test_the_end_is_the_optimum_of_the_convex_problem(model: dict[str, Any]) -> None:
    X = centred(20, 4)
    best = optimum(X, 20.0, **model)
    at_zero, at_identity = np.linalg.norm(X, axis=1).sum(), 4 * (20.0 + model["eta"])
    assert best < 0.95 * min(at_zero, at_identity), "a trivial optimum would be no test"
    steps = irls_steps(X, lam=20.0, **model)
    value = converge(steps, max_iter=2000, tol=1e-9)[1][-1]
    assert best * (1 - 1e-6) <= value <= 1.01 * best
    sharper = irls_steps(X, lam=20.0, smoothing=1e-7, **model)
    assert converge(sharper, max_iter=20000, tol=1e-9)[1][-1] <= (1 + 1e-4) * best


@pytest.mark.parametrize(("dataset", "run"), [("isolet", "Isolet"), ("pie", "PIE")])
def test_first_update_is_that_of_the_published_psd_run(dataset: str, run: str) -> None:
    """From unit weights W is symmetric and positive semidefinite: the projection is idle."""
    X, _ = load(dataset)
    with pytest.warns(ConvergenceWarning):
        selector = AWSPCA(lam=10.0, max_iter=1).fit(X)
    reference = golden(f"AW_SPCA_PSD__{run}__all10")
    assert_allclose(selector.objective_[0], reference["objective"][0], rtol=1e-10)


def test_without_the_cone_the_objective_ends_below_the_published_psd_run() -> None:
    X, _ = load("colon")
    reference = golden("CSPCA_PSD__colon__all10__seed1")
    selector = CSPCA(lam=float(reference["lam"]), eta=float(reference["eta"])).fit(X)
    assert selector.objective_[-1] < reference["objective"].min()


def test_a_learned_offset_fits_better_than_the_mean() -> None:
    X = centred(20, 4)
    learned, mean = AWSPCA(lam=20.0).fit(X), CSPCA(lam=20.0, eta=0.0).fit(X)
    assert learned.objective_[-1] < mean.objective_[-1] - 0.1
