"""Regimes and degenerate data: the right answer, or a clear word."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.datasets import load_digits

from sparsecone import AWSPCAPSD, CSPCAPSD, SPCAPSD, Status, from_gram, lambda_max

from shared import load

MODELS = (SPCAPSD, CSPCAPSD, AWSPCAPSD)
SOLVERS = ("auto", "factored", "admm")
NAMES = {SPCAPSD: "spca-psd", CSPCAPSD: "cspca-psd", AWSPCAPSD: "aw-spca-psd"}


def structured(n: int = 60, d: int = 12, seed: int = 0) -> NDArray[Any]:
    """Return data of rank three with noise: the first features carry the most."""
    rng = np.random.default_rng(seed)
    loadings = rng.normal(size=(3, d)) * np.linspace(2.0, 0.2, d)
    return rng.normal(size=(n, 3)) @ loadings + 0.1 * rng.normal(size=(n, d))


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("lam", [0.0, 1.0])
def test_extreme_weights_of_the_column_norms(model: Any, lam: float) -> None:
    # Without any weight the optimum of AW-SPCA-PSD is W = I, and nothing is left but rounding.
    without = {"lam": 1e-2 * lam} if lam else {"lam": 0.0, "delta": 1e-5}
    weights = without if model is AWSPCAPSD else {"lam": lam, "eta": 0.01}
    selector = model(**weights).fit(structured())
    assert selector.solution_.status is Status.CONVERGED
    assert selector.scores_.any()


@pytest.mark.parametrize("part", [0.9, 0.98, 0.995, 1.005, 1.05, 1.2])
@pytest.mark.parametrize("name", ["digits", "isolet"])
def test_near_the_limit_of_lam_few_steps_prove_the_optimum(name: str, part: float) -> None:
    X = load_digits().data if name == "digits" else load("isolet")[0]
    limit = lambda_max(X, eta=0.02)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "W = 0 is optimal|.* a score of zero", UserWarning)
        solution = SPCAPSD(eta=0.02, lam=part * limit, solver="factored").fit(X).solution_
    assert solution.status is Status.CONVERGED
    assert solution.n_iter < 150
    # Closer to the limit than this a tiny W is as good as none, within the tolerance.
    if abs(part - 1.0) > 0.01:
        assert (solution.rank == 0) == (part > 1.0)


def test_without_column_norms_the_optimum_is_the_closed_form() -> None:
    X = structured()
    selector = SPCAPSD(lam=0.0, eta=0.05).fit(X)
    centred = X - X.mean(axis=0)
    values, vectors = np.linalg.eigh(centred.T @ centred)
    W = (vectors * np.maximum(1.0 - selector.eta_ / (2.0 * values), 0.0)) @ vectors.T
    np.testing.assert_allclose(selector.scores_, np.linalg.norm(W, axis=0), rtol=1e-8, atol=1e-10)
    assert selector.solution_.gap <= 1e-10
    assert selector.n_iter_ == 1


@pytest.mark.parametrize("solver", SOLVERS)
def test_tiny_trace_weight(solver: str) -> None:
    selector = SPCAPSD(eta=1e-4, solver=solver).fit(structured())
    assert selector.solution_.status is Status.CONVERGED


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("solver", SOLVERS)
def test_zero_optimum_is_found_and_named(model: Any, solver: str) -> None:
    X = structured()
    limit = lambda_max(X, model=NAMES[model])
    selector = model(lam=1.2 * limit, solver=solver, n_features_to_select=3)
    with pytest.warns(UserWarning, match="W = 0 is optimal.*lam below") as caught:
        selector.fit(X)
    named = float(str(caught[0].message).split("lam below ")[1].rstrip("."))
    assert named == pytest.approx(limit, rel=1e-3)
    assert selector.solution_.status is Status.CONVERGED
    # Nothing has a score: the features that explain most are kept, not the first columns.
    most = SPCAPSD(n_features_to_select=3, selection="explained").fit(X).selected_
    np.testing.assert_array_equal(selector.selected_, most)
    below = model(lam=0.97 * limit, n_features_to_select=1).fit(X)
    assert below.scores_.any()


def test_zero_optimum_because_of_the_trace_weight() -> None:
    X = structured()
    assert lambda_max(X, eta=3.0) == 0.0
    with pytest.warns(UserWarning, match="lower eta"):
        SPCAPSD(eta=3.0).fit(X)


def test_lambda_max_of_independent_features_is_known() -> None:
    # For a diagonal S the best direction is the feature with the largest variance.
    X = np.vstack([np.diag([3.0, 2.0, 1.0]), -np.diag([3.0, 2.0, 1.0])])
    limit = lambda_max(X, eta=4.0, units="absolute")
    assert limit == pytest.approx(2.0 * 18.0 - 4.0, rel=1e-6)


@pytest.mark.parametrize("model", MODELS)
def test_constant_columns_score_nothing(model: Any) -> None:
    X = structured()
    X[:, [1, 5]] = 7.0
    selector = model().fit(X)
    assert np.all(selector.scores_[[1, 5]] <= 1e-6 * selector.scores_.max())


@pytest.mark.parametrize("model", MODELS)
def test_duplicate_columns_score_the_same(model: Any) -> None:
    X = structured()
    X[:, 4] = X[:, 2]
    selector = model(tol=1e-6, n_features_to_select=3).fit(X)
    assert selector.scores_[4] == pytest.approx(selector.scores_[2], rel=2e-2)


@pytest.mark.parametrize("model", MODELS)
def test_duplicate_rows_double_the_objective(model: Any) -> None:
    X = structured()
    selector = model() if model is AWSPCAPSD else model(eta=0.01, lam=0.1)
    once, twice = clone(selector).fit(X), clone(selector).fit(np.vstack([X, X]))
    assert twice.solution_.value == pytest.approx(2.0 * once.solution_.value, rel=2e-4)
    np.testing.assert_allclose(twice.scores_, once.scores_, atol=2e-2 * once.scores_.max())


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("shape", [(2, 6), (10, 1), (2, 1), (9, 9), (5, 40)], ids=str)
def test_small_shapes(model: Any, shape: tuple[int, int]) -> None:
    X = np.random.default_rng(0).normal(size=shape)
    selector = model().fit(X)
    assert selector.transform(X).shape == (shape[0], max(1, shape[1] // 2))
    assert selector.solution_.status is Status.CONVERGED


@pytest.mark.parametrize("model", MODELS)
def test_rank_one_data(model: Any) -> None:
    X = np.outer(np.arange(20.0), [4.0, 3.0, 2.0, 1.0])
    np.testing.assert_array_equal(model().fit(X).ranking_, [1, 2, 3, 4])


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("factor", [1e8, 1e-8])
def test_scaling_all_data_changes_nothing(model: Any, factor: float) -> None:
    X = structured()
    plain, scaled = model().fit(X), model().fit(factor * X)
    np.testing.assert_array_equal(plain.selected_, scaled.selected_)
    np.testing.assert_allclose(scaled.scores_, plain.scores_, atol=1e-3)


@pytest.mark.parametrize("model", MODELS)
def test_a_column_a_million_times_larger(model: Any) -> None:
    X = structured()
    X[:, 7] *= 1e6
    # Most residuals of AW-SPCA-PSD all but vanish here: its proof takes long without a smoothing.
    given = {"delta": 1e-5} if model is AWSPCAPSD else {}
    selector = model(n_features_to_select=1, **given).fit(X)
    assert selector.ranking_[7] == 1
    assert selector.solution_.status is Status.CONVERGED


@pytest.mark.parametrize("model", MODELS)
def test_permuting_columns_permutes_scores(model: Any) -> None:
    X = structured()
    order = np.random.default_rng(1).permutation(X.shape[1])
    scores = model(tol=1e-6).fit(X).scores_
    permuted = model(tol=1e-6).fit(X[:, order]).scores_
    np.testing.assert_allclose(permuted, scores[order], atol=5e-3 * scores.max())


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("solver", [*SOLVERS, "published"])
@pytest.mark.filterwarnings("ignore:.*published algorithm.*:sklearn.exceptions.ConvergenceWarning")
def test_sparse_and_single_precision_agree_with_dense(model: Any, solver: str) -> None:
    X = structured() * (np.random.default_rng(2).uniform(size=(60, 12)) < 0.5)
    smoothed = {"delta": 1e-5} if model is AWSPCAPSD else {}
    expected = model(solver=solver, random_state=0, **smoothed).fit(X)
    for other in (sp.csr_array(X), sp.csc_matrix(X), X.astype(np.float32)):
        selector = model(solver=solver, random_state=0, **smoothed).fit(other)
        assert selector.solution_.value == pytest.approx(expected.solution_.value, rel=2e-4)
        np.testing.assert_allclose(selector.scores_, expected.scores_, atol=1e-2)


def test_fit_from_a_gram_matrix() -> None:
    X = structured()
    centred = X - X.mean(axis=0)
    for solver in SOLVERS:
        direct = SPCAPSD(solver=solver).fit(X)
        moments = SPCAPSD(solver=solver).fit(from_gram(centred.T @ centred, n_samples=60))
        np.testing.assert_allclose(moments.scores_, direct.scores_, rtol=1e-6, atol=1e-8)
        np.testing.assert_array_equal(moments.transform(X), direct.transform(X))
    for model in (CSPCAPSD, AWSPCAPSD):
        with pytest.raises(TypeError, match="needs X itself"):
            model().fit(from_gram(centred.T @ centred))


def test_offset_reconstructs_the_data() -> None:
    X = structured() + 100.0
    selector = AWSPCAPSD(lam=1e-6).fit(X)
    W = selector.solution_.factor @ selector.solution_.factor.T
    np.testing.assert_allclose(X @ W + selector.offset_, X, atol=1e-2)


def test_robust_models_resist_outlying_samples() -> None:
    X = structured(n=200)
    dirty = X.copy()
    dirty[:2, 11] += 30.0
    settings = {"n_features_to_select": 3, "eta": 0.2}
    clean = set(SPCAPSD(**settings).fit(X).selected_)
    assert set(CSPCAPSD(**settings).fit(dirty).selected_) == clean
    assert set(SPCAPSD(**settings).fit(dirty).selected_) != clean


def test_auto_says_which_solver_ran() -> None:
    X, _ = load_digits(return_X_y=True)
    assert SPCAPSD(eta=0.1).fit(X).solution_.solver == "factored"
    assert AWSPCAPSD().fit(X).solution_.solver == "lyapunov"


def test_auto_falls_over_when_the_first_solver_stalls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sparsecone.solvers.FACTORED_STEPS", 2)
    X, _ = load_digits(return_X_y=True)
    solution = SPCAPSD(eta=0.1).fit(X).solution_
    assert solution.solver == "factored, admm"
    assert solution.status is Status.CONVERGED


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    "dataset", ["colon", "allaml", "isolet", "usps", "pie", "orlraws10p", "warppie10p", "mnist"]
)
def test_defaults_select_something_on_every_reference_set(model: Any, dataset: str) -> None:
    X, _ = load(dataset)
    X = X[:: max(1, len(X) // 2000)]
    if model is AWSPCAPSD:
        # Nearly full rank makes this model slow: the selection is there long before the proof.
        selector = model(max_time=5.0, n_features_to_select=50)
    else:
        selector = model(n_features_to_select=50)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        selector.fit(X)
    assert not [w for w in caught if "W = 0" in str(w.message)]
    assert np.count_nonzero(selector.scores_) >= 50
    assert np.unique(selector.scores_[selector.selected_]).size >= 45


@pytest.mark.parametrize("scale", [1.0, 1e100])
def test_the_weight_that_selects_something_is_told_in_the_units_of_the_data(scale: float) -> None:
    X = scale * np.random.default_rng(0).normal(size=(30, 5)) * [3.0, 2.0, 1.0, 1.0, 1.0]
    eta = 1.0 * scale**2
    with pytest.warns(UserWarning, match="Something is selected for lam below") as told:
        SPCAPSD(lam=1e4 * scale**2, eta=eta, units="absolute").fit(X)
    limit = float(str(told[-1].message).rsplit(" ", 1)[1].rstrip("."))
    found = SPCAPSD(lam=0.9 * limit, eta=eta, units="absolute").fit(X)
    assert found.scores_.max() > 0.0
    with pytest.warns(UserWarning, match="W = 0 is optimal"):
        SPCAPSD(lam=1.1 * limit, eta=eta, units="absolute").fit(X)
