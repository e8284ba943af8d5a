"""Results as they print, and as a notebook shows them."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_digits

from sparsecone import SPCAPSD
from sparsecone.charts.box import box, heads, table_row
from sparsecone.datasets import Dataset
from sparsecone.metrics import ClusteringScore
from sparsecone.model_file import Model
from sparsecone.path import spca_psd_path
from sparsecone.stability import selection_stability


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    X, y = load_digits(return_X_y=True)
    selector = SPCAPSD(n_features_to_select=8).fit(X)
    return {
        "Path(1 eta x 4 lam": spca_psd_path(X, lams=4),
        "Stability(Kuncheva": selection_stability(selector, X, n_resamples=3, random_state=0),
        "ExplainedCurve(": selector.curve_,
        "Solution(converged": selector.solution_,
        "Dataset('digits': 1797 samples, 64 features, 10 classes)": Dataset("digits", X, y),
        "Model(spca-psd: 8 of 64 features, converged)": Model.of(selector),
        "ClusteringScore(8 features: ACC 60.0 ± 2.0 %": ClusteringScore(8, 60.0, 2.0, 55.0, 1.5),
    }


def test_results_print_in_a_line(results: dict[str, Any]) -> None:
    for beginning, result in results.items():
        assert repr(result).startswith(beginning)
        assert len(repr(result)) < 200
        assert "\n" not in repr(result)


def test_results_show_themselves_in_a_small_table(results: dict[str, Any]) -> None:
    for result in results.values():
        shown = ET.fromstring(result._repr_html_())
        assert shown.find("strong") is not None
        assert len(list(shown.iter("tr"))) <= 12
        assert len(result._repr_html_()) < 10_000


def test_paths_tell_their_weights_in_the_units_of_the_selectors(results: dict[str, Any]) -> None:
    path = results["Path(1 eta x 4 lam"]
    X = load_digits(return_X_y=True)[0]
    lam, eta = float(path.relative_lams[-1]), float(path.relative_etas[0])
    fitted = SPCAPSD(lam=lam, eta=eta, n_features_to_select=8).fit(X)
    assert fitted.lam_ == pytest.approx(path.lams[-1], rel=1e-9)
    assert fitted.eta_ == pytest.approx(path.etas[0], rel=1e-9)
    assert np.flatnonzero(fitted.scores_).size == pytest.approx(path.n_nonzero[0, -1], abs=3)


def test_texts_are_escaped() -> None:
    shown = box("<b>", "<i>", [heads("<u>"), table_row("<s>", "<p>")])
    assert not set(shown.split("<")) & {"b>", "i>", "u>", "s>", "p>"}
