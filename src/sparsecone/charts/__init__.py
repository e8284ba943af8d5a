"""Charts as SVG texts: data in, picture out, with no package behind it.

A chart has no colours of its own: its parts have classes, and the page that holds it says in CSS
how they look on screen, in the dark and in print. Only `sparkline` stands alone.
"""

from .grid import Cells, correlation_grid, pixel_grid
from .lines import Line, line_chart
from .positions import position_chart
from .ranked import ranked_chart
from .scatter import Group, scatter_chart
from .sparkline import sparkline

__all__ = [
    "Cells",
    "Group",
    "Line",
    "correlation_grid",
    "line_chart",
    "pixel_grid",
    "position_chart",
    "ranked_chart",
    "scatter_chart",
    "sparkline",
]
