"""What the first features explain of each feature, by its definition."""

from __future__ import annotations

import numpy as np

from sparsecone.data import as_samples
from sparsecone.selectors.gains import ridge_of
from sparsecone.selectors.parts import explained_parts


def test_the_first_features_explain_what_a_ridge_regression_does() -> None:
    rng = np.random.default_rng(0)
    data = as_samples(rng.normal(size=(30, 2)) @ rng.normal(size=(2, 6)) + rng.normal(size=(30, 6)))
    S, features = data.gram_matrix, np.array([4, 1, 5])
    parts = explained_parts(data, features, S[:, features])
    assert parts.shape == (3, 6)
    for h in (1, 2, 3):
        C = features[:h]
        block = S[np.ix_(C, C)] + ridge_of(data) * np.eye(h)
        expected = np.einsum("jc,cj->j", S[:, C], np.linalg.solve(block, S[C]))
        np.testing.assert_allclose(parts[:h].sum(axis=0), expected, rtol=1e-10)
