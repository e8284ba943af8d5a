"""Matrices as pictures."""

from __future__ import annotations

import re

import numpy as np

from sparsecone.charts import (
    Cells,
    correlation_grid,
    pixel_grid,
)


def test_outline_surrounds_the_mask_and_shades_merge() -> None:
    values = np.array([[1.0, 1.0, 0.0], [0.5, 0.0, 0.0]])
    chart = pixel_grid(Cells(values, values), outlined=values == 1.0, label="", kind="", what="")
    assert 'd="M0 0H2" class="more" stroke-opacity="1.00"' in chart
    outline = re.search(r'd="([^"]+)" class="outline"', chart)
    assert outline
    assert set(outline[1].split("M")) == {"", "0 0h2", "0 1h2", "0 0v1", "2 0v1"}


def test_signs_of_correlations_have_colours_of_their_own() -> None:
    matrix = np.array([[1.0, -0.5], [-0.5, 1.0]])
    chart = correlation_grid(Cells(matrix, matrix), names=["a", "b"], label="")
    assert chart.count('class="more"') == chart.count('class="less"') == 1
    assert 'data-values="1 -0.5 -0.5 1"' in chart
