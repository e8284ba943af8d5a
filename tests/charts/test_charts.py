from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from sparsecone.charts.elements import dots, polyline
from sparsecone.charts.names import shortened
from sparsecone.charts.scales import linear_axis, log_axis

HOSTILE = "\"'><script>alert(1)</script>&\n"


def coordinates(path: str) -> list[tuple[float, float]]:
    return [(float(a), float(b)) for a, b in re.findall(r"[ML]([-\d.]+) ([-\d.]+)", path)]


@given(
    low=st.floats(-1e12, 1e12),
    width=st.floats(1e-6, 1e12),
    n_ticks=st.integers(2, 9),
)
def test_linear_axes_have_round_ticks_inside(low: float, width: float, n_ticks: int) -> None:
    axis = linear_axis(low, low + width, n_ticks=n_ticks)
    assert axis.low < axis.high
    assert 1 <= len(axis.ticks) <= n_ticks + 1
    fractions = axis.fraction(axis.ticks)
    assert np.all((fractions >= -1e-6) & (fractions <= 1 + 1e-6))
    assert axis.fraction(axis.low) == 0.0
    assert axis.fraction(axis.high) == 1.0


def test_linear_axis_of_one_value_has_a_width() -> None:
    for value in (0.0, 7.0, -2e9):
        axis = linear_axis(value, value)
        assert axis.low < value < axis.high


@given(low=st.floats(1e-18, 1e6), ratio=st.floats(1.0, 1e20))
def test_log_axes_hold_their_values(low: float, ratio: float) -> None:
    axis = log_axis(low, low * ratio)
    assert axis.low <= low * (1 + 1e-9)
    assert axis.high >= low * ratio * (1 - 1e-9)
    assert 2 <= len(axis.ticks) <= 8


def test_log_axis_puts_zero_at_its_low_end() -> None:
    axis = log_axis(1e-3, 1.0)
    np.testing.assert_allclose(axis.fraction([0.0, 1e-3, 1.0]), [0.0, 0.0, 1.0])


def test_paths_skip_what_a_screen_cannot_tell_apart() -> None:
    x = np.linspace(0.0, 1.0, 10_000)
    assert len(coordinates(polyline(x, x))) == 11
    assert dots(np.array([1.0, 1.01, 2.0]), np.array([3.0, 3.0, 3.0])) == "M1 3h0M2 3h0"


def test_a_ranked_curve_of_many_values_keeps_the_cut_and_is_small() -> None:
    values = np.sort(np.random.default_rng(0).random(100_000))[::-1]
    chart = ranked_chart(values, n_selected=777, names=[], label="curve")
    assert len(chart) < 80_000
    selected = re.search(r'd="([^"]+)" class="line selected"', chart)
    assert selected
    last = coordinates(selected[1])[-1]
    assert last[0] == pytest.approx(1000 * 776.5 / 100_000, abs=0.06)


@pytest.mark.parametrize("log", [False, True])
def test_bars_are_as_tall_as_their_values(log: bool) -> None:
    values = np.array([1.0, 0.1, 0.0])
    chart = ranked_chart(values, n_selected=1, names=["a"], label="bars", log=log, height=100)
    tops = [100 - float(top) for top in re.findall(r'V([\d.]+)H[\d.]+V100z" class="bar', chart)]
    # On two decades of a logarithmic axis a tenth is at its foot; a bar of nothing is a pixel tall.
    assert tops == pytest.approx([100.0, 1.0, 1.0] if log else [100.0, 10.0, 1.0])
    assert chart.count("bar selected") == 1
    assert "1 selected" in chart


def test_marked_columns_are_where_they_belong() -> None:
    values = np.zeros(1000)
    values[[10, 990]] = 1.0
    chart = position_chart(values, selected=np.array([990]), names=["x"], label="", height=100)
    stems = re.search(r'd="([^"]+)" class="stem selected"', chart)
    assert stems
    assert stems[1] == "M990.5 100V0"
    assert 'data-tip="Column 990: x' in chart


def test_negative_scores_stand_on_the_lowest() -> None:
    values = np.array([-0.1, -0.5, -1.0])
    ranked = ranked_chart(values, n_selected=1, names=[], label="", height=100)
    tops = re.findall(r'V([\d.]+)H[\d.]+V100z" class="bar', ranked)
    assert [float(top) for top in tops] == pytest.approx([10.0, 50.0, 99.0])
    chart = position_chart(values, selected=np.array([0]), names=[], label="", height=100)
    assert 'd="M166.7 100V10" class="stem selected"' in chart


def test_outline_surrounds_the_mask_and_shades_merge() -> None:
    values = np.array([[1.0, 1.0, 0.0], [0.5, 0.0, 0.0]])
    chart = pixel_grid(Cells(values, values), outlined=values == 1.0, label="", kind="", what="")
    assert 'd="M0 0H2v1H0z" class="more" fill-opacity="1.00"' in chart
    outline = re.search(r'd="([^"]+)" class="outline"', chart)
    assert outline
    assert set(outline[1].split("M")) == {"", "0 0h1", "1 0h1", "0 1h1", "1 1h1", "0 0v1", "2 0v1"}


def test_signs_of_correlations_have_colours_of_their_own() -> None:
    matrix = np.array([[1.0, -0.5], [-0.5, 1.0]])
    chart = correlation_grid(Cells(matrix, matrix), names=["a", "b"], label="")
    assert chart.count('class="more"') == chart.count('class="less"') == 1
    assert 'data-values="1 -0.5 -0.5 1"' in chart


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
            *("div", "svg", "g", "path", "line", "text"),
        }


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


def test_sparkline_of_nothing_is_nothing() -> None:
    assert sparkline(np.array([np.nan, 0.0]), label="") == ""


@given(name=st.text(), longest=st.integers(2, 50))
def test_shown_names_are_short_visible_and_never_empty(name: str, longest: int) -> None:
    shown = shortened(name, longest)
    assert 0 < len(shown) <= max(longest, len("(no name)"))
    assert all(c.isprintable() or c == "\u200d" for c in shown)
    shown.encode("utf-8")
