"""The scores with the cut."""

from __future__ import annotations

import numpy as np

from sparsecone import SPCAPSD
from sparsecone.display import ScoresDisplay


def test_scores_show_the_cut(digits: SPCAPSD) -> None:
    display = ScoresDisplay.from_estimator(digits)
    selected, others = display.ax_.patches
    best = np.sort(digits.scores_)[::-1]
    np.testing.assert_array_equal(selected.get_data().values, best[:16])
    np.testing.assert_array_equal(others.get_data().values, best[16:])
    assert selected.get_data().edges[-1] == others.get_data().edges[0] == 16.5


def test_scores_of_a_full_selection_have_no_rest() -> None:
    display = ScoresDisplay(scores=[1.0, 2.0], n_selected=2).plot()
    assert len(display.ax_.patches) == 1
