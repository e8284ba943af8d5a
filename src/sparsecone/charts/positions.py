"""Scores along the columns of the data, with the selected ones raised from the rest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..linalg.types import Array
from .elements import dots, number, polyline, tag
from .frame import WIDTH, framed
from .scales import Axis, linear_axis, score_axis

#: More columns than this share a place with their neighbours; the largest score is drawn there.
PLACES = 500


def position_chart(
    values: Array,
    *,
    selected: Array,
    names: Sequence[str],
    label: str,
    height: int = 180,
) -> str:
    """Return a chart of values by column index.

    Parameters
    ----------
    values : ndarray of shape (n_features,)
        One a column.
    selected : ndarray of shape (n_selected,)
        Indices of the selected columns.
    names : sequence of str
        Names of the first of them; those say under the pointer what they are.
    label : str
        What the chart shows, for those who cannot see it.
    height : int
        Pixels of the body.
    """
    n = values.size
    y_axis = score_axis(values, float(values.max()), n_ticks=4)
    rough = linear_axis(0.0, float(max(n - 1, 1)))
    ticks = tuple(t for t in rough.ticks if t == round(t))
    x_axis = Axis(-0.5, n - 0.5, ticks, tuple(f"{t:,.0f}" for t in ticks))
    tops = height * (1.0 - y_axis.fraction(values))
    x = WIDTH * (np.arange(n) + 0.5) / n
    others = np.ones(n, dtype=bool)
    others[selected] = False
    marks = [
        _rest(x[others], tops[others], height, dense=n > PLACES),
        tag("path", d=_stems(x[selected], tops[selected], height), class_="stem selected"),
        *(
            tag(
                "path",
                d=dots(x[[j]], tops[[j]]),
                class_="dot selected",
                data_tip=f"Column {j}: {name}\n{values[j]:.4g}",
            )
            for j, name in zip(selected.tolist(), names, strict=False)
        ),
    ]
    return framed(marks, x_axis=x_axis, y_axis=y_axis, height=height, label=label)


def _longest(x: Array, tops: Array) -> Array:
    """Return which value in each place is the largest, from left to right."""
    places = (x * PLACES / WIDTH).astype(np.intp)
    order = np.lexsort((tops, places))
    _, first = np.unique(places[order], return_index=True)
    return order[first]


def _rest(x: Array, tops: Array, base: int, *, dense: bool) -> str:
    """Return the columns that are not selected: as an area where they are many."""
    if not dense or x.size < 2:
        return tag("path", d=_stems(x, tops, base), class_="stem")
    kept = _longest(x, tops)
    closed = f"{polyline(x[kept], tops[kept])}V{base}H{number(x[kept[0]])}z"
    return tag("path", d=closed, class_="area rest")


def _stems(x: Array, tops: Array, base: int) -> str:
    """Return vertical lines from the base, the longest in each place."""
    kept = _longest(x, tops)
    ends = zip(x[kept].tolist(), tops[kept].tolist(), strict=True)
    # A path must not be empty: one that starts and goes nowhere draws nothing.
    return "".join(f"M{number(a)} {base}V{number(b)}" for a, b in ends) or "M0 0"
