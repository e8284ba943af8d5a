"""Scores from the best to the worst, with the cut between selected and not."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ..linalg.types import Array
from .elements import path, polyline, tag
from .frame import WIDTH, framed, strips
from .scales import Axis, count_axis, log_axis, score_axis

#: Up to this many values are bars, each with its name; more are an area.
BARRED = 150
#: Up to this many bars have a space between them.
SPACED = 72
#: Strips that say under the pointer which ranks and values they cover.
STRIPS = 120
#: Values that an area shows.
PLACES = 500


def ranked_chart(
    values: Array,
    *,
    n_selected: int,
    names: Sequence[str],
    label: str,
    log: bool = False,
    height: int = 200,
    top: float | None = None,
) -> str:
    """Return a chart of values in rank order, with a cut where some are not selected.

    The first values have names, which bars show. On a logarithmic axis no value is negative,
    and zeros are left out. The axis ends at `top`, by default the largest value.
    """
    y_axis = _value_axis(values, log=log, top=top)
    heights = np.clip(y_axis.fraction(values), 0.0, 1.0) * height
    if log:
        heights[values <= 0.0] = 0.0
    n = values.size
    x_axis = _rank_axis(n)
    draw = _bars if n <= BARRED else _areas
    marks = draw(values, heights, n_selected, names, height)
    cut = float(n_selected) if n_selected < n else None
    return framed(marks, x_axis=x_axis, y_axis=y_axis, height=height, label=label, cut=cut)


def _value_axis(values: Array, *, log: bool, top: float | None) -> Axis:
    high = float(values.max()) if top is None else top
    if log:
        positive = values[values > 0.0]
        # Below this, scores are zero up to the accuracy of a solver.
        low = max(float(positive.min(initial=high)), 1e-8 * high)
        return log_axis(low, high)
    return score_axis(values, high)


def _rank_axis(n: int) -> Axis:
    """Return the axis of ranks; rank k fills the part from k - 1 to k."""
    rough = count_axis(0.0, float(n))
    ticks = [1.0] + [t for t in rough.ticks if t > max(1.0, 0.05 * n)]
    places = tuple(t - 0.5 for t in ticks) if n <= BARRED else tuple(ticks)
    return Axis(0.0, float(n), places, tuple(f"{t:,.0f}" for t in ticks))


def _bars(
    values: Array, heights: Array, n_selected: int, names: Sequence[str], height: int
) -> list[str]:
    """Return one bar a value, with a space between where there is room for it."""
    width = WIDTH / values.size
    # Without a space they overlap a little, lest the page shines through.
    left, right = (0.1, 0.9) if values.size <= SPACED else (0.0, 1.5)
    marks = []
    for k, (value, tall) in enumerate(zip(values.tolist(), heights.tolist(), strict=True)):
        name = f": {names[k]}" if k < len(names) else ""
        top = height - max(tall, 1.0)
        start, end = (k + left) * width, min((k + right) * width, WIDTH)
        box = f"M{start:.1f} {height}V{top:.1f}H{end:.1f}V{height}z"
        kind = "bar selected" if k < n_selected else "bar"
        marks.append(path(box, kind, tip=f"Rank {k + 1}{name}\n{value:.4g}"))
    return marks


def _areas(
    values: Array, heights: Array, n_selected: int, _names: Sequence[str], height: int
) -> list[str]:
    """Return the area of all, and above it that of the selected: the same behind a window.

    Where ranks share a place on the screen, the largest value is drawn there.
    """
    n = values.size
    starts = np.unique(np.linspace(0, n, min(n, PLACES), endpoint=False).astype(np.intp))
    tops = height - np.maximum.reduceat(heights, starts)
    x = WIDTH * starts / n
    area = polyline(np.append(np.repeat(x, 2)[1:], WIDTH), np.repeat(tops, 2))
    closed = f"{area}V{height}H0z"
    window = tag("svg", path(closed, "area selected"), class_="kept", width=WIDTH * n_selected / n)
    edges = np.linspace(0, n, STRIPS + 1).astype(int).tolist()
    tips = [
        f"Ranks {a + 1:,} to {b:,}\n{values[a]:.4g} to {values[b - 1]:.4g}"
        for a, b in pairwise(edges)
    ]
    ends = [WIDTH * edge / n for edge in edges]
    return [path(closed, "area"), window, *strips(ends, tips, height)]
