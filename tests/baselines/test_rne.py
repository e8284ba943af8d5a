from __future__ import annotations

import numpy as np

from sparsecone.baselines.rne import RNE, fit_rne

import shared


def test_released_program_from_its_own_start():
    """Its 50 rounds settle on their features in half the time; the objective tells every round."""
    X, _ = shared.load("pie")
    golden = shared.golden("RNE__PIE__m100_k5__seed1")
    fit = fit_rne(X, golden["init_H"], n_neighbors=5, alpha=1000.0, transposed=True, max_iter=26)
    np.testing.assert_allclose(fit.objective, golden["objective"][:26], rtol=1e-8)
    best = np.argsort(-np.linalg.norm(fit.V, axis=1))[:100]
    assert set(best) == set(golden["ranking"][:100])


def test_the_weights_of_the_paper_leave_less_over_than_their_transpose():
    X = np.random.default_rng(0).normal(size=(60, 12)) + 3.0
    right, released = (
        RNE(n_features_to_select=4, transposed=transposed, random_state=0).fit(X)
        for transposed in (False, True)
    )
    assert right.objective_[-1] < released.objective_[-1]


def test_columns_are_as_many_as_features_asked_for_and_not_negative():
    X = np.random.default_rng(0).normal(size=(40, 12))
    fitted = RNE(n_features_to_select=4, random_state=0).fit(X)
    assert fitted.projection_.shape == (12, 4)
    assert np.all(fitted.projection_ >= 0)
    assert fitted.n_iter_ == 50


def test_the_seed_decides():
    X = np.random.default_rng(0).normal(size=(40, 12))
    fits = [RNE(random_state=seed).fit(X).scores_ for seed in (0, 0, 1)]
    np.testing.assert_array_equal(fits[0], fits[1])
    assert not np.allclose(fits[0], fits[2])


def test_a_sample_of_zeros_is_left_as_it_is():
    X = np.abs(np.random.default_rng(0).normal(size=(40, 12)))
    X[3] = 0.0
    assert np.all(np.isfinite(RNE(random_state=0).fit(X).scores_))


def test_moons_lead_over_many_starts(two_moons):
    X = two_moons(noise=0.1)
    fits = [RNE(n_features_to_select=2, random_state=seed).fit(X) for seed in range(10)]
    times_selected = np.sum([fitted.support_ for fitted in fits], axis=0)
    assert set(np.argsort(-times_selected)[:2]) == {0, 1}
    assert times_selected[:2].min() > 5 > times_selected[2:].max()
