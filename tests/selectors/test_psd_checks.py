"""Every check of scikit-learn, for every model with every solver."""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from sparsecone import AWSPCAPSD, CSPCAPSD, SPCAPSD

MODELS = (SPCAPSD, CSPCAPSD, AWSPCAPSD)
CERTIFIED = ("auto", "factored", "admm")


@parametrize_with_checks([model(solver=solver) for model in MODELS for solver in CERTIFIED])
def test_scikit_learn_checks(estimator: Any, check: Any) -> None:
    check(estimator)


# The published algorithm does not converge and says so at every fit.
@pytest.mark.filterwarnings("ignore:.*duality gap.*:sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks([model(solver="published") for model in MODELS])
def test_scikit_learn_checks_of_the_published_algorithm(estimator: Any, check: Any) -> None:
    check(estimator)
