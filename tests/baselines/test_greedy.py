"""What CUR and FPS have in common: the contract of scikit-learn, the order of choice, the edges."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from sparsecone.baselines.cur import CUR
from sparsecone.baselines.fps import FPS

METHODS = [CUR(), CUR(n_components=3), FPS()]
SHAPES = [(40, 12), (40, 40), (15, 60)]
each_method = pytest.mark.parametrize("method", METHODS, ids=str)
each_shape = pytest.mark.parametrize("shape", SHAPES, ids=str)


def normal(shape: tuple[int, int]) -> Any:
    return np.random.default_rng(0).normal(3.0, size=shape) * np.linspace(1, 3, shape[1])


@parametrize_with_checks(METHODS)
def test_scikit_learn_checks(estimator: Any, check: Any) -> None:
    check(estimator)


@each_method
@each_shape
def test_the_first_features_are_the_same_whatever_number_is_asked_for(
    method: Any, shape: tuple[int, int]
) -> None:
    X = normal(shape)
    few, many = (clone(method).set_params(n_features_to_select=k).fit(X) for k in (4, 9))
    assert_array_equal(few.selected_, many.selected_[:4])
    assert_array_equal(np.argsort(few.ranking_)[:4], few.selected_)
    assert (few.n_iter_, many.n_iter_) == (4, 9)
    others = np.argsort(few.ranking_)[4:]
    assert np.all(np.diff(few.scores_[others]) <= 0)


@each_method
@each_shape
@pytest.mark.parametrize("layout", [sp.csr_array, sp.csc_matrix])
def test_sparse_data_give_the_same_choice(method: Any, shape: tuple[int, int], layout: Any) -> None:
    X = np.maximum(normal(shape) - 3.0, 0.0)
    dense, sparse = (
        clone(method).set_params(n_features_to_select=9).fit(Z) for Z in (X, layout(X))
    )
    assert_array_equal(sparse.selected_, dense.selected_)
    assert_allclose(sparse.scores_, dense.scores_, rtol=1e-6, atol=1e-8)


@each_method
@each_shape
def test_constant_and_repeated_features_come_last(method: Any, shape: tuple[int, int]) -> None:
    X = normal(shape)
    X[:, 2] = 7.5
    X[:, 5] = X[:, 4] + 1.0
    n_distinct = min(shape[1] - 2, shape[0] - 1)
    fitted = clone(method).set_params(n_features_to_select=1.0).fit(X)
    assert fitted.scores_[2] == pytest.approx(0.0, abs=1e-12)
    assert fitted.ranking_[2] > n_distinct
    assert max(fitted.ranking_[[4, 5]]) > n_distinct


@each_method
def test_shifts_and_a_common_scale_change_nothing(method: Any) -> None:
    X = normal((40, 12))
    expected = clone(method).fit(X).selected_
    assert_array_equal(clone(method).fit(1e3 * X + np.arange(12)).selected_, expected)


@each_method
def test_nothing_varies(method: Any) -> None:
    with pytest.raises(ValueError, match="Every feature of X is constant"):
        clone(method).fit(np.ones((20, 4)))


@each_method
def test_names_are_kept_in_pipelines(method: Any) -> None:
    table = pd.DataFrame(normal((40, 12)), columns=[f"gene {j}" for j in range(12)])
    pipeline = make_pipeline(StandardScaler(), clone(method).set_params(n_features_to_select=3))
    chosen = pipeline.set_output(transform="pandas").fit_transform(table).columns
    expected = np.sort(pipeline[-1].selected_)
    assert_array_equal(chosen, table.columns[expected])
    assert_array_equal(pipeline.get_feature_names_out(), chosen)


@each_method
@pytest.mark.parametrize("wanted", [0, 13, 1.5])
def test_impossible_numbers_of_features(method: Any, wanted: float) -> None:
    with pytest.raises(ValueError, match="n_features_to_select"):
        clone(method).set_params(n_features_to_select=wanted).fit(normal((40, 12)))


@each_method
@each_shape
def test_what_is_excluded_takes_no_part(method: Any, shape: tuple[int, int]) -> None:
    X = normal(shape)
    X[:, 3] *= 100.0
    X[:, 7] += X[:, 3]
    without = np.delete(np.arange(shape[1]), [3, 7])
    fitted = clone(method).set_params(n_features_to_select=5, exclude=[3, 7]).fit(X)
    expected = clone(method).set_params(n_features_to_select=5).fit(X[:, without])
    assert_array_equal(fitted.selected_, without[expected.selected_])


@each_method
@each_shape
def test_one_of_a_group_closes_the_others(method: Any, shape: tuple[int, int]) -> None:
    """The first choice leaves out its group, as if that had never been there."""
    X = normal(shape)
    X[:, :2] *= 100.0
    first = int(clone(method).set_params(n_features_to_select=1).fit(X).selected_[0])
    fitted = clone(method).set_params(n_features_to_select=5, groups=[[0, 1]]).fit(X)
    without = np.delete(np.arange(shape[1]), 1 - first)
    expected = clone(method).set_params(n_features_to_select=5).fit(X[:, without])
    assert first in (0, 1)
    assert_array_equal(fitted.selected_, without[expected.selected_])


@each_method
@each_shape
def test_what_is_kept_counts_when_others_are_chosen(method: Any, shape: tuple[int, int]) -> None:
    X = normal(shape)
    X[:, 2] = 7.5
    X[:, 5] = X[:, 4] + 1e-3 * X[:, 6]
    chosen = clone(method).set_params(n_features_to_select=6, keep=[2, 5]).fit(X).selected_
    assert_array_equal(np.sort(chosen[:2]), [2, 5])
    assert 4 not in chosen
