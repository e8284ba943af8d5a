"""Bad input: each a clear error of the type scikit-learn users expect."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from sparsecone import AWSPCAPSD, CSPCAPSD, SPCAPSD, from_gram, lambda_max

MODELS = (SPCAPSD, CSPCAPSD, AWSPCAPSD)
GOOD = np.random.default_rng(0).normal(size=(10, 4))


def with_entry(value: float) -> Any:
    X = GOOD.copy()
    X[3, 2] = value
    return X


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    ("X", "message"),
    [
        (with_entry(np.nan), "NaN"),
        (with_entry(np.inf), "infinity"),
        (sp.csr_array(with_entry(np.nan)), "NaN"),
        ([["a", "b"], ["c", "d"]], "could not convert string to float"),
        (pd.DataFrame({"x": [1.0, 2.0], "name": ["a", "b"]}), "could not convert string to float"),
        (np.empty((0, 3)), "0 sample"),
        (np.empty((5, 0)), "0 feature"),
        (GOOD[:, 0], "Expected 2D array"),
        (GOOD[:1], "minimum of 2 is required"),
        (GOOD * 1e200, "overflow"),
        (GOOD * 1e-200, "vanish"),
    ],
    ids=str,
)
def test_bad_data(model: Any, X: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        model().fit(X)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_features_to_select": 0}, "between 1 and the number of features, 4"),
        ({"n_features_to_select": 5}, "between 1 and the number of features, 4"),
        ({"n_features_to_select": 1.5}, r"must lie in \(0, 1\]"),
        ({"n_features_to_select": 0.0}, r"must lie in \(0, 1\]"),
        ({"n_features_to_select": "all"}, "n_features_to_select"),
        ({"lam": -0.1}, "'lam' parameter"),
        ({"solver": "newton"}, "'solver' parameter"),
        ({"units": "percent"}, "'units' parameter"),
        ({"tol": -1.0}, "'tol' parameter"),
        ({"max_iter": 0}, "'max_iter' parameter"),
        ({"max_time": 0.0}, "'max_time' parameter"),
        ({"callback": 3}, "'callback' parameter"),
    ],
    ids=str,
)
def test_bad_parameters(model: Any, parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        model(**parameters).fit(GOOD)


@pytest.mark.parametrize("model", [SPCAPSD, CSPCAPSD])
def test_negative_trace_weight(model: Any) -> None:
    with pytest.raises(ValueError, match="'eta' parameter"):
        model(eta=-1.0).fit(GOOD)


@pytest.mark.parametrize("model", [CSPCAPSD, AWSPCAPSD])
def test_smoothing_must_not_be_negative(model: Any) -> None:
    with pytest.raises(ValueError, match="'delta' parameter"):
        model(delta=-1e-3).fit(GOOD)
    norm, none = model(delta=0.0).fit(GOOD), model().fit(GOOD)
    np.testing.assert_array_equal(norm.scores_, none.scores_)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
def test_constant_data_say_so(model: Any, make: Any) -> None:
    with pytest.warns(UserWarning, match="All features are constant"):
        selector = model().fit(make(np.full((5, 4), 3.0)))
    np.testing.assert_array_equal(selector.selected_, [0, 1])


@pytest.mark.parametrize(
    ("S", "options", "message"),
    [
        (np.ones((3, 2)), {}, "square"),
        (np.array([[1.0, 2.0], [0.0, 1.0]]), {}, "symmetric"),
        (-np.eye(3), {}, "negative eigenvalue"),
        (np.eye(3), {"n_samples": 1}, "at least 2"),
        (np.eye(3), {"mean": [1.0]}, "shape"),
        (np.full((2, 2), np.nan), {}, "NaN"),
    ],
)
def test_bad_gram_matrices(S: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        from_gram(S, **options)


def test_unknown_model() -> None:
    with pytest.raises(ValueError, match="aw-spca-psd"):
        lambda_max(GOOD, model="pca")
