"""The documented defaults of every selector are those it has, and the limits let them through."""

from __future__ import annotations

import inspect
import re
from ast import literal_eval

import numpy as np
import pytest

from sparsecone import methods

# AllFeatures has no parameters.
SELECTORS = {method.name: method.selector for method in methods() if method.parameters}
# A parameter with a default: `tol : float, default=1e-4`.
DOCUMENTED = re.compile(r"^ {4}(\w+) : .*default=(\S+)$", re.MULTILINE)


@pytest.mark.parametrize("name", SELECTORS)
def test_defaults_are_documented(name: str) -> None:
    selector = SELECTORS[name]
    documented = dict(DOCUMENTED.findall(inspect.getdoc(selector).replace("\n", "\n    ")))
    given = inspect.signature(selector).parameters
    assert documented
    for parameter, text in documented.items():
        assert given[parameter].default == literal_eval(text), parameter


@pytest.mark.parametrize("name", SELECTORS)
def test_one_feature_of_few_samples_can_be_selected(name: str) -> None:
    selector = SELECTORS[name](n_features_to_select=1)
    parameters = selector.get_params()
    for least in ("n_clusters", "n_neighbors", "max_iter"):
        if least in parameters and least in selector._parameter_constraints:
            selector.set_params(**{least: 1})
            selector._validate_params()
            selector.set_params(**{least: 0})
            with pytest.raises(ValueError, match=least):
                selector._validate_params()
            selector.set_params(**{least: parameters[least]})
    X = np.random.default_rng(0).normal(size=(12, 3)) * [1.0, 2.0, 3.0]
    if "n_neighbors" in parameters:
        selector.set_params(n_neighbors=1)
    assert selector.fit(X).selected_.size == 1
