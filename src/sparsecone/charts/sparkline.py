"""A line without axes, for a place among words."""

from __future__ import annotations

import numpy as np

from ..linalg.types import Array
from .elements import dots, picture, polyline, tag

WIDTH, HEIGHT, MARGIN = 120, 28, 4


def sparkline(values: Array, *, label: str) -> str:
    """Return a small line in the colour of the text around it, on a logarithmic scale.

    Values that are positive and finite are drawn; where there are none it is empty.
    """
    shown = np.log10(values[np.isfinite(values) & (values > 0.0)])
    if not shown.size:
        return ""
    across = np.linspace(0.0, 1.0, shown.size) if shown.size > 1 else np.ones(1)
    spread = float(np.ptp(shown)) or 1.0
    x = MARGIN + (WIDTH - 2 * MARGIN) * across
    y = MARGIN + (HEIGHT - 2 * MARGIN) * (float(shown.max()) - shown) / spread
    line = tag("path", d=polyline(x, y), stroke_width="1.5")
    end = tag("path", d=dots(x[-1:], y[-1:]), stroke_width="5", stroke_linecap="round")
    return picture(
        line + end, label=label, width=WIDTH, height=HEIGHT, fill="none", stroke="currentColor"
    )
