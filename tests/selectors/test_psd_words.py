"""What the models say of a result that is not what was asked for, and whom they say it to."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from sparsecone import AWSPCAPSD, CSPCAPSD, SPCAPSD, from_blocks, from_gram
from sparsecone.model.build import build_problem
from sparsecone.selectors import spca_psd

# S is diagonal with 18, 8 and 2: W = 0 is optimal from lam = 2 * 18 - eta on.
X = np.vstack([np.diag([3.0, 2.0, 1.0]), -np.diag([3.0, 2.0, 1.0])])


def warned(call: Callable[[], Any]) -> list[warnings.WarningMessage]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return caught


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"max_iter": 1, "tol": 1e-9, "lam": 0.3, "eta": 0.1}, "relative duality gap of"),
        ({"lam": 40.0, "eta": 1.0, "units": "absolute"}, "W = 0 is optimal"),
        ({"lam": 20.0, "eta": 1.0, "units": "absolute"}, "have a score of zero"),
    ],
)
def test_warnings_point_at_the_line_that_fits(given: dict[str, Any], words: str) -> None:
    selector = SPCAPSD(n_features_to_select=3, **given)
    for call in (lambda: selector.fit(X), lambda: selector.partial_fit(X).solve()):
        found = [warning for warning in warned(call) if words in str(warning.message)]
        places = [(warning.filename, warning.lineno) for warning in found]
        assert places == [(__file__, call.__code__.co_firstlineno)]


@pytest.mark.parametrize(("eta", "limit"), [(35.5, "0.5"), (35.999, "0.001"), (1.0, "35")])
def test_the_limit_of_lam_is_named_however_small(eta: float, limit: str) -> None:
    selector = SPCAPSD(n_features_to_select=1, eta=eta, lam=36.0, units="absolute")
    (found,) = warned(lambda: selector.fit(X))
    assert str(found.message).endswith(f"Something is selected for lam below {limit}.")
    relative = SPCAPSD(n_features_to_select=1, eta=eta / 28.0, lam=36.0 / eta)
    (found,) = warned(lambda: relative.fit(X))
    named = float(str(found.message).rsplit(" ", 1)[1].rstrip("."))
    assert named == pytest.approx(float(limit) / eta, rel=1e-3)


def test_a_trace_weight_that_exceeds_everything_is_named() -> None:
    selector = SPCAPSD(n_features_to_select=1, eta=36.5, lam=1.0, units="absolute")
    (found,) = warned(lambda: selector.fit(X))
    assert str(found.message).endswith(
        "eta exceeds what any direction of the data explains: lower eta."
    )


@pytest.mark.parametrize(
    ("given", "advice"),
    [
        ({}, "Raise max_iter or max_time, or tol."),
        ({"solver": "published"}, "solver='auto' does."),
        ({"value": 0.0, "bound": -1.0}, "The objective is zero but for rounding"),
        ({"value": 0.5, "bound": 0.25}, "Raise max_iter or max_time, or tol."),
        # Twice the rounding against tol times the value, 2e-2.
        ({"rounding": 1e-2}, "Raise max_iter or max_time, or tol."),
        ({"rounding": 1.01e-2}, "Rounding alone may be 1.0e-02: raise tol."),
        ({"rounding": 0.1}, "Rounding alone may be 1.0e-01: raise tol."),
        ({"rounding": 0.1, "value": 8.0, "bound": 6.0}, "Rounding alone may be 2.5e-02: raise"),
    ],
)
def test_the_advice_fits_the_reason(given: dict[str, Any], advice: str) -> None:
    selector = SPCAPSD(n_features_to_select=1, tol=1e-2).fit(X)
    solution = replace(selector.solution_, **({"value": 2.0, "bound": 1.0} | given))
    problem = build_problem(X)
    (found,) = warned(lambda: selector._warn(problem, solution))
    assert found.category is ConvergenceWarning
    assert advice in str(found.message)
    assert f"relative duality gap of {solution.gap:.1e}, above tol=0.01." in str(found.message)


def test_a_gap_as_large_as_the_tolerance_is_none_to_speak_of() -> None:
    selector = SPCAPSD(n_features_to_select=1, tol=0.5).fit(X)
    solution = replace(selector.solution_, value=2.0, bound=1.0, rounding=0.0)
    assert solution.gap == 0.5
    assert not warned(lambda: selector._warn(build_problem(X), solution))


@pytest.mark.parametrize("model", [SPCAPSD, CSPCAPSD])
def test_weights_are_kept_in_the_units_of_the_data(model: Any) -> None:
    for scale in (1.0, 2.0**300):
        selector = model(n_features_to_select=1, eta=0.25, lam=0.5).fit(scale * X)
        problem = build_problem(X, model=selector._model, eta=0.25, lam=0.5)
        unit = scale**2 if model is SPCAPSD else scale
        assert selector.eta_ == pytest.approx(unit * problem.eta, rel=1e-12)
        assert selector.lam_ == pytest.approx(unit * problem.lam, rel=1e-12)


def test_the_offset_is_that_of_the_data_as_they_are_given() -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(40, 3)) + np.array([5.0, -2.0, 1.0])
    selector = AWSPCAPSD(n_features_to_select=1, lam=0.4).fit(rows)
    solution = selector.solution_
    W = solution.factor @ solution.factor.T
    # (x - m) W + o + m = x W + (m - m W + o).
    mean = rows.mean(axis=0)
    np.testing.assert_allclose(selector.offset_, mean - mean @ W + solution.offset, rtol=1e-10)
    assert np.abs(selector.offset_).max() > 0.1


def test_two_samples_are_enough_to_solve() -> None:
    rows = np.array([[0.0, 1.0, 5.0], [1.0, 3.0, 5.0]])
    selector = SPCAPSD(n_features_to_select=1, eta=0.1, lam=0.1)
    streamed = selector.partial_fit(rows[:1]).partial_fit(rows[1:]).solve()
    np.testing.assert_array_equal(streamed.selected_, [1])


def test_as_many_features_as_a_matrix_may_have_are_streamed(monkeypatch: Any) -> None:
    monkeypatch.setattr(spca_psd, "LARGEST_GRAM", 3)
    assert SPCAPSD(n_features_to_select=1).partial_fit(X).solve().selected_.tolist() == [0]
    with pytest.raises(ValueError, match="4 features are more than 3: use fit with"):
        SPCAPSD().partial_fit(np.ones((2, 4)))


def test_names_are_those_of_the_last_data() -> None:
    S = np.diag([18.0, 8.0, 2.0])
    selector = SPCAPSD(n_features_to_select=1, keep=[0])
    pandas = pytest.importorskip("pandas")
    selector.fit(from_gram(pandas.DataFrame(S, columns=list("abc"), index=list("abc"))))
    assert list(selector.feature_names_in_) == ["a", "b", "c"]
    selector.fit(from_blocks([X]))
    assert not hasattr(selector, "feature_names_in_")
    assert selector.n_features_in_ == 3


def test_seconds_of_the_phases_are_those_of_the_fit() -> None:
    for selector in (SPCAPSD().fit(X), SPCAPSD().partial_fit(X).solve()):
        solution = selector.solution_
        assert list(solution.phases) == ["reading", "weights", "start", "solving", "choosing"]
        assert solution.elapsed == pytest.approx(sum(solution.phases.values()))
        assert min(solution.phases.values()) >= 0.0
