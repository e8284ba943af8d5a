"""Matrices as pictures: the pixels of an image, the correlations of features."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..linalg.types import Array
from .elements import path, picture, tag, text
from .image import borders
from .names import shortened

#: Shades of a picture; one path each.
SHADES = 24
#: Longest name beside a row, and units a character takes of the size of the font.
LONGEST = 16
CHARACTER = 0.6
#: Up to this many rows a matrix is made to fit a part of the page.
COMPACT = 30


@dataclass(frozen=True)
class Cells:
    """A matrix to be shown.

    Attributes
    ----------
    values : ndarray of shape (n_rows, n_columns)
        From -1 to 1; the sign chooses the colour, the absolute value how strong it is.
    shown : ndarray of the same shape
        What a cell says under the pointer.
    side : int
        Rows and columns that a cell stands for.
    """

    values: Array
    shown: Array
    side: int = 1


def pixel_grid(cells: Cells, *, outlined: Array, label: str, kind: str, what: str) -> str:
    """Return an image with some of its pixels outlined.

    Parameters
    ----------
    cells : Cells
        The pixels.
    outlined : ndarray of bool of the same shape
        Which of them lie within the outline.
    label : str
        What the picture shows, for those who cannot see it.
    kind : str
        Its class in CSS.
    what : str
        What the values are.
    """
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
    """Return a square matrix with the names of its rows beside them.

    Parameters
    ----------
    cells : Cells
        The correlations.
    names : sequence of str
        One a row.
    label : str
        What the picture shows, for those who cannot see it.
    """
    n = len(names)
    shown = [shortened(name, LONGEST) for name in names]
    pixels = min(34.0, 480.0 / n) if n <= COMPACT else min(18.0, 750.0 / n)
    # In units of a cell; the font is a little smaller than a row.
    size = min(0.78, 13.5 / pixels)
    left = CHARACTER * size * max(map(len, shown)) + 0.5
    beside = [
        text(name, x="-0.35", y=f"{k + 0.5 + 0.34 * size:.2f}", text_anchor="end")
        for k, name in enumerate(shown)
    ]
    texts = tag("g", "".join(beside), font_size=f"{size:.3g}", class_="names")
    return picture(
        _shades(cells.values) + texts,
        label=label,
        viewBox=f"{-left:.2f} 0 {n + left:.2f} {n}",
        width=f"{(n + left) * pixels:.0f}",
        height=f"{n * pixels:.0f}",
        class_="grid matrix",
        data_columns=n,
        data_values=_values(cells.shown),
        data_names=json.dumps([shortened(name, 40) for name in names], ensure_ascii=False),
        data_what="correlation",
    )


def _shades(values: Array) -> str:
    """Return one path for each shade, made of the runs of equal cells in each row."""
    levels = np.rint(SHADES * np.clip(values, -1.0, 1.0)).astype(int)
    runs: dict[int, list[str]] = {}
    for row, line in enumerate(levels):
        starts = np.flatnonzero(np.diff(line, prepend=line[0] - 1))
        ends = np.append(starts[1:], line.size)
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            level = int(line[start])
            if level:
                runs.setdefault(level, []).append(f"M{start} {row}H{end}v1H{start}z")
    return "".join(
        tag(
            "path",
            d="".join(pieces),
            class_="more" if level > 0 else "less",
            fill_opacity=f"{abs(level) / SHADES:.2f}",
        )
        for level, pieces in sorted(runs.items())
    )


def _outline(mask: Array) -> str:
    """Return the border between the cells inside a mask and those outside."""
    across, down = borders(mask)
    pieces = [f"M{column} {row}h1" for row, column in zip(*across, strict=True)]
    pieces += [f"M{column} {row}v1" for row, column in zip(*down, strict=True)]
    return "".join(pieces)


def _values(values: Array) -> str:
    return " ".join(f"{value:.3g}" for value in values.ravel().tolist())
