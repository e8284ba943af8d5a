"""Panels laid out into one picture, as SVG for a page and as PDF for a paper."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

#: Text stays text, which keeps files small and words searchable.
_SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    "image.composite_image": False,
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 8,
    "axes.titlesize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.5,
    "axes.axisbelow": True,
    "legend.fontsize": 7.5,
    "legend.frameon": False,
    "xtick.color": "#444444",
    "ytick.color": "#444444",
    "axes.edgecolor": "#888888",
}
#: A place to a hundredth of a point is exact enough, and makes files a third smaller.
_LONG_NUMBER = re.compile(r"\d+\.\d{3,}")


@dataclass(frozen=True)
class Panel:
    """A small picture with a title; what its content is depends on the figure."""

    title: str
    content: Any
    x_label: str = ""
    y_label: str = ""


@dataclass(frozen=True, eq=False)
class Picture:
    """A drawn canvas; the same panels give the same files, to the byte."""

    canvas: Canvas  #: What was drawn.
    salt: str  #: From which the names of parts of an SVG come, so that two on a page do not clash.

    @cached_property
    def svg(self) -> str:
        """The picture for a page."""
        with mpl.rc_context({**_SETTINGS, "svg.hashsalt": self.salt}):
            text = io.StringIO()
            self.canvas.savefig(text, format="svg", dpi=80, metadata={"Date": None})
        drawn = text.getvalue()
        return _LONG_NUMBER.sub(_shortened, drawn[drawn.index("<svg") :])

    def pdf(self) -> bytes:
        """Return the picture for a paper."""
        file = io.BytesIO()
        with mpl.rc_context(_SETTINGS), warnings.catch_warnings():
            # Subsets of a font have no character for a few signs that no label uses.
            warnings.simplefilter("ignore", UserWarning)
            self.canvas.savefig(file, format="pdf", dpi=150, metadata={"CreationDate": None})
        return file.getvalue()


def _shortened(number: re.Match[str]) -> str:
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")


def laid_out(
    panels: Sequence[Panel],
    draw: Callable[[Axes, Any], None],
    *,
    n_columns: int,
    width: float = 2.9,
    height: float = 2.3,
    legend: bool = False,
    settings: dict[Any, Any] | None = None,
) -> Picture:
    """Lay the panels out in rows, with one legend below them if asked for."""
    n_columns = min(n_columns, len(panels))
    n_rows = -(-len(panels) // n_columns)
    with mpl.rc_context(_SETTINGS | (settings or {})):
        canvas = Canvas(layout="constrained")
        all_axes = canvas.subplots(n_rows, n_columns, squeeze=False).ravel()
        labelled: dict[str, Any] = {}
        for axes, panel in zip(all_axes, panels, strict=False):
            draw(axes, panel.content)
            axes.set(title=panel.title, xlabel=panel.x_label, ylabel=panel.y_label)
            handles, labels = axes.get_legend_handles_labels()
            labelled |= dict(zip(labels, handles, strict=True))
        for axes in all_axes[len(panels) :]:
            axes.set_axis_off()
        below = _legend(canvas, labelled, width * n_columns) if legend and labelled else 0.0
        canvas.set_size_inches(width * n_columns, height * n_rows + below)
    return Picture(canvas, "".join(panel.title + panel.y_label for panel in panels))


def _legend(canvas: Canvas, labelled: dict[str, Any], width: float) -> float:
    """Draw a legend and return its height in inches."""
    widest = 0.45 + 0.062 * max(map(len, labelled))
    n_columns = max(1, int(width / widest))
    canvas.legend(labelled.values(), labelled.keys(), loc="outside lower center", ncols=n_columns)
    return 0.15 + 0.17 * -(-len(labelled) // n_columns)
