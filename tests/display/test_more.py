"""The curve with its ceiling, the stability, the correlations."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_breast_cancer, load_digits

from sparsecone import SPCAPSD, MaxVariance
from sparsecone.display import CorrelationDisplay, ExplainedCurveDisplay, StabilityDisplay
from sparsecone.stability import Stability


def test_the_curve_lies_below_its_ceiling_and_marks_the_selection(digits: SPCAPSD) -> None:
    display = ExplainedCurveDisplay.from_estimator(digits)
    ceiling, explained, _, dot = display.ax_.lines
    np.testing.assert_array_equal(explained.get_ydata(), 100.0 * digits.curve_.explained)
    assert np.all(ceiling.get_ydata() >= explained.get_ydata())
    assert dot.get_xdata() == [16]
    assert display.ax_.get_title().replace("\n", " ") == digits.curve_.verdict(16)
    with pytest.raises(ValueError, match="MaxVariance has no curve"):
        ExplainedCurveDisplay.from_estimator(MaxVariance().fit(np.eye(3)))


def test_stability_comes_in_the_order_of_choice(tumours: SPCAPSD) -> None:
    frequencies = np.linspace(0.0, 1.0, 30)
    found = Stability(frequencies, kuncheva=0.25, jaccard=0.5, n_resamples=20)
    display = StabilityDisplay.from_stability(found, tumours)
    (selected, _) = display.ax_.containers
    widths = [bar.get_width() for bar in selected]
    assert widths == pytest.approx(100.0 * frequencies[tumours.selected_])
    assert display.ax_.get_xlabel().startswith("share of the subsamples in % (10 more")
    assert display.ax_.get_title() == "Kuncheva index 0.25"
    alone = StabilityDisplay.from_stability(found)
    assert alone.ax_.get_ylabel() == "share of the subsamples in %"


def test_correlations_have_names_on_both_sides(tumours: SPCAPSD) -> None:
    frame = load_breast_cancer(as_frame=True).data
    display = CorrelationDisplay.from_estimator(tumours, frame)
    expected = frame.iloc[:, tumours.selected_].corr()
    np.testing.assert_allclose(display.matrix, expected, atol=1e-12)
    across, down = display.ax_.get_xticklabels(), display.ax_.get_yticklabels()
    assert [text.get_text() for text in across] == [text.get_text() for text in down]
    assert [text.get_text() for text in down[:2]] == ["worst radius", "worst fractal dimen…"]


def test_correlations_of_sparse_and_dense_data_agree(digits: SPCAPSD) -> None:
    X = load_digits(return_X_y=True)[0]
    dense = CorrelationDisplay.from_estimator(digits, X).matrix
    sparse = CorrelationDisplay.from_estimator(digits, sp.csr_array(X)).matrix
    np.testing.assert_allclose(sparse, dense, atol=1e-12)
