"""What the selectors that rest on a neighbour graph have in common."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from sparsecone.baselines.fsasl import FSASL
from sparsecone.baselines.jelsr import JELSR
from sparsecone.baselines.laplacian_score import LaplacianScore
from sparsecone.baselines.mcfs import MCFS
from sparsecone.baselines.ndfs import NDFS
from sparsecone.baselines.rne import RNE
from sparsecone.baselines.rufs import RUFS
from sparsecone.baselines.sogfs import SOGFS
from sparsecone.baselines.spec import SPEC
from sparsecone.baselines.udfs import UDFS

SPARSE_TOO = [LaplacianScore(), SPEC(), SPEC(criterion="leading")]
DENSE_ONLY = [
    UDFS(),
    SOGFS(),
    RNE(random_state=0),
    MCFS(),
    MCFS(path="lasso"),
    MCFS(path="scikit-learn"),
    NDFS(random_state=0),
    NDFS(start="samples", random_state=0),
    JELSR(),
    RUFS(random_state=0),
    FSASL(),
]
SELECTORS = [*SPARSE_TOO, *DENSE_ONLY]

every = pytest.mark.parametrize("selector", SELECTORS, ids=lambda s: type(s).__name__)


@parametrize_with_checks(SELECTORS)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.fixture(name="X")
def samples():
    return np.random.default_rng(0).normal(size=(40, 12))


@every
def test_fitted_attributes_agree(selector, X):
    fitted = clone(selector).set_params(n_features_to_select=5).fit(X)
    order = np.argsort(-fitted.scores_, kind="stable")
    np.testing.assert_array_equal(fitted.ranking_[order], np.arange(1, 13))
    np.testing.assert_array_equal(fitted.selected_, order[:5])
    np.testing.assert_array_equal(np.flatnonzero(fitted.support_), np.sort(order[:5]))
    assert fitted.n_iter_ == getattr(fitted, "objective_", np.zeros(fitted.n_iter_)).size
    np.testing.assert_array_equal(fitted.transform(X), X[:, np.sort(order[:5])])


@every
@pytest.mark.parametrize("n_samples", [3, 5])
def test_too_few_samples_for_the_neighbours(selector, X, n_samples):
    with pytest.raises(ValueError, match=f"n_samples={n_samples}: lower n_neighbors"):
        clone(selector).fit(X[:n_samples])


@every
def test_constant_features_rank_last(selector, X):
    X[:, [2, 7]] = [0.0, 3.7]
    fitted = clone(selector).fit(X)
    assert set(fitted.ranking_[[2, 7]]) == {11, 12}
    assert np.all(fitted.scores_[[2, 7]] == (-np.inf if selector in SPARSE_TOO else 0))
    assert np.all(np.isfinite(np.delete(fitted.scores_, [2, 7])))


@every
def test_duplicate_samples_and_features(selector, X):
    X = np.hstack([X, X[:, :1]])
    X = np.repeat(X, 3, axis=0)
    fitted = clone(selector).fit(X)
    assert np.all(np.isfinite(fitted.scores_))
    if not isinstance(selector, RNE | MCFS):
        assert fitted.scores_[0] == pytest.approx(fitted.scores_[-1], rel=1e-6)


@every
def test_more_duplicates_than_neighbours(selector, X):
    """A neighbourhood is then a single point, which tells no features apart."""
    X = np.repeat(X[:6], 9, axis=0)
    if isinstance(selector, UDFS | SOGFS):
        with pytest.raises(ValueError, match="differ from their neighbours in 0 independent"):
            clone(selector).fit(X)
    else:
        assert np.all(np.isfinite(clone(selector).fit(X).scores_))


@every
@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.uint8])
def test_other_types_give_the_scores_of_their_values(selector, dtype):
    X = np.random.default_rng(0).integers(0, 200, size=(40, 12))
    expected = clone(selector).fit(X.astype(np.float64)).scores_
    np.testing.assert_allclose(clone(selector).fit(X.astype(dtype)).scores_, expected, rtol=1e-4)


@every
def test_fit_leaves_read_only_input_alone(selector, X):
    X[:, 0] = 1.0
    before = X.copy()
    X.setflags(write=False)
    clone(selector).fit(X)
    np.testing.assert_array_equal(X, before)


@every
@pytest.mark.parametrize(("factor", "problem"), [(1e200, "overflow"), (1e-200, "vanish")])
def test_squares_out_of_range_are_told(selector, X, factor, problem):
    with pytest.raises(ValueError, match=f"The squares of the values {problem}"):
        clone(selector).fit(factor * X)


@every
def test_features_of_very_different_scales(selector, X):
    assert np.all(np.isfinite(clone(selector).fit(X * np.logspace(-6, 6, 12)).scores_))


@pytest.mark.parametrize("selector", DENSE_ONLY, ids=lambda s: type(s).__name__)
def test_sparse_data_are_refused_where_they_would_be_densified(selector, X):
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        clone(selector).fit(sp.csr_array(X))


@pytest.mark.parametrize("selector", DENSE_ONLY, ids=lambda s: type(s).__name__)
def test_nothing_varies(selector):
    with pytest.raises(ValueError, match="not constant, 0 of n_features=4"):
        clone(selector).fit(np.ones((20, 4)))


@every
def test_names_are_kept_in_pipelines(selector, X):
    table = pd.DataFrame(X, columns=[f"gene {j}" for j in range(12)])
    pipeline = make_pipeline(StandardScaler(), clone(selector).set_params(n_features_to_select=3))
    chosen = pipeline.set_output(transform="pandas").fit_transform(table).columns
    np.testing.assert_array_equal(chosen, table.columns[np.sort(pipeline[-1].selected_)])


@every
def test_the_same_fit_gives_the_same_scores(selector, X):
    first, second = (clone(selector).fit(X).scores_ for _ in range(2))
    np.testing.assert_array_equal(first, second)


@every
@pytest.mark.parametrize("wanted", [0, 13, 1.5, 0.0])
def test_impossible_numbers_of_features(selector, X, wanted):
    with pytest.raises(ValueError, match="n_features_to_select"):
        clone(selector).set_params(n_features_to_select=wanted).fit(X)
