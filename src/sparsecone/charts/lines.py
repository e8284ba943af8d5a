"""Lines over a common x: the convergence of a solver."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..linalg.types import Array
from .elements import dots, path, polyline, text
from .frame import TOP, WIDTH, framed, strips
from .scales import Axis, count_axis, linear_axis, log_axis

#: Up to this many points have a dot of their own where they say something under the pointer.
DOTTED = 60
#: Strips that say under the pointer what is there, where there are more.
STRIPS = 200
#: No line has more points than this: a screen has no more columns.
MOST_POINTS = 2000


@dataclass(frozen=True)
class Line:
    """A line."""

    kind: str  #: The class of its parts in CSS.
    #: The points; nan in y where there is none.
    x: Array
    y: Array
    tips: Sequence[str] = ()  #: What each point says under the pointer; empty for nothing.


def line_chart(
    lines: Sequence[Line],
    *,
    label: str,
    height: int = 200,
    log: bool = False,
    log_x: bool = False,
    threshold: tuple[float, str] | None = None,
    ends: tuple[float, float] | None = None,
    cut: float | None = None,
) -> str:
    """Return a chart of lines, with a horizontal threshold and a vertical cut where given.

    There is one finite point in all at least, with `log` all are positive. The ends of y
    are by default those of the lines, with a margin; a cut is a number of features on x.
    """
    x_axis, y_axis = _axes(lines, log=log, threshold=threshold)
    if log_x:
        x = np.concatenate([line.x for line in lines])
        x_axis = log_axis(float(x.min()), float(x.max()))
    if ends is not None:
        y_axis = linear_axis(*ends, n_ticks=5)
    marks, notes = [], []
    if threshold is not None:
        value, name = threshold
        y = height * (1.0 - float(y_axis.fraction(value)))
        marks.append(path(polyline(np.array([0, WIDTH]), np.array([y, y])), "cut"))
        notes.append(text(name, x="100%", y=TOP + y - 5, text_anchor="end", class_="note"))
    for line in lines:
        marks += _drawn(line, x_axis, y_axis, height)
    return framed(
        marks, x_axis=x_axis, y_axis=y_axis, height=height, label=label, notes=notes, cut=cut
    )


def _axes(
    lines: Sequence[Line], *, log: bool, threshold: tuple[float, str] | None
) -> tuple[Axis, Axis]:
    x = np.concatenate([line.x for line in lines])
    y = np.concatenate([line.y[np.isfinite(line.y)] for line in lines])
    if threshold is not None:
        y = np.append(y, threshold[0])
    x_axis = count_axis(float(x.min()), float(x.max()))
    low, high = float(y.min()), float(y.max())
    if log:
        return x_axis, log_axis(low, high)
    margin = 0.06 * (high - low)
    return x_axis, linear_axis(low - margin, high + margin, n_ticks=4)


def _drawn(line: Line, x_axis: Axis, y_axis: Axis, height: int) -> list[str]:
    known = np.flatnonzero(np.isfinite(line.y))
    if not known.size:
        return []
    if known.size > MOST_POINTS:
        known = known[np.linspace(0, known.size - 1, MOST_POINTS).astype(np.intp)]
    x = WIDTH * x_axis.fraction(line.x[known])
    y = height * (1.0 - y_axis.fraction(line.y[known]))
    parts = [path(polyline(x, y), f"line {line.kind}")]
    if x.size > DOTTED:
        return parts + _strips(line, x_axis, height)
    tips = [line.tips[k] for k in known.tolist()] if line.tips else []
    parts += [
        path(dots(x[k : k + 1], y[k : k + 1]), f"dot {line.kind}", tip=tip)
        for k, tip in enumerate(tips)
    ]
    return parts


def _strips(line: Line, x_axis: Axis, height: int) -> list[str]:
    """Return what a line with many points says under the pointer, at some of them."""
    if not line.tips:
        return []
    some = np.unique(np.linspace(0, line.x.size - 1, STRIPS).astype(np.intp))
    x = WIDTH * x_axis.fraction(line.x[some])
    middles = 0.5 * (x[1:] + x[:-1])
    ends = np.concatenate([x[:1], middles, x[-1:]]).tolist()
    return strips(ends, [line.tips[k] for k in some.tolist()], height)
