"""A selection on other samples is that of a fit to them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from sparsecone import AWSPCAPSD, CSPCAPSD, SPCAPSD
from sparsecone.selectors.resample import selected_again
from sparsecone.solvers import make_plan

RNG = np.random.default_rng(0)
X = RNG.normal(size=(120, 3)) * [3, 2, 1] @ RNG.normal(size=(3, 15)) + RNG.normal(size=(120, 15))


@pytest.mark.parametrize("number", ["auto", 4])
@pytest.mark.parametrize("model", [SPCAPSD, CSPCAPSD, AWSPCAPSD])
def test_it_is_that_of_a_fit(model: Any, number: Any) -> None:
    fitted = model(n_features_to_select=number).fit(X[::2])
    before = fitted.selected_.copy()
    again = clone(fitted).fit(X[1::2])
    np.testing.assert_array_equal(selected_again(fitted, X[1::2]), again.selected_)
    np.testing.assert_array_equal(fitted.selected_, before)


@pytest.mark.parametrize("power", [-300, 300])
def test_data_of_any_scale_select_the_same(power: int) -> None:
    for model in (SPCAPSD, AWSPCAPSD):
        fitted = model(n_features_to_select=4).fit(X * 2.0**power)
        np.testing.assert_array_equal(selected_again(fitted, X * 2.0**power), fitted.selected_)


def test_a_solver_that_is_asked_for_runs_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def noted(problem: Any, solver: str, random_state: Any) -> Any:
        asked.append(solver)
        return make_plan(problem, solver, random_state)

    monkeypatch.setattr("sparsecone.selectors.resample.make_plan", noted)
    for solver in ("admm", "factored", "auto"):
        fitted = SPCAPSD(n_features_to_select=2, solver=solver).fit(X)
        np.testing.assert_array_equal(selected_again(fitted, X), fitted.selected_)
    # Where none is asked for it starts from the solution that is known.
    assert asked == ["admm", "factored"]
