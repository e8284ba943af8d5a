"""JELSR against its objective."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone.baselines.jelsr import JELSR
from sparsecone.baselines.projections.nonnegative import reconstruction_weights


def objective(X, fitted):
    """The formula of the docstring, term by term."""
    Y, V = fitted.embedding_, fitted.projection_
    centred = X - X.mean(axis=0)
    A = reconstruction_weights(centred, fitted.n_neighbors).toarray()
    regression = np.linalg.norm(centred @ V - Y) ** 2
    rows = np.linalg.norm(V, axis=1).sum()
    return np.linalg.norm(Y - A @ Y) ** 2 + fitted.beta * (regression + fitted.alpha * rows)


@pytest.mark.parametrize("shape", [(80, 20), (40, 90)])
@pytest.mark.parametrize("alpha", [0.01, 1.0, 10.0])
@pytest.mark.parametrize("beta", [0.1, 10.0])
def test_the_objective_is_that_of_the_formula_and_never_rises(shape, alpha, beta):
    X = np.random.default_rng(0).normal(1.0, size=shape)
    fitted = JELSR(n_clusters=4, alpha=alpha, beta=beta, tol=0.0, max_iter=30).fit(X)
    assert np.all(np.diff(fitted.objective_) <= 1e-10 * fitted.objective_[:-1])
    assert fitted.objective_[-1] == pytest.approx(objective(X, fitted), rel=1e-5)
    np.testing.assert_allclose(fitted.embedding_.T @ fitted.embedding_, np.eye(4), atol=1e-9)
    np.testing.assert_allclose(fitted.scores_, np.linalg.norm(fitted.projection_, axis=1))


def test_few_features_and_many_give_the_same_whichever_way_it_is_solved(monkeypatch):
    X = np.random.default_rng(0).normal(size=(80, 20))
    implicit = JELSR(n_clusters=2).fit(X).scores_
    monkeypatch.setattr("sparsecone.baselines.jelsr.max", lambda *_: 80, raising=False)
    np.testing.assert_allclose(JELSR(n_clusters=2).fit(X).scores_, implicit, rtol=1e-4, atol=1e-7)


def test_clusters_lead_noise():
    X = np.random.default_rng(0).normal(size=(90, 12))
    X[:, 4] += 8 * np.repeat([0, 1, 2], 30)
    X[:, 9] += 8 * np.repeat([0, 1, 0], 30)
    assert set(JELSR(n_features_to_select=2, n_clusters=2).fit(X).selected_) == {4, 9}


def test_more_clusters_than_samples_allow():
    with pytest.raises(ValueError, match="n_clusters=20 must be below n_samples=20"):
        JELSR(n_clusters=20).fit(np.random.default_rng(0).normal(size=(20, 5)))
