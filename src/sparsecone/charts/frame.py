"""The frame of a chart: axes that keep their size around a body that fills the width.

The body is stretched in x only, so that a chart is as readable on a phone as on a desk: texts stay
as large as they are, lines as thin (`vector-effect` in the CSS of the page), dots as round.
"""

from __future__ import annotations

from collections.abc import Sequence

from .elements import path, picture, tag, text
from .scales import Axis

#: Units of x in the body, whatever its width on the screen.
WIDTH = 1000.0
#: Pixels above and below the body.
TOP, BOTTOM = 24, 24
#: Pixels a character of an axis takes, about.
CHARACTER = 7.0


def framed(
    marks: Sequence[str],
    *,
    x_axis: Axis,
    y_axis: Axis,
    height: int,
    label: str,
    notes: Sequence[str] = (),
    cut: float | None = None,
) -> str:
    """Return a chart: `marks` in units of the body, `notes` as texts placed in percent.

    A cut is a vertical line at a number of selected features, with a note at its top. The page may
    move both: the chart says in `data-low` and `data-high` which values lie at its ends.
    """
    whole = TOP + height + BOTTOM
    if cut is not None:
        at = float(x_axis.fraction(cut))
        line = f"M0 {-TOP / 2:.0f}V{height}"
        marks = [
            *marks,
            tag("path", d=line, class_="cut", transform=f"translate({WIDTH * at:.1f})"),
        ]
        notes = [*notes, _cut_note(f"{cut:,.0f} selected", at)]
    body = tag(
        "svg",
        "".join(marks),
        viewBox=f"0 0 {WIDTH:.0f} {height}",
        preserveAspectRatio="none",
        width="100%",
        height=height,
        y=TOP,
        overflow="visible",
    )
    drawn = [*_rules(y_axis, height), body, *_x_labels(x_axis, height), *notes]
    moved = {} if cut is None else {"data_low": f"{x_axis.low:g}", "data_high": f"{x_axis.high:g}"}
    plot = picture("".join(drawn), label=label, class_="plot", width="100%", height=whole, **moved)
    return tag("div", _y_labels(y_axis, height) + plot, class_="chart")


def percent(fraction: float) -> str:
    """Return a place along x for a note.

    Examples
    --------
    >>> percent(0.25)
    '25%'
    """
    return f"{100 * fraction:.4g}%"


def strips(ends: Sequence[float], tips: Sequence[str], height: int) -> list[str]:
    """Return strips between places along x that say under the pointer what is there."""
    return [
        path(f"M{a:.1f} 0H{b:.1f}V{height}H{a:.1f}z", "strip", tip=tip)
        for a, b, tip in zip(ends[:-1], ends[1:], tips, strict=True)
    ]


def _cut_note(note: str, at: float) -> str:
    shift, anchor = (6, "start") if at <= 0.6 else (-6, "end")
    return text(note, x=percent(at), dx=shift, y=TOP / 2, text_anchor=anchor, class_="note moving")


def _rules(axis: Axis, height: int) -> list[str]:
    places = (TOP + height * (1.0 - axis.fraction(axis.ticks))).tolist()
    lines = [tag("line", x2="100%", y1=y, y2=y, class_="rule") for y in places]
    return [*lines, tag("line", x2="100%", y1=TOP + height, y2=TOP + height, class_="base")]


def _x_labels(axis: Axis, height: int) -> list[str]:
    texts = []
    for where, shown in zip(axis.fraction(axis.ticks).tolist(), axis.labels, strict=True):
        # A label at an end of the axis stays within the chart.
        anchor = "start" if where < 0.03 else "end" if where > 0.97 else "middle"
        texts.append(
            text(shown, x=percent(where), y=TOP + height + 17, text_anchor=anchor, class_="tick")
        )
    return texts


def _y_labels(axis: Axis, height: int) -> str:
    width = round(8 + CHARACTER * max((len(shown) for shown in axis.labels), default=0))
    places = (TOP + height * (1.0 - axis.fraction(axis.ticks)) + 4).tolist()
    labels = [
        text(shown, x=width - 8, y=y, text_anchor="end", class_="tick")
        for shown, y in zip(axis.labels, places, strict=True)
    ]
    return tag(
        "svg",
        "".join(labels),
        class_="axis",
        aria_hidden="true",
        width=width,
        height=TOP + height + BOTTOM,
    )
