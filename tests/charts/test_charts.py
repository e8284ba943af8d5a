"""What all charts have in common."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from sparsecone.charts import (
    Cells,
    Group,
    Line,
    correlation_grid,
    line_chart,
    pixel_grid,
    position_chart,
    ranked_chart,
    scatter_chart,
    sparkline,
)

HOSTILE = "\"'><script>alert(1)</script>&\n"


def test_negative_scores_stand_on_the_lowest() -> None:
    values = np.array([-0.1, -0.5, -1.0])
    ranked = ranked_chart(values, n_selected=1, names=[], label="", height=100)
    tops = re.findall(r'V([\d.]+)H[\d.]+V100z" class="bar', ranked)
    assert [float(top) for top in tops] == pytest.approx([10.0, 50.0, 99.0])
    chart = position_chart(values, selected=np.array([0]), names=[], label="", height=100)
    assert 'd="M166.7 100V10" class="stem selected"' in chart


def test_every_chart_is_well_formed_whatever_the_names() -> None:
    ones = np.ones((2, 2))
    x = np.array([1.0, 2.0])
    charts = [
        ranked_chart(x[::-1], n_selected=1, names=[HOSTILE] * 2, label=HOSTILE),
        position_chart(x, selected=np.array([1]), names=[HOSTILE], label=HOSTILE),
        correlation_grid(Cells(ones, ones), names=[HOSTILE] * 2, label=HOSTILE),
        pixel_grid(Cells(ones, ones), outlined=ones > 0, label=HOSTILE, kind="a", what=HOSTILE),
        line_chart([Line("value", x, x, [HOSTILE] * 2)], label=HOSTILE, threshold=(1.0, HOSTILE)),
        scatter_chart([Group("class-0", ones)], label=HOSTILE),
        sparkline(x, label=HOSTILE),
    ]
    for chart in charts:
        tree = ET.fromstring(chart)
        assert {element.tag for element in tree.iter()} <= {
            *("bdi", "div", "svg", "g", "path", "line", "text"),
        }
