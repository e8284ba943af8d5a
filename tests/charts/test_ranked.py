"""Scores in rank order."""

from __future__ import annotations

import re

import numpy as np
import pytest

from sparsecone.charts import (
    ranked_chart,
)


def test_a_ranked_curve_of_many_values_keeps_the_cut_and_is_small() -> None:
    values = np.sort(np.random.default_rng(0).random(100_000))[::-1]
    chart = ranked_chart(values, n_selected=777, names=[], label="curve")
    assert len(chart) < 80_000
    window = re.search(r'class="kept" width="([^"]+)"', chart)
    assert window
    assert float(window[1]) == pytest.approx(1000 * 777 / 100_000, abs=0.06)
    assert 'transform="translate(7.8)"' in chart


@pytest.mark.parametrize("log", [False, True])
def test_bars_are_as_tall_as_their_values(log: bool) -> None:
    values = np.array([1.0, 0.1, 0.0])
    chart = ranked_chart(values, n_selected=1, names=["a"], label="bars", log=log, height=100)
    tops = [100 - float(top) for top in re.findall(r'V([\d.]+)H[\d.]+V100z" class="bar', chart)]
    # On two decades of a logarithmic axis a tenth is at its foot; a bar of nothing is a pixel tall.
    assert tops == pytest.approx([100.0, 1.0, 1.0] if log else [100.0, 10.0, 1.0])
    assert chart.count("bar selected") == 1
    assert "1 selected" in chart
