"""What every number of features explains, against fits and explanations of that number."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import scale

from sparsecone import SPCAPSD
from sparsecone.data import as_rows
from sparsecone.report.cuts import ENTRIES, FEWEST, Cuts, n_tried
from sparsecone.selectors.ceiling import THOROUGH, ceiling


@pytest.fixture(scope="module")
def data() -> np.ndarray:
    X = scale(load_breast_cancer().data)
    return np.c_[X, -2.0 * X[:, 3], np.ones(len(X))]


@pytest.fixture(scope="module")
def fitted(data: np.ndarray) -> SPCAPSD:
    return SPCAPSD(n_features_to_select=6).fit(data)


@pytest.fixture(scope="module")
def cuts(data: np.ndarray, fitted: SPCAPSD) -> Cuts:
    return Cuts(as_rows(data), np.argsort(fitted.ranking_))


def test_the_curve_is_that_of_the_selector(cuts: Cuts, fitted: SPCAPSD) -> None:
    np.testing.assert_allclose(cuts.explained, fitted.curve_.explained, rtol=1e-9)
    np.testing.assert_array_equal(cuts.ceiling, ceiling(cuts.data, cuts.order.size, THOROUGH))
    assert np.all(cuts.ceiling <= fitted.curve_.ceiling + 1e-12)
    assert np.all(cuts.explained <= cuts.ceiling)


@pytest.mark.parametrize("number", [1, 6, 17])
def test_every_cut_tells_what_an_explanation_of_it_tells(
    cuts: Cuts, data: np.ndarray, number: int
) -> None:
    table = SPCAPSD(n_features_to_select=number).fit(data).explanation(data)
    nearest, reached = (find(np.arange(32)) for find in (cuts.nearest, cuts.reached))
    for feature, row in enumerate(table.itertuples()):
        pairs = [p for p in zip(*[iter(nearest[feature])] * 2, strict=True) if p[0] <= number]
        rank, percent = pairs[-1] if pairs else (0, 0)
        assert abs(percent) == pytest.approx(
            100.0 * abs(row.correlation), abs=1.01 if pairs else 20
        )
        if abs(percent) == 100:
            assert row.reason.startswith(("copy of", "chosen"))
        if rank:
            assert np.sign(percent) == np.sign(
                np.corrcoef(data.T[[feature, cuts.order[rank - 1]]])[0, 1]
            )
        level = sum(n <= number for n in reached[feature]) / 10
        assert level - 1e-9 <= row.explained
        assert row.explained < level + 0.1 + 1e-9 or level == 0.9


def test_only_what_is_affordable_is_tried() -> None:
    wide = as_rows(np.random.default_rng(0).random((3, 200_000)))
    assert n_tried(wide, 50_000) == ENTRIES / 200_000
    small = as_rows(np.random.default_rng(0).random((3, 2 * FEWEST)))
    assert n_tried(small, 5) == FEWEST
    assert n_tried(small, FEWEST + 7) == FEWEST + 7
