"""A result as a notebook shows it: a title, a sentence and a small table in a box."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

# Colours come from the notebook: the box looks right on a light and on a dark page.
BOX = (
    "display:inline-block;font:14px/1.5 system-ui,sans-serif;padding:.7em 1em;"
    "border:1px solid rgba(128,128,128,.35);border-radius:8px;max-width:44em"
)
TABLE = "border-collapse:collapse;margin:0;border:0;font:inherit;color:inherit"
NAME = "text-align:left;font-weight:400;opacity:.65;padding:.1em 1.2em .1em 0"
FIGURE = (
    "text-align:left;vertical-align:middle;font-variant-numeric:tabular-nums;"
    "padding:.1em 1.2em .1em 0"
)


def box(title: str, sentence: str, rows: Sequence[str]) -> str:
    """Return a box; the rows are markup, made by `table_row` and `heads`.

    Examples
    --------
    >>> "<strong>A &amp; B</strong>" in box("A & B", "", [table_row("n", "1")])
    True
    """
    return (
        f'<div style="{BOX}"><strong>{escape(title)}</strong>'
        f'<div style="margin:.2em 0 .5em">{escape(sentence)}</div>'
        f'<table style="{TABLE}">{"".join(rows)}</table></div>'
    )


def table_row(name: str, *figures: str, markup: str = "") -> str:
    """Return a row: its name, figures as text, and at last what is markup already."""
    cells = [escape(figure) for figure in figures] + ([markup] if markup else [])
    return (
        f'<tr style="background:none"><th scope="row" style="{NAME}">{escape(name)}</th>'
        + "".join(f'<td style="{FIGURE}">{cell}</td>' for cell in cells)
        + "</tr>"
    )


def heads(*names: str) -> str:
    """Return the row of the names of the columns."""
    cells = "".join(f'<th scope="col" style="{NAME}">{escape(name)}</th>' for name in names)
    return f'<tr style="background:none">{cells}</tr>'


def some(count: int, most: int = 8) -> list[int]:
    """Return so many places of a long list at most, evenly spread, both ends among them.

    Examples
    --------
    >>> some(3), some(100, 5)
    ([0, 1, 2], [0, 25, 50, 74, 99])
    """
    if count <= most:
        return list(range(count))
    return [round(k * (count - 1) / (most - 1)) for k in range(most)]
