"""The robust problem of RUFS, and the local predictors it smooths with."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from sparsecone.baselines.graph import nearest_neighbours
from sparsecone.baselines.projections.pseudo_labels import unit_columns
from sparsecone.baselines.projections.robust_labels import RobustLabels, local_learning


def test_local_learning_is_a_ridge_regression_with_an_intercept():
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(40, 8)), rng.normal(size=40)
    left_over = local_learning(X, 5) @ labels
    for i, group in enumerate(nearest_neighbours(X, 5).indices):
        ridge = np.sum((X[group] - X[i]) ** 2)
        kernel = (X[group] - X[i]) @ (X[group] - X[i]).T + ridge * np.eye(5)
        # With a ridge on the slope alone the intercept is what is predicted at the sample itself.
        fitted = Ridge(alpha=ridge).fit(X[group] - X[i], labels[group])
        solved = np.linalg.solve(kernel, np.column_stack([labels[group], np.ones(5)]))
        assert fitted.intercept_ == pytest.approx(solved[:, 0].sum() / solved[:, 1].sum())
        assert left_over[i] == pytest.approx(labels[i] - fitted.intercept_)


def test_the_objective_is_that_of_the_formula():
    rng = np.random.default_rng(0)
    X, F = rng.normal(size=(40, 8)), unit_columns(rng.uniform(size=(40, 3)))
    centres, V = rng.normal(size=(3, 8)), rng.normal(size=(8, 3))
    R = local_learning(X, 5)
    model = RobustLabels(X, R, alpha=2.0, beta=3.0, nu=0.5, gamma=7.0)
    expected = (
        np.linalg.norm(X - F @ centres, axis=1).sum()
        + 0.5 * np.linalg.norm(R @ F) ** 2
        + 2.0 * np.linalg.norm(X @ V - F, axis=1).sum()
        + 3.0 * np.linalg.norm(V, axis=1).sum()
        + 3.5 * np.linalg.norm(F.T @ F - np.eye(3)) ** 2
    )
    assert model.value(F, centres, V) == pytest.approx(expected)
