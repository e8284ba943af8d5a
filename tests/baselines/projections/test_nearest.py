"""Distances from the nearest chosen feature against their definition, whatever is up to date."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from scipy.spatial.distance import cdist

from sparsecone.baselines.projections import nearest
from sparsecone.baselines.projections.nearest import NearestChosen
from sparsecone.data import as_rows


@pytest.mark.parametrize("share", [2, 32, 1000])
@pytest.mark.parametrize("layout", [np.asarray, sp.csr_array])
def test_bounds_are_never_below_the_distances(monkeypatch, share, layout):
    monkeypatch.setattr(nearest, "SHARE", share)
    X = np.random.default_rng(0).normal(2.0, size=(30, 70))
    found = NearestChosen(as_rows(layout(X)))
    squared = cdist((X - X.mean(axis=0)).T, (X - X.mean(axis=0)).T, "sqeuclidean")
    for count, feature in enumerate([3, 40, 41, 7, 69, 0], start=1):
        found.add(feature)
        chosen = [3, 40, 41, 7, 69, 0][:count]
        expected = squared[:, chosen].min(axis=1)
        assert np.all(found.bounds >= expected - 1e-9)
        assert_allclose(found.bounds[found.is_exact], expected[found.is_exact], atol=1e-9)
        if count in (1, 4):
            found.renew(np.ones(70, dtype=bool))
            assert found.is_exact.all()
            assert_allclose(found.bounds, expected, atol=1e-9)
    found.settle()
    assert_allclose(found.bounds, expected, atol=1e-9)


def test_the_farthest_able_features_stay_exact():
    X = np.random.default_rng(0).normal(size=(30, 70)) * np.linspace(1.0, 3.0, 70)
    found = NearestChosen(as_rows(X))
    found.add(0)
    able = np.arange(70) < 60
    found.renew(able)
    farthest = np.argmax(found.bounds * able)
    found.add(5)
    assert found.is_exact[farthest]
    assert not found.is_exact[60:].any()
