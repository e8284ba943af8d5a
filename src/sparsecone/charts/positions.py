"""Scores along the columns of the data, with the selected ones raised from the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .elements import dots, number, polyline, tag
from .frame import WIDTH, framed
from .scales import Axis, linear_axis

Array = NDArray[Any]

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
    low, high = min(0.0, float(values.min())), float(values.max())
    y_axis = linear_axis(low, high if high > low else low + 1.0, n_ticks=4)
    rough = linear_axis(0.0, float(max(n - 1, 1)))
    ticks = tuple(t for t in rough.ticks if t == round(t))
    x_axis = Axis(-0.5, n - 0.5, ticks, tuple(f"{t:,.0f}" for t in ticks))
    tops = height * (1.0 - y_axis.fraction(values))
    base = height * (1.0 - float(y_axis.fraction(0.0)))
    x = WIDTH * (np.arange(n) + 0.5) / n
    others = np.ones(n, dtype=bool)
    others[selected] = False
    marks = [
        _rest(x[others], tops[others], base, dense=n > PLACES),
        tag("path", d=_stems(x[selected], tops[selected], base), class_="stem selected"),
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


def _longest(x: Array, tops: Array, base: float) -> Array:
    """Return which value in each place is farthest from the base, from left to right."""
    places = (x * PLACES / WIDTH).astype(np.intp)
    order = np.lexsort((-np.abs(tops - base), places))
    _, first = np.unique(places[order], return_index=True)
    return order[first]


def _rest(x: Array, tops: Array, base: float, *, dense: bool) -> str:
    """Return the columns that are not selected: as an area where they are many."""
    if not dense or x.size < 2:
        return tag("path", d=_stems(x, tops, base), class_="stem")
    kept = _longest(x, tops, base)
    foot = number(base)
    closed = f"{polyline(x[kept], tops[kept])}V{foot}H{number(x[kept[0]])}z"
    return tag("path", d=closed, class_="area rest")


def _stems(x: Array, tops: Array, base: float) -> str:
    """Return vertical lines from the base, the longest in each place."""
    kept = _longest(x, tops, base)
    foot = number(base)
    ends = zip(x[kept].tolist(), tops[kept].tolist(), strict=True)
    # A path must not be empty: one that starts and goes nowhere draws nothing.
    return "".join(f"M{number(a)} {foot}V{number(b)}" for a, b in ends) or "M0 0"
