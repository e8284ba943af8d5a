"""Least angle regression against its definition."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import hadamard
from sklearn.linear_model import lars_path

from sparsecone.baselines.projections import feature_path, least_angle, paths
from sparsecone.baselines.projections.feature_vectors import FeatureVectors
from sparsecone.baselines.projections.least_angle import least_angle_ends
from sparsecone.baselines.projections.sample_vectors import SampleVectors


@pytest.fixture(params=["step by step", "blocks"], autouse=True)
def way(request, monkeypatch):
    """Follow paths either way where features are few."""
    if request.param == "blocks":
        monkeypatch.setattr(least_angle, "STEP_BY_STEP", 0)


def problem(n_samples, n_features, n_targets=4):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_samples, n_features)) @ np.diag(np.linspace(1, 2, n_features))
    Y = rng.normal(size=(n_samples, n_targets))
    return X - X.mean(axis=0), Y - Y.mean(axis=0)


@pytest.mark.parametrize(("shape", "n_steps"), [((80, 40), 30), ((50, 50), 40), ((30, 200), 25)])
def test_the_chosen_features_are_those_of_largest_and_equal_correlation(shape, n_steps):
    X, Y = problem(*shape)
    coefficients, n_iter = least_angle_ends(X, Y, n_steps)
    assert n_iter == n_steps
    left = np.abs(X.T @ (Y - X @ coefficients))
    for a, c in zip(coefficients.T, left.T, strict=True):
        assert np.count_nonzero(a) == n_steps
        assert_allclose(c[a != 0], c.max(), rtol=1e-9)


@pytest.mark.parametrize("shape", [(80, 40), (30, 200)])
@pytest.mark.parametrize("n_steps", [1, 2, 6])
def test_first_steps_are_those_of_scikit_learn(shape, n_steps):
    """Later ones differ where a coefficient changes its sign, at which it reverses its feature."""
    X, Y = problem(*shape)
    found = least_angle_ends(X, Y, n_steps)[0]
    ends = [lars_path(X, y, method="lar", max_iter=n_steps)[2][:, -1] for y in Y.T]
    assert_allclose(found, np.column_stack(ends), atol=1e-12)


@pytest.mark.parametrize("shape", [(80, 40), (30, 200)])
def test_paths_part_from_scikit_learn_where_a_coefficient_changes_its_sign(shape):
    X, Y = problem(*shape)
    X, parted = X @ (0.3 + np.eye(shape[1])), 0
    for y in (X[:, :4] + Y).T:
        path = lars_path(X, y - y.mean(), method="lar", max_iter=20)[2]
        turned = np.flatnonzero(np.any(path[:, 1:] * path[:, :-1] < 0, axis=0)) + 1
        for n_steps in range(1, path.shape[1]):
            end = least_angle_ends(X, (y - y.mean())[:, None], n_steps)[0][:, 0]
            same = np.allclose(end, path[:, n_steps], atol=1e-6 * np.abs(end).max())
            assert same == (turned.size == 0 or n_steps <= turned[0])
            parted += not same
    assert parted


@pytest.mark.parametrize("shape", [(80, 12), (12, 80)])
def test_the_whole_path_ends_at_least_squares(shape):
    X, Y = problem(*shape)
    coefficients, _ = least_angle_ends(X, Y, min(shape[0] - 1, shape[1]))
    expected = np.linalg.lstsq(X, Y, rcond=None)[0]
    assert_allclose(X @ coefficients, X @ expected, atol=1e-9)


@pytest.mark.parametrize("shape", [(80, 20), (15, 60)])
def test_repeated_features_and_flat_targets(shape):
    X, Y = problem(*shape)
    X[:, 5] = X[:, 4] + X[:, 3]
    X[:, 7] = 2.0 * X[:, 6]
    Y[:, 1] = 0.0
    Y[:, 2] = X[:, 6]
    coefficients, _ = least_angle_ends(X, Y, 14)
    assert not coefficients[:, 1].any()
    assert_allclose(X @ coefficients[:, 2], Y[:, 2], atol=1e-9)
    assert np.all(np.count_nonzero(coefficients[[6, 7]], axis=0) <= 1)


@pytest.mark.parametrize(("shape", "n_steps"), [((120, 100), 90), ((60, 64), 50)])
def test_chosen_features_that_are_left_out_of_the_products_change_no_path(
    monkeypatch, shape, n_steps
):
    X, Y = problem(*shape)
    X[:, 9] = X[:, 3] - X[:, 4]
    found, n_iter = least_angle_ends(X, Y, n_steps)
    monkeypatch.setattr(feature_path, "LEFT_OUT", 2.0)
    expected, n_expected = least_angle_ends(X, Y, n_steps)
    assert n_iter == n_expected
    assert_allclose(found, expected, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize(("shape", "n_steps"), [((120, 100), 90), ((60, 64), 50), ((90, 40), 39)])
def test_blocks_by_features_are_those_by_samples(shape, n_steps):
    X, Y = problem(*shape)
    X[:, 9] = X[:, 3] - X[:, 4]
    sides = FeatureVectors(X.T @ X, 4, n_steps), SampleVectors(X, 4, n_steps)
    found, expected = (paths.Paths(side, Y.T @ X, n_steps).ends() for side in sides)
    for (end, n_chosen), (expected_end, n_expected) in zip(found, expected, strict=True):
        assert n_chosen == n_expected
        assert_allclose(X @ end, X @ expected_end, rtol=1e-8, atol=1e-10)


def step_by_step(X, y, n_steps):
    """Follow one path by its definition, all features at every step; explained ones never enter."""
    chosen, fit, squares = [], np.zeros(len(y)), np.sum(X**2, axis=0)
    for step in range(n_steps + 1):
        A = X[:, chosen]
        coefficients = np.linalg.lstsq(A, fit, rcond=None)[0]
        c = X.T @ (y - fit)
        beyond = np.sum((X - A @ np.linalg.lstsq(A, X, rcond=None)[0]) ** 2, axis=0)
        free = np.flatnonzero(beyond > 1e-10 * squares)
        if step:
            way = A @ np.linalg.lstsq(A, y - fit, rcond=None)[0]
            left, slope = np.abs(c[chosen]).max(), X.T @ way
            with np.errstate(divide="ignore", invalid="ignore"):
                parts = np.stack([(left - c) / (left - slope), (left + c) / (left + slope)])[
                    :, free
                ]
            parts = np.where((parts > -1e-12) & (parts < 1.0), parts, 1.0)
            part = parts.min(initial=1.0)
            fit = fit + part * way
            coefficients = np.linalg.lstsq(A, fit, rcond=None)[0]
            if step == n_steps or part == 1.0:
                break
            chosen.append(int(free[parts.min(axis=0).argmin()]))
        else:
            chosen.append(int(np.abs(c).argmax()))
    end = np.zeros(X.shape[1])
    end[chosen] = coefficients
    return end


@pytest.mark.parametrize("shape", [(90, 60), (40, 150)])
@pytest.mark.parametrize("kind", ["correlated", "copies", "many copies", "scaled"])
def test_features_that_many_are_close_to_are_chosen_as_step_by_step(shape, kind):
    X, Y = problem(*shape)
    n_features = shape[1]
    if kind == "correlated":
        X += 3.0 * X[:, :1]
    elif kind == "copies":
        X[:, n_features // 2 :] = -2.0 * X[:, : n_features // 2]
    elif kind == "many copies":
        X[:, 5:-9] = X[:, [4]]
        Y += X[:, [4]]
    else:
        X *= np.exp(np.linspace(-4, 4, n_features))
    n_steps = 12
    expected = np.column_stack([step_by_step(X, y, n_steps) for y in Y.T])
    found, n_iter = least_angle_ends(X, Y, n_steps)
    assert n_iter == n_steps
    assert_allclose(np.count_nonzero(found, axis=0), np.count_nonzero(expected, axis=0))
    # Of copies any may be chosen.
    assert_allclose(X @ found, X @ expected, rtol=1e-7, atol=1e-10)


@pytest.mark.parametrize(("shape", "n_steps"), [((400, 300), 80), ((60, 300), 50)])
def test_features_that_no_block_expects_are_found(monkeypatch, shape, n_steps):
    """Blocks that may choose from no more features than they have steps end early."""
    X, Y = problem(*shape)
    counts = []

    def next_features(self, n_wanted):
        counts.append(self.count)
        return choose(self, n_wanted)

    choose = paths.Paths._next
    monkeypatch.setattr(paths.Paths, "_next", next_features)
    for side in (FeatureVectors, SampleVectors):
        monkeypatch.setattr(side, "block", 1)
    monkeypatch.setattr(least_angle, "STEP_BY_STEP", 0)
    expected, _ = least_angle_ends(X, Y, n_steps)
    assert counts == list(range(n_steps))
    counts.clear()
    for side in (FeatureVectors, SampleVectors):
        monkeypatch.setattr(side, "block", 8)
    monkeypatch.setattr(paths, "CANDIDATES", 1)
    found, _ = least_angle_ends(X, Y, n_steps)
    assert n_steps / 8 + 2 < len(counts) < n_steps
    assert_allclose(found, expected, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("shape", [(80, 40), (30, 200)])
def test_paths_that_do_not_fit_side_by_side_are_the_same(monkeypatch, shape):
    X, Y = problem(*shape)
    expected = least_angle_ends(X, Y, 20)
    monkeypatch.setattr(least_angle, "MOST_NUMBERS", 1)
    found = least_angle_ends(X, Y, 20)
    assert found[1] == expected[1]
    assert_allclose(found[0], expected[0], rtol=1e-8, atol=1e-12)


@pytest.mark.parametrize("n_copies", [0, 30, 100])
@pytest.mark.parametrize("n_steps", [5, 20])
def test_copies_of_features_that_explain_a_target_end_its_path(n_copies, n_steps):
    """Features without any correlation are left, and none of the copies can be chosen."""
    features = hadamard(64)[:, 1:].astype(float)
    X = np.column_stack([features, np.repeat(features[:, :1], n_copies, axis=1)])
    coefficients, _ = least_angle_ends(X, features[:, :1], n_steps)
    assert_allclose(X @ coefficients, features[:, :1], atol=1e-9)
