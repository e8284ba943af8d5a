"""Selections over subsamples."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from numpy.typing import NDArray

from sparsecone import AllFeatures, MaxVariance, RandomFeatures
from sparsecone.stability import selection_stability


def data() -> NDArray[Any]:
    """Return four strong features among sixteen weak ones."""
    return np.random.default_rng(0).normal(size=(60, 20)) * np.repeat([10.0, 1.0], [4, 16])


def test_what_is_clear_is_always_selected() -> None:
    stability = selection_stability(MaxVariance(n_features_to_select=4), data(), random_state=0)
    np.testing.assert_array_equal(stability.frequencies, np.repeat([1.0, 0.0], [4, 16]))
    assert stability.kuncheva == pytest.approx(1.0)
    assert stability.jaccard == pytest.approx(1.0)
    assert stability.n_resamples == 20


def test_chance_agrees_by_chance() -> None:
    # Without a seed every clone draws anew; a hundred draws agree by chance, whatever they are.
    selector = RandomFeatures(n_features_to_select=5)
    stability = selection_stability(selector, data(), n_resamples=100, random_state=0)
    assert abs(stability.kuncheva) < 0.1
    assert stability.frequencies.mean() == pytest.approx(0.25)


def test_tables_and_sparse_matrices_give_the_same() -> None:
    X, selector = data(), MaxVariance(n_features_to_select=6)
    kinds = (X, pd.DataFrame(X), sp.csc_array(X))
    found = [selection_stability(selector, kind, random_state=3).frequencies for kind in kinds]
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


def test_agreement_beyond_chance_is_undefined_where_all_are_selected() -> None:
    stability = selection_stability(AllFeatures(), data(), n_resamples=2, random_state=0)
    assert np.isnan(stability.kuncheva)
    assert stability.jaccard == 1.0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"n_resamples": 1}, "at least 2"),
        ({"fraction": 1.0}, "in \\(0, 1\\)"),
        ({"fraction": 0.01}, "leave"),
    ],
)
def test_too_few_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        selection_stability(MaxVariance(n_features_to_select=2), data(), **given)
