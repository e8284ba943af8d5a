"""The text of SVG elements, with everything escaped."""

from __future__ import annotations

from html import escape

import numpy as np

from ..linalg.types import Array


def tag(name: str, content: str = "", /, **attributes: str | float | None) -> str:
    """Return an element; `content` is markup, attribute values are escaped.

    An underscore in the name of an attribute stands for a hyphen, one at its end for nothing.

    Examples
    --------
    >>> tag("path", d="M0 0h1", class_="a<b", data_tip=None)
    '<path d="M0 0h1" class="a&lt;b"/>'
    """
    parts = [name]
    for key, value in attributes.items():
        if value is not None:
            shown = number(value) if isinstance(value, float) else escape(str(value))
            parts.append(f'{key.rstrip("_").replace("_", "-")}="{shown}"')
    opening = " ".join(parts)
    return f"<{opening}>{content}</{name}>" if content else f"<{opening}/>"


def path(d: str, kind: str, *, tip: str | None = None) -> str:
    """Return a path of a class in CSS, and what it says under the pointer.

    A path must not be empty: one that starts and goes nowhere draws nothing.
    """
    return tag("path", d=d or "M0 0", class_=kind, data_tip=tip)


def picture(content: str, *, label: str, **attributes: str | float | None) -> str:
    """Return an SVG; as in all charts `label` says what it shows to those who cannot see it."""
    return tag("svg", content, role="img", aria_label=label, **attributes)


def text(content: str, **attributes: str | float | None) -> str:
    """Return a text element."""
    return tag("text", escape(content), **attributes)


def number(value: float) -> str:
    """Return a coordinate with a tenth of a unit, as short as it can be written.

    Examples
    --------
    >>> number(12.04), number(-0.01), number(3.25)
    ('12', '0', '3.2')
    """
    return f"{round(float(value), 1) + 0.0:.1f}".removesuffix(".0")


def polyline(x: Array, y: Array) -> str:
    """Return the path through points, without those that repeat the one before."""
    points = np.round(np.column_stack([x, y]), 1)
    new = np.ones(len(points), dtype=bool)
    new[1:] = np.any(points[1:] != points[:-1], axis=1)
    return "M" + "L".join(f"{number(a)} {number(b)}" for a, b in points[new].tolist())


def dots(x: Array, y: Array) -> str:
    """Return the path of points as lines of no length: round caps keep their shape when stretched.

    Points in the same place are drawn once.
    """
    places = dict.fromkeys(zip(np.round(x, 1).tolist(), np.round(y, 1).tolist(), strict=True))
    return "".join(f"M{number(a)} {number(b)}h0" for a, b in places)
