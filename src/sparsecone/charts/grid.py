"""Matrices as pictures: the pixels of an image, the correlations of features."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from ..linalg.types import Array
from .elements import path, picture, tag
from .image import borders
from .names import shortened

#: Shades of a picture; one path each.
SHADES = 24
#: Characters of a name beside a row or above a column.
LONGEST = 40


@dataclass(frozen=True)
class Cells:
    """A matrix to be shown."""

    #: From -1 to 1; the sign chooses the colour, the absolute value how strong it is.
    values: Array
    shown: Array  #: What a cell says under the pointer, of the same shape.
    side: int = 1  #: Rows and columns that a cell stands for.


def pixel_grid(cells: Cells, *, outlined: Array, label: str, kind: str, what: str) -> str:
    """Return an image of a class in CSS with some of its pixels outlined; `what` its values are."""
    n_rows, n_columns = cells.values.shape
    return picture(
        _shades(cells.values) + path(_outline(outlined), "outline"),
        label=label,
        viewBox=f"0 0 {n_columns} {n_rows}",
        class_=f"grid {kind}",
        data_columns=n_columns,
        data_side=cells.side,
        data_values=_values(cells.shown),
        data_what=what,
    )


def correlation_grid(cells: Cells, *, names: Sequence[str], label: str) -> str:
    """Return a square matrix with the names of its rows beside them, and of its columns above.

    The names are texts of the page, not of the picture: they are as wide as they are, and end in an
    ellipsis where there is no room.
    """
    n = len(names)
    body = picture(
        _shades(cells.values),
        label=label,
        viewBox=f"0 0 {n} {n}",
        class_="grid matrix",
        data_columns=n,
        data_values=_values(cells.shown),
        data_names=json.dumps([shortened(name, 40) for name in names], ensure_ascii=False),
        data_what="correlation",
    )
    labels = "".join(tag("bdi", escape(shortened(name, LONGEST))) for name in names)
    return tag(
        "div",
        tag("div", labels, class_="across", aria_hidden="true")
        + tag("div", labels, class_="down", aria_hidden="true")
        + body,
        class_="named",
        style=f"--n:{n}",
    )


def _shades(values: Array) -> str:
    """Return one path for each shade, made of the runs of equal cells in each row.

    A run is a line as broad as a row: that takes fewer characters than its outline.
    """
    levels = np.rint(SHADES * np.clip(values, -1.0, 1.0)).astype(int)
    runs: dict[int, list[str]] = {}
    for row, line in enumerate(levels):
        starts = np.flatnonzero(np.diff(line, prepend=line[0] - 1))
        ends = np.append(starts[1:], line.size)
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            level = int(line[start])
            if level:
                runs.setdefault(level, []).append(f"M{start} {row}H{end}")
    lines = [
        tag(
            "path",
            d="".join(pieces),
            class_="more" if level > 0 else "less",
            stroke_opacity=f"{abs(level) / SHADES:.2f}",
        )
        for level, pieces in sorted(runs.items())
    ]
    return tag("g", "".join(lines), transform="translate(0 0.5)", fill="none") if lines else ""


def _outline(mask: Array) -> str:
    """Return the border between the cells inside a mask and those outside."""
    (rows, columns), down = borders(mask)
    pieces = [f"M{column} {row}h{size}" for row, column, size in _runs(rows, columns)]
    pieces += [f"M{column} {row}v{size}" for column, row, size in _runs(down[1], down[0])]
    return "".join(pieces)


def _runs(lines: Array, places: Array) -> list[tuple[int, int, int]]:
    """Return edges that follow one another on a line as one: its line, start and length."""
    order = np.lexsort((places, lines))
    lines, places = lines[order], places[order]
    new = np.ones(lines.size, dtype=bool)
    new[1:] = (np.diff(lines) != 0) | (np.diff(places) != 1)
    starts = np.flatnonzero(new)
    sizes = np.diff(np.append(starts, lines.size))
    found = zip(lines[starts].tolist(), places[starts].tolist(), sizes.tolist(), strict=True)
    return list(found)


def _values(values: Array) -> str:
    return " ".join(f"{value:.3g}" for value in values.ravel().tolist())
