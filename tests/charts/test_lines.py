"""Lines over a common x."""

from __future__ import annotations

import re

import numpy as np

from sparsecone.charts import (
    Line,
    line_chart,
)


def coordinates(path: str) -> list[tuple[float, float]]:
    return [(float(a), float(b)) for a, b in re.findall(r"[ML]([-\d.]+) ([-\d.]+)", path)]


def test_lines_leave_out_what_is_unknown() -> None:
    line = Line("bound", np.array([1.0, 2.0, 3.0]), np.array([np.nan, 0.1, 0.01]), ["a", "b", "c"])
    chart = line_chart([line], label="", log=True)
    assert re.findall(r'data-tip="(\w)"', chart) == ["b", "c"]
    assert "nan" not in chart


def test_long_lines_are_thinned_and_keep_their_ends() -> None:
    x = np.arange(50_000.0)
    chart = line_chart([Line("value", x, np.sin(x) + 2.0)], label="")
    assert len(chart) < 40_000
    path = re.search(r'd="([^"]+)" class="line value"', chart)
    assert path
    points = coordinates(path[1])
    assert (points[0][0], points[-1][0]) == (0.0, 1000.0)
