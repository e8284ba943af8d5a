"""FPS against its definition."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist

from sparsecone.baselines.fps import FPS


@pytest.mark.parametrize("shape", [(60, 30), (25, 90)])
@pytest.mark.parametrize("start", [None, 7])
def test_each_choice_is_farthest_from_those_before(shape, start):
    X = np.random.default_rng(1).normal(5.0, size=shape)
    fitted = FPS(n_features_to_select=10, start=start).fit(X)
    centred = (X - X.mean(axis=0)).T
    norms = np.linalg.norm(centred, axis=1)
    distances = cdist(centred, centred)
    assert fitted.selected_[0] == (np.argmax(norms) if start is None else start)
    assert_allclose(fitted.scores_[fitted.selected_[0]], norms[fitted.selected_[0]])
    for rank in range(1, 10):
        nearest = distances[:, fitted.selected_[:rank]].min(axis=1)
        assert np.argmax(nearest) == fitted.selected_[rank]
        assert_allclose(fitted.scores_[fitted.selected_[rank]], nearest.max())
    others = np.setdiff1d(np.arange(shape[1]), fitted.selected_)
    nearest = distances[:, fitted.selected_].min(axis=1)
    assert_allclose(fitted.scores_[others], nearest[others])


def test_points_on_a_line_by_hand():
    """Features 0, 1, 4, 9, 10 times one direction, from 10: 0 is farthest, then 4."""
    direction = np.array([1.0, -1.0, 2.0, -2.0])
    X = np.outer(direction, [0.5, 1.0, 4.0, 9.0, 10.0])
    fitted = FPS(n_features_to_select=5).fit(X)
    assert_array_equal(fitted.selected_, [4, 0, 2, 3, 1])
    norm = np.linalg.norm(direction)
    assert_allclose(fitted.scores_ / norm, [9.5, 0.5, 3.5, 1.0, 10.0])


def test_a_start_that_cannot_be():
    X = np.random.default_rng(0).normal(size=(20, 4))
    X[:, 1] = 2.0
    with pytest.raises(ValueError, match="start=4 must be below n_features=4"):
        FPS(start=4).fit(X)
    with pytest.raises(ValueError, match="start=1 is a constant feature"):
        FPS(start=1).fit(X)
    with pytest.raises(ValueError, match="start=2 is in exclude"):
        FPS(start=2, exclude=[2]).fit(X)


def test_many_choices_among_many_features_each_the_farthest():
    """Most distances are out of date between the choices, in clusters of features of one size."""
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(40, 12))
    X = np.repeat(centres, 50, axis=1) + 0.3 * rng.normal(size=(40, 600))
    fitted = FPS(n_features_to_select=150, exclude=np.arange(5)).fit(X)
    centred = (X - X.mean(axis=0)).T
    distances = cdist(centred, centred)
    for rank in range(1, 150):
        nearest = distances[5:, fitted.selected_[:rank]].min(axis=1)
        assert np.argmax(nearest) + 5 == fitted.selected_[rank]
    others = np.setdiff1d(np.arange(600), fitted.selected_)
    assert_allclose(
        fitted.scores_[others], distances[:, fitted.selected_].min(axis=1)[others], rtol=1e-9
    )
