"""Selections on subsamples start from the fit to all samples, and are those of a fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.feature_selection import VarianceThreshold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sparsecone import AWSPCAPSD, CSPCAPSD, SPCAPSD, MaxVariance
from sparsecone.selectors import resample
from sparsecone.solve import solve
from sparsecone.stability import selection_stability
from sparsecone.stability.subsamples import selections_on

DIGITS = load_digits(return_X_y=True)[0][:400]
DRAWS = [np.arange(0, 400, 2), np.arange(100, 300)]


@pytest.mark.parametrize("number", [8, "auto"])
@pytest.mark.parametrize("model", [SPCAPSD, CSPCAPSD, AWSPCAPSD])
def test_they_are_those_of_a_fit(model: Any, number: Any) -> None:
    selector = model(n_features_to_select=number, tol=1e-6)
    found = selections_on(selector, DIGITS, DRAWS, None)
    for draw, selected in zip(DRAWS, found, strict=True):
        expected = clone(selector).fit(DIGITS[draw]).selected_
        assert len(set(selected) & set(expected)) >= 0.9 * expected.size


@pytest.mark.parametrize("solver", ["factored", "published"])
@pytest.mark.filterwarnings("ignore:.*duality gap.*:sklearn.exceptions.ConvergenceWarning")
def test_a_solver_that_was_asked_for_is_taken(solver: str) -> None:
    selector = SPCAPSD(n_features_to_select=8, solver=solver, random_state=0)
    (found,) = selections_on(selector, DIGITS, DRAWS[:1], None)
    np.testing.assert_array_equal(found, clone(selector).fit(DIGITS[DRAWS[0]]).selected_)


def test_they_start_from_the_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    starts = []

    def watched(problem: Any, plan: Any, **given: Any) -> Any:
        starts.append(plan.start.L)
        return solve(problem, plan, **given)

    monkeypatch.setattr(resample, "solve", watched)
    fitted = SPCAPSD(n_features_to_select=8).fit(DIGITS)
    selections_on(fitted, DIGITS, DRAWS, None)
    assert len(starts) == 2
    for start in starts:
        np.testing.assert_array_equal(start, fitted.solution_.factor)


def test_a_fitted_selector_is_not_fitted_again() -> None:
    fitted = SPCAPSD(n_features_to_select=8).fit(DIGITS)
    before = fitted.solution_
    again = selection_stability(fitted, DIGITS, n_resamples=2, random_state=0)
    assert fitted.solution_ is before
    fresh = selection_stability(clone(fitted), DIGITS, n_resamples=2, random_state=0)
    np.testing.assert_array_equal(again.frequencies, fresh.frequencies)


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
def test_pipelines_count_the_features_that_come_in(kind: Any) -> None:
    steps = make_pipeline(
        VarianceThreshold(), StandardScaler(with_mean=False), SPCAPSD(n_features_to_select=6)
    )
    stability = selection_stability(steps, kind(DIGITS), n_resamples=4, random_state=0)
    assert stability.frequencies.shape == (64,)
    assert stability.frequencies.sum() == pytest.approx(6.0)
    # The first pixel is always white.
    assert stability.frequencies[0] == 0.0
    alone = make_pipeline(MaxVariance(n_features_to_select=6))
    plain = selection_stability(alone.steps[0][1], kind(DIGITS), n_resamples=4, random_state=0)
    piped = selection_stability(alone, kind(DIGITS), n_resamples=4, random_state=0)
    np.testing.assert_array_equal(piped.frequencies, plain.frequencies)


def test_steps_that_make_new_features_are_refused() -> None:
    steps = make_pipeline(PCA(5), MaxVariance(n_features_to_select=2))
    with pytest.raises(ValueError, match=r"keep the features and their names.*PCA"):
        selection_stability(steps, DIGITS, n_resamples=2)
