"""Moments of weighted samples, in double precision or where single precision is enough."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from sparsecone.data.centring import as_rows

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 6)) + 3.0
WEIGHTS = RNG.uniform(0.1, 2.0, size=40)


@pytest.mark.parametrize("kind", [np.asarray, np.float32, sp.csr_matrix])
def test_moments_in_single_precision_are_off_by_no_more_than_that(kind: type) -> None:
    rows = as_rows(kind(X))
    centred = X - X.mean(axis=0)
    expected = centred.T @ (WEIGHTS[:, None] * centred)
    found = rows.weighted_gram(WEIGHTS, single=True)
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, expected, atol=1e-5 * np.abs(expected).max())
    exact = rows.weighted_gram(WEIGHTS)
    assert np.abs(found - exact).max() > 0.0 or sp.issparse(rows.matrix)
