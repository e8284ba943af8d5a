"""The selectors among scikit-learn's tools, their tables, and their endings."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from sparsecone import AWSPCAPSD, CSPCAPSD, SPCAPSD, Progress, Status, from_gram

MODELS = (SPCAPSD, CSPCAPSD, AWSPCAPSD)
X, Y = load_iris(return_X_y=True)
FRAME = load_iris(as_frame=True).data


@pytest.mark.parametrize("model", MODELS)
def test_pipeline_grid_search_and_clone(model: Any) -> None:
    pipeline = make_pipeline(model(), LogisticRegression(max_iter=1000))
    name = pipeline.steps[0][0]
    grid = GridSearchCV(pipeline, {f"{name}__n_features_to_select": [1, 2, 0.75]}, cv=3)
    grid.fit(X, Y)
    assert grid.best_score_ > 0.8
    assert clone(grid.best_estimator_[0]).get_params() == grid.best_estimator_[0].get_params()


@pytest.mark.parametrize("model", MODELS)
def test_pickling_keeps_everything(model: Any) -> None:
    selector = model().fit(X)
    copy = pickle.loads(pickle.dumps(selector))
    np.testing.assert_array_equal(copy.transform(X), selector.transform(X))
    assert copy.solution_.gap == selector.solution_.gap
    assert copy.solution_.history == selector.solution_.history


@pytest.mark.parametrize("model", MODELS)
def test_tables_keep_their_names(model: Any) -> None:
    selector = model(n_features_to_select=2).set_output(transform="pandas").fit(FRAME)
    names = [FRAME.columns[j] for j in np.flatnonzero(selector.support_)]
    reduced = selector.transform(FRAME)
    assert isinstance(reduced, pd.DataFrame)
    assert list(reduced.columns) == names == list(selector.get_feature_names_out())
    table = pl.from_pandas(FRAME)
    selector = model(n_features_to_select=2).set_output(transform="polars").fit(table)
    reduced = selector.transform(table)
    assert isinstance(reduced, pl.DataFrame)
    assert reduced.columns == names
    assert list(selector.feature_names_in_) == list(FRAME.columns)


def test_gram_matrices_keep_their_names() -> None:
    S = FRAME.cov() * (len(FRAME) - 1)
    selector = SPCAPSD(n_features_to_select=1).fit(from_gram(S))
    assert list(selector.get_feature_names_out()) == ["petal length (cm)"]


@pytest.mark.parametrize("model", MODELS)
def test_the_same_fit_twice_and_the_input_unchanged(model: Any) -> None:
    before = X.copy()
    first, second = (model(random_state=0).fit(X) for _ in range(2))
    np.testing.assert_array_equal(first.scores_, second.scores_)
    np.testing.assert_array_equal(X, before)


def test_attributes_fit_together() -> None:
    selector = SPCAPSD(n_features_to_select=3, selection="scores", eta=0.01, lam=0.1).fit(X)
    solution = selector.solution_
    order = np.argsort(-selector.scores_, kind="stable")
    np.testing.assert_array_equal(selector.selected_, order[:3])
    np.testing.assert_array_equal(np.argsort(selector.ranking_), order)
    np.testing.assert_array_equal(np.flatnonzero(selector.support_), np.sort(order[:3]))
    W = solution.factor @ solution.factor.T
    np.testing.assert_allclose(selector.scores_, np.linalg.norm(W, axis=0))
    assert solution.bound <= solution.value
    assert solution.gap == pytest.approx((solution.value - solution.bound) / solution.value)
    assert solution.rank == solution.factor.shape[1]
    assert selector.n_iter_ == solution.n_iter == solution.history[-1].n_iter
    assert selector.lam_ == pytest.approx(0.1 * selector.eta_)
    assert np.all(np.diff([record.bound for record in solution.history]) >= 0.0)
    assert np.all(np.diff([record.elapsed for record in solution.history]) >= 0.0)


def test_equal_scores_rank_by_index() -> None:
    rows = np.vstack([np.eye(4), -np.eye(4)])
    np.testing.assert_array_equal(SPCAPSD(solver="admm").fit(rows).ranking_, [1, 2, 3, 4])


@pytest.mark.parametrize("limit", [{"max_iter": 1}, {"max_time": 1e-9}], ids=str)
@pytest.mark.parametrize("model", MODELS)
def test_ends_before_the_tolerance_are_said(model: Any, limit: dict[str, Any]) -> None:
    with pytest.warns(ConvergenceWarning, match="relative duality gap of"):
        selector = model(**limit, lam=0.05, tol=1e-9).fit(X)
    assert selector.solution_.status in (Status.MAX_ITER, Status.MAX_TIME)
    assert selector.solution_.gap > 1e-9


@pytest.mark.parametrize("model", MODELS)
def test_a_tolerance_below_rounding_is_refused(model: Any) -> None:
    with pytest.raises(
        ValueError, match=r"tol=1e-16 is below what rounding allows .* about \d\.\de-\d"
    ):
        model(tol=1e-16).fit(X)


@pytest.mark.parametrize("model", [SPCAPSD, CSPCAPSD])
def test_the_published_algorithm_says_that_it_is_not_optimal(model: Any) -> None:
    with pytest.warns(ConvergenceWarning, match="solver='auto' does"):
        selector = model(solver="published", random_state=0).fit(X)
    optimum = model().fit(X).solution_
    assert selector.solution_.bound <= optimum.value <= selector.solution_.value * (1 + 1e-4)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.filterwarnings("ignore:.*published algorithm.*:sklearn.exceptions.ConvergenceWarning")
def test_the_published_algorithm_never_converges(model: Any) -> None:
    for tol in (1e-4, 0.999):
        selector = model(solver="published", random_state=0, tol=tol).fit(X)
        assert selector.solution_.status is Status.STALLED


def test_interruption_leaves_the_best_iterate_and_no_fit() -> None:
    seen: list[Progress] = []

    def interrupt(progress: Progress) -> None:
        seen.append(progress)
        if len(seen) == 3:
            raise KeyboardInterrupt

    selector = SPCAPSD(callback=interrupt, solver="admm", tol=1e-10)
    with pytest.raises(KeyboardInterrupt):
        selector.fit(X)
    assert seen[-1].scores.shape == (4,)
    assert seen[-1].record.n_iter >= 3
    with pytest.raises(NotFittedError):
        selector.transform(X)


def test_verbose_prints_the_gap(capsys: pytest.CaptureFixture[str]) -> None:
    SPCAPSD(verbose=1).fit(X)
    lines = capsys.readouterr().out.splitlines()
    assert lines
    assert all("gap" in line and "bound" in line for line in lines)
