from __future__ import annotations

import numpy as np
import pytest

from sparsecone.baselines.projections.dirichlet import FullDirichlet, LowRankDirichlet
from sparsecone.baselines.projections.row_sparse import RowPenalty, fit_row_sparse


def scatter(kind):
    rng = np.random.default_rng(0)
    if kind == "full":
        X = rng.normal(size=(300, 80)) * np.linspace(0.5, 2, 80)
        return FullDirichlet(X.T @ X / 300, 1e-12)
    return LowRankDirichlet(rng.normal(size=(40, 300)) / 5, 1e-12)


@pytest.mark.parametrize("kind", ["full", "low rank"])
@pytest.mark.parametrize("p", [0.5, 1.0, 2.0])
def test_the_objective_falls_and_the_columns_stay_orthonormal(kind, p):
    for max_iter in (1, 2, 5, 20):
        fit = fit_row_sparse(scatter(kind), RowPenalty(gamma=0.5, p=p), 4, max_iter=max_iter)
        np.testing.assert_allclose(fit.V.T @ fit.V, np.eye(4), atol=1e-12)
        assert fit.objective.size <= max_iter
        assert np.all(np.diff(fit.objective) <= 1e-9 * fit.objective[-1])


def test_both_kinds_of_storage_lead_to_the_same_projection():
    low = scatter("low rank")
    full = FullDirichlet(low.factor.T @ low.factor, low.rounding)
    penalty = RowPenalty(gamma=0.5, p=1.0)
    first, second = (fit_row_sparse(kind, penalty, 4, max_iter=20) for kind in (low, full))
    np.testing.assert_allclose(first.objective, second.objective, rtol=1e-8)
    np.testing.assert_allclose(first.scores, second.scores, atol=1e-6)


def test_the_history_is_that_of_the_formula():
    M, penalty = scatter("full"), RowPenalty(gamma=0.5, p=0.5)
    fit = fit_row_sparse(M, penalty, 4, max_iter=7)
    rows = np.sum(fit.V**2, axis=1) + np.finfo(float).eps
    value = np.trace(fit.V.T @ M.matrix @ fit.V) + 0.5 * np.sum(rows**0.25)
    assert fit.objective[-1] == pytest.approx(value, rel=1e-12)


def test_slopes_are_the_derivative_in_the_squared_row_norms():
    penalty, V = RowPenalty(gamma=3.0, p=0.5), np.random.default_rng(0).normal(size=(6, 2))
    for i, slope in enumerate(penalty.slopes(V)):
        step = 1e-6 * np.sum(V[i] ** 2)
        longer = V.copy()
        longer[i] *= np.sqrt(1 + 1e-6)
        assert (penalty.value(longer) - penalty.value(V)) / step == pytest.approx(slope, rel=1e-5)


def test_a_heavy_penalty_leaves_as_many_features_as_columns():
    fit = fit_row_sparse(scatter("full"), RowPenalty(gamma=100.0, p=1.0), 4, max_iter=50)
    assert np.count_nonzero(fit.scores > 1e-6) == 4


def test_tolerances_stop_early():
    M, penalty = scatter("full"), RowPenalty(gamma=0.5, p=1.0)
    history = fit_row_sparse(M, penalty, 4, max_iter=20).objective
    drop = history[3] - history[4]
    assert fit_row_sparse(M, penalty, 4, max_iter=20, atol=1.001 * drop).objective.size == 5
    relative = 1.001 * drop / history[4]
    history = fit_row_sparse(M, penalty, 4, max_iter=20, rtol=relative).objective
    falls = -np.diff(history) / history[1:]
    assert falls[-1] <= relative < falls[:-1].min()
