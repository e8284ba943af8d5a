"""The path over weights: the same as single fits, with a certificate at every point."""

from __future__ import annotations

from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from sklearn.datasets import load_digits

from sparsecone import AWSPCAPSD, CSPCAPSD, SPCAPSD, lambda_max
from sparsecone.display import PathDisplay
from sparsecone.path import spca_psd_path

mpl.use("agg")
RNG = np.random.default_rng(0)
X = RNG.normal(size=(50, 3)) @ (RNG.normal(size=(3, 10)) * np.linspace(2.0, 0.2, 10))
X += 0.3 * RNG.normal(size=X.shape)


def single_value(model: str, lam: float, eta: float) -> float:
    """Return the objective of a single fit."""
    absolute: dict[str, Any] = {"units": "absolute", "tol": 1e-5, "lam": lam}
    if model == "spca-psd":
        return SPCAPSD(eta=eta, **absolute).fit(X).solution_.value
    if model == "cspca-psd":
        return CSPCAPSD(eta=eta, **absolute).fit(X).solution_.value
    return AWSPCAPSD(**absolute).fit(X).solution_.value


@pytest.mark.parametrize("model", ["spca-psd", "cspca-psd", "aw-spca-psd"])
def test_every_point_is_that_of_a_single_fit(model: str) -> None:
    etas = None if model == "aw-spca-psd" else [0.01, 0.05]
    path = spca_psd_path(X, model=model, lams=4, etas=etas, tol=1e-5)
    assert set(path.statuses.ravel()) == {"converged"}
    assert np.all(path.gaps <= 1e-5)
    # The first lam selects nothing, and a fit would warn of it.
    for i, eta in enumerate(path.etas):
        for j, lam in enumerate(path.lams[1:], start=1):
            assert path.values[i, j] == pytest.approx(single_value(model, lam, eta), rel=2e-5)


def test_points_between_are_proven_by_their_neighbours() -> None:
    path = spca_psd_path(X, lams=60, etas=[0.05])
    assert np.all(path.gaps <= 1e-4)
    assert set(path.statuses.ravel()) == {"converged"}
    assert path.solved[0, [0, -1]].all()
    assert path.solved.sum() < 40
    for j in np.flatnonzero(~path.solved[0])[::5]:
        exact = single_value("spca-psd", path.lams[j], path.etas[0])
        assert exact * (1.0 - 1e-5) <= path.values[0, j] <= exact * (1.0 + 1e-4)
        assert path.bounds[0, j] <= exact * (1.0 + 1e-9)
    assert np.all(np.diff(path.n_nonzero[0]) >= 0)


def test_what_is_solved_halves_the_differences_of_the_lams() -> None:
    digits, _ = load_digits(return_X_y=True)
    path = spca_psd_path(digits, etas=[0.1], lams=np.geomspace(0.1, 0.001, 9))
    # Both ends, and the lam nearest to the middle of them: that of the ratio takes five.
    np.testing.assert_array_equal(np.flatnonzero(path.solved[0]), [0, 1, 8])
    assert np.all(path.gaps <= 1e-4)


@pytest.mark.parametrize("model", ["cspca-psd", "aw-spca-psd"])
def test_robust_paths_are_proven_by_neighbours_too(model: str) -> None:
    path = spca_psd_path(X, model=model, lams=30, tol=1e-3)
    assert set(path.statuses.ravel()) == {"converged"}
    assert np.all(path.gaps <= 1e-3)
    assert path.solved.sum() < 25
    for j in np.flatnonzero(~path.solved[0])[::5]:
        exact = single_value(model, path.lams[j], path.etas[0])
        assert path.bounds[0, j] <= exact * (1.0 + 1e-5)
        assert path.values[0, j] >= exact * (1.0 - 1e-5)


def test_a_path_in_a_hurry_says_what_it_did_not_reach() -> None:
    path = spca_psd_path(X, lams=[0.1, 0.5], etas=[0.02], tol=1e-9, max_time=0.0)
    assert set(path.statuses.ravel()) == {"max_time"}
    assert path.solved.all()


def test_it_starts_where_nothing_is_selected() -> None:
    path = spca_psd_path(X, lams=5, etas=[0.05])
    trace = ((X - X.mean(axis=0)) ** 2).sum()
    assert path.etas[0] == pytest.approx(0.05 * trace)
    # The path looks for the limit roughly, and starts above it.
    limit = lambda_max(X, eta=0.05) * path.etas[0]
    assert limit <= path.lams[0] <= 1.06 * limit
    assert np.all(np.diff(path.lams) < 0)
    assert path.n_nonzero[0, -1] == 10
    assert path.n_nonzero[0, 0] == 0


@pytest.mark.parametrize("model", ["spca-psd", "cspca-psd", "aw-spca-psd"])
def test_the_largest_lam_selects_nothing(model: str) -> None:
    # Without a trace term the W that comes first has a rank of dozens.
    path = spca_psd_path(load_digits().data, model=model, lams=2, tol=1e-3)
    assert path.n_nonzero[0, 0] == 0
    assert path.n_nonzero[0, 1] > 0


def test_relative_and_absolute_weights() -> None:
    relative = spca_psd_path(X, lams=[0.1, 0.5], etas=[0.02])
    absolute = spca_psd_path(X, lams=relative.lams, etas=relative.etas, units="absolute")
    np.testing.assert_allclose(absolute.values, relative.values, rtol=1e-6)
    assert relative.lams[0] == pytest.approx(0.5 * relative.etas[0])


def test_the_automatic_eta_is_that_of_the_selector() -> None:
    assert spca_psd_path(X, lams=1).etas[0] == pytest.approx(SPCAPSD().fit(X).eta_)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"model": "pca"}, "must be one of"),
        ({"model": "aw-spca-psd", "etas": [0.1]}, "no trace term"),
        ({"lams": 0}, "at least 1"),
        ({"lams": [-1.0]}, "not negative"),
        ({"etas": []}, "at least one"),
        ({"etas": [3.0]}, "Lower the etas"),
    ],
)
def test_what_makes_no_path_is_said(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        spca_psd_path(X, **given)


def test_it_can_be_drawn() -> None:
    display = PathDisplay.from_path(spca_psd_path(X, lams=3, etas=[0.05, 0.01]))
    assert len(display.ax_.lines) == 2
    mpl.pyplot.close(display.figure_)
