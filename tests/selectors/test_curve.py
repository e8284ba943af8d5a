"""What the first features explain, from either side of the samples."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from sparsecone.data import as_samples
from sparsecone.selectors import curve
from sparsecone.selectors.curve import explained_shares
from sparsecone.selectors.gains import ridge_of


@pytest.mark.parametrize("most_samples", [0, 1100])
@pytest.mark.parametrize("pace", [0, 10])
@pytest.mark.parametrize("sparse", [False, True])
def test_shares_are_those_of_ridge_regressions(
    most_samples: int, pace: int, sparse: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(curve, "MOST_SAMPLES", most_samples)
    monkeypatch.setattr(curve, "DENSE_PACE", pace)
    rng = np.random.default_rng(0)
    X = np.where(rng.random((20, 50)) < 0.3, rng.normal(size=(20, 50)), 0.0)
    data = as_samples(sp.csr_matrix(X) if sparse else X)
    centred = X - X.mean(axis=0)
    S, order = centred.T @ centred, rng.permutation(50)[:8]
    expected = []
    for h in range(1, 9):
        rows = S[order[:h]]
        block = rows[:, order[:h]] + ridge_of(data) * np.eye(h)
        expected.append(np.sum(rows * np.linalg.solve(block, rows)) / np.trace(S))
    np.testing.assert_allclose(explained_shares(data, order), expected, rtol=1e-10)
