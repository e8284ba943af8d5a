"""Scores along the columns of the data, with the selected ones raised from the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..linalg.types import Array
from .elements import dots, number, path, polyline, tag
from .frame import WIDTH, framed
from .scales import count_axis, score_axis

#: More columns than this share a place with their neighbours; the largest score is drawn there.
PLACES = 500


def position_chart(
    values: Array, *, selected: Array, names: Sequence[str], label: str, height: int = 180
) -> str:
    """Return a chart of values by column index.

    The first selected columns have names, and say under the pointer what they are.
    """
    n = values.size
    y_axis = score_axis(values, float(values.max()), n_ticks=4)
    x_axis = replace(count_axis(0.0, float(max(n - 1, 1))), low=-0.5, high=n - 0.5)
    tops = height * (1.0 - y_axis.fraction(values))
    x = WIDTH * (np.arange(n) + 0.5) / n
    chosen = [
        path(_stems(x[selected], tops[selected], height), "stem selected"),
        *(
            path(
                dots(x[[j]], tops[[j]]), "dot selected", tip=f"Column {j}: {name}\n{values[j]:.4g}"
            )
            for j, name in zip(selected.tolist(), names, strict=False)
        ),
    ]
    # The page may choose others: it draws them as they are drawn here.
    scale = {"data_bottom": f"{y_axis.low:.8g}", "data_top": f"{y_axis.high:.8g}"}
    kept = tag("g", "".join(chosen), class_="kept", data_height=height, data_count=n, **scale)
    marks = [_rest(x, tops, height, dense=n > PLACES), kept]
    return framed(marks, x_axis=x_axis, y_axis=y_axis, height=height, label=label)


def _longest(x: Array, tops: Array) -> Array:
    """Return which value in each place is the largest, from left to right."""
    places = (x * PLACES / WIDTH).astype(np.intp)
    order = np.lexsort((tops, places))
    _, first = np.unique(places[order], return_index=True)
    return order[first]


def _rest(x: Array, tops: Array, base: int, *, dense: bool) -> str:
    """Return all columns in the colour of those not selected: as an area where they are many."""
    if not dense or x.size < 2:
        return path(_stems(x, tops, base), "stem")
    kept = _longest(x, tops)
    closed = f"{polyline(x[kept], tops[kept])}V{base}H{number(x[kept[0]])}z"
    return path(closed, "area rest")


def _stems(x: Array, tops: Array, base: int) -> str:
    """Return vertical lines from the base, the longest in each place."""
    kept = _longest(x, tops)
    ends = zip(x[kept].tolist(), tops[kept].tolist(), strict=True)
    return "".join(f"M{number(a)} {base}V{number(b)}" for a, b in ends)
