"""The scores with the cut."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone import SPCAPSD
from sparsecone.display import ScoresDisplay


def test_scores_come_in_the_order_of_choice(digits: SPCAPSD) -> None:
    display = ScoresDisplay.from_estimator(digits)
    selected, others = display.ax_.patches
    order = np.argsort(digits.ranking_)
    np.testing.assert_array_equal(selected.get_data().values, digits.scores_[digits.selected_])
    np.testing.assert_array_equal(others.get_data().values, digits.scores_[order[16:]])
    assert selected.get_data().edges[-1] == others.get_data().edges[0] == 16.5


def test_named_features_are_bars_and_the_selected_ones_are_marked(tumours: SPCAPSD) -> None:
    display = ScoresDisplay.from_estimator(tumours)
    selected, others = display.ax_.containers
    widths = [bar.get_width() for bar in selected]
    # Not the six highest scores: those that were selected.
    assert widths == pytest.approx(tumours.scores_[tumours.selected_])
    assert widths != sorted(widths, reverse=True)
    assert len(others) == 14
    names = [text.get_text() for text in display.ax_.get_yticklabels()]
    order = np.argsort(tumours.ranking_)[:20]
    assert names == tumours.feature_names_in_[order].tolist()
    assert display.ax_.get_xlabel() == "score (10 more features follow)"


def test_scores_of_a_full_selection_have_no_rest() -> None:
    display = ScoresDisplay(scores=[1.0, 2.0], n_selected=2).plot()
    assert len(display.ax_.patches) == 1


def test_what_does_not_fit_is_named() -> None:
    with pytest.raises(ValueError, match="names has 1 entries for 2 scores"):
        ScoresDisplay(scores=[1.0, 2.0], n_selected=2, names=["a"])
