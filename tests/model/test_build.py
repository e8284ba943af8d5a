"""From data and parameters to a problem: units, precisions, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sparsecone.data import Moments, Rows, from_gram
from sparsecone.data.centring import as_rows
from sparsecone.linalg.rounding import TINY
from sparsecone.model import build
from sparsecone.model.build import as_data, build_problem, lam_unit, loss_of, weighted
from sparsecone.model.losses import Robust, Squared
from sparsecone.model.problem import Problem
from sparsecone.model.weights import automatic_eta, automatic_lam

X = np.random.default_rng(0).normal(size=(20, 4)) * [4.0, 2.0, 1.0, 1.0]
TRACE = float(((X - X.mean(axis=0)) ** 2).sum())


def loss_at_zero(problem: Problem) -> float:
    rows = problem.samples.centred_rows()  # type: ignore[attr-defined]
    v = 0.0 if problem.zero.v is None else problem.zero.v
    return float(np.linalg.norm(rows - v, axis=1).sum())


def test_models_have_their_losses_and_weights() -> None:
    squared = build_problem(X, eta=0.25, lam=0.5)
    assert squared.loss == Squared()
    assert squared.eta == pytest.approx(0.25 * TRACE, rel=1e-13)
    assert squared.lam == pytest.approx(0.5 * squared.eta, rel=1e-13)
    assert squared.reason == ""
    robust = build_problem(X, model="cspca-psd", eta=0.25, lam=0.5)
    assert robust.eta == pytest.approx(0.25 * loss_at_zero(robust), rel=1e-12)
    assert robust.lam == pytest.approx(0.5 * robust.eta, rel=1e-13)
    assert not robust.loss.recenter
    centred = build_problem(X, model="aw-spca-psd", eta=0.25, lam=0.5)
    assert centred.loss.recenter
    assert centred.eta == 0.0
    assert centred.lam == pytest.approx(0.5 * loss_at_zero(centred), rel=1e-12)
    assert lam_unit(squared) == squared.eta
    assert lam_unit(centred) == centred.zero.value
    with pytest.raises(ValueError, match="model must be one of"):
        build_problem(X, model="pca")


@pytest.mark.parametrize("model", build.MODELS)
@pytest.mark.parametrize("scale", [1.0, 1e80])
def test_absolute_weights_are_in_the_units_of_the_samples(model: str, scale: float) -> None:
    problem = build_problem(scale * X, model=model, eta=3.0, lam=2.0, units="absolute")
    assert (problem.samples.scale != 1.0) == (scale != 1.0)
    unit = problem.samples.scale ** (2 if model == "spca-psd" else 1)
    assert problem.lam == 2.0 / unit
    assert problem.eta == (0.0 if model == "aw-spca-psd" else 3.0 / unit)


def test_automatic_weights_say_why() -> None:
    problem = build_problem(X)
    free = Problem(problem.samples, Squared(), 0.0, 0.0)
    eta, why_eta = automatic_eta(free)
    lam, why_lam = automatic_lam(free.with_weights(lam=0.0, eta=eta))
    assert (problem.eta, problem.lam) == (eta, lam)
    assert problem.reason == f"{why_eta} {why_lam}"
    paper = build_problem(X, eta="paper", lam=0.5)
    assert paper.eta == pytest.approx(10.0**-1.5 * TRACE, rel=1e-13)
    assert paper.reason.endswith("the middle of the paper's rule.")
    assert build_problem(X, eta=0.25).reason.startswith("lam is 10 % of eta")


def test_automatic_weights_where_most_would_select_nothing() -> None:
    wide = np.random.default_rng(0).normal(size=(10, 2000))
    problem = build_problem((wide - wide.mean(axis=0)) / wide.std(axis=0))
    assert problem.reason.endswith("twice that would select nothing.")
    free = Problem(problem.samples, Squared(), 0.0, problem.eta)
    assert problem.lam == pytest.approx(automatic_lam(free)[0], rel=1e-12)


@pytest.mark.parametrize("model", build.MODELS)
def test_robust_models_weigh_the_samples(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []

    def as_data_of(given: Any, *, weighs: bool) -> Any:
        asked.append(weighs)
        return as_rows(given)

    monkeypatch.setattr(build, "as_data", as_data_of)
    build_problem(X, model=model, eta=0.1, lam=0.1)
    assert asked == [model != "spca-psd"]


def test_units_of_what_smooths_the_residuals() -> None:
    rows, scaled = as_rows(X), as_rows(1e80 * X)
    mean = TRACE / 20.0
    assert loss_of(rows, "spca-psd", delta=0.5, units="relative") == Squared()
    for model, recenter in (("cspca-psd", False), ("aw-spca-psd", True)):
        given = loss_of(rows, model, delta=0.5, units="relative")
        assert given.recenter == recenter
        assert given.delta == pytest.approx(0.5 * mean, rel=1e-13)
        assert given.smoothing == 0.0
        absolute = loss_of(scaled, model, delta=0.5, units="absolute")
        assert absolute.delta == 0.5 / scaled.scale**2
        for delta in (None, 0.0):
            found = loss_of(rows, model, delta=delta, units="relative")
            assert (found.delta, found.recenter) == (0.0, recenter)
            assert found.smoothing == pytest.approx(1e-7 * mean, rel=1e-13, abs=0.0)
            found = loss_of(rows, model, delta=delta, units="absolute")
            assert found.smoothing == 1e-3
    nothing = loss_of(as_rows(np.zeros((3, 2))), "cspca-psd", delta=None, units="relative")
    assert nothing.smoothing == TINY


def test_a_gram_matrix_is_not_enough_to_weigh_samples() -> None:
    moments = from_gram(X.T @ X, n_samples=20)
    assert as_data(moments, weighs=True) is moments
    with pytest.raises(TypeError, match="needs X itself"):
        weighted(moments, Robust(), lam=0.1, eta=0.1, units="relative")
    assert weighted(moments, Squared(), lam=0.1, eta=0.1, units="relative").lam > 0.0


@pytest.mark.parametrize("weighs", [False, True])
def test_samples_in_single_precision_stay_so_where_none_is_weighed(
    weighs: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []
    plain = build.checked_array

    def checked(given: Any, **options: Any) -> Any:
        asked.append(options)
        return plain(given, **options)

    monkeypatch.setattr(build, "checked_array", checked)
    found = as_data(X.astype(np.float32), weighs=weighs)
    assert isinstance(found, Rows | Moments)
    assert asked[0]["dtype"] == ((np.float64,) if weighs else (np.float64, np.float32))
    assert asked[0]["ensure_min_samples"] == 2
    as_data(X[:2], weighs=weighs)
    with pytest.raises(ValueError, match="minimum of 2"):
        as_data(X[:1], weighs=weighs)


def test_weights_that_overflow_are_refused() -> None:
    problem = Problem(as_rows(X), Squared(), 0.0, 0.0)
    most = 1e40 * TRACE
    assert build._checked(problem, 0.99 * most, "lam") == 0.99 * most
    for weight in (1.01 * most, np.inf, np.nan):
        with pytest.raises(ValueError, match="lam is so large"):
            build._checked(problem, weight, "lam")
    small = Problem(as_rows(1e-3 * X), Squared(), 0.0, 0.0)
    assert build._checked(small, 0.99e40, "eta") == 0.99e40
    assert build._checked(small, 1e40, "eta") == 1e40
    with pytest.raises(ValueError, match="eta is so large"):
        build._checked(small, 1.01e40, "eta")
