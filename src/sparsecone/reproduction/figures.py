"""Figures as SVG texts. The only file of the experiments that imports matplotlib."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure as Canvas

from ..linalg.types import Array
from .methods import method_of
from .paper import RULE_ETA, RULE_LAM
from .ranks import Ranking

#: Text stays text, which keeps files small; no date, so that the same rows give the same file.
_SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",
    "font.size": 8,
    "axes.titlesize": 9,
    "legend.fontsize": 7,
}


@dataclass(frozen=True)
class Curve:
    """A line: its label, its points, and the method whose style it has."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    method: str


@dataclass(frozen=True)
class Panel:
    """A small picture with a title; what its content is depends on the figure."""

    title: str
    content: Any
    x_label: str = ""
    y_label: str = ""


def lines(panels: Sequence[Panel], *, n_columns: int = 3) -> str:
    """Draw panels of curves (each panel has a list of `Curve`), with one legend below them."""

    def draw(axes: Axes, curves: Sequence[Curve]) -> None:
        for curve in curves:
            axes.plot(curve.x, curve.y, label=curve.label, **_style(curve))

    return _grid(panels, draw, n_columns=n_columns, legend=True)


def bars(panels: Sequence[Panel], *, log: bool = False, n_columns: int = 2) -> str:
    """Draw panels of bars; each panel has a list of (label, height, spread, method)."""

    def draw(axes: Axes, content: Sequence[tuple[str, float, float, str]]) -> None:
        labels, heights, spreads, methods = zip(*content, strict=True)
        places = range(len(labels))
        colours = [method_of(method).colour for method in methods]
        axes.bar(places, heights, yerr=spreads if any(spreads) else None, color=colours)
        axes.set_xticks(places, labels, rotation=40, ha="right")
        if log:
            axes.set_yscale("log")

    return _grid(panels, draw, n_columns=n_columns, height=2.8)


def scatters(panels: Sequence[Panel], *, n_columns: int) -> str:
    """Draw panels of points; each panel has an array of two columns and the classes."""

    def draw(axes: Axes, content: tuple[Array, Array]) -> None:
        points, classes = content
        # Thousands of points as vectors would be megabytes.
        axes.scatter(points[:, 0], points[:, 1], c=classes, s=2, cmap="viridis", rasterized=True)
        axes.set_xticks([])
        axes.set_yticks([])

    return _grid(panels, draw, n_columns=n_columns, width=1.6, height=1.6)


@dataclass(frozen=True)
class Surface:
    """A value for each pair of lambda and eta (rows: lambda), and log10 Tr(XX^T)."""

    log_lam: Sequence[float]
    log_eta: Sequence[float]
    values: Array
    log_trace: float


def surfaces(panels: Sequence[Panel], *, label: str) -> str:
    """Draw panels of a `Surface` each, with the region of the paper's rule outlined."""

    def draw(axes: Axes, surface: Surface) -> None:
        image = axes.pcolormesh(surface.log_eta, surface.log_lam, surface.values, cmap="viridis")
        assert axes.figure is not None
        axes.figure.colorbar(image, ax=axes, label=label)
        low, high = (surface.log_trace + math.log10(share) for share in RULE_ETA)
        top = math.log10(RULE_LAM)
        floor = min(surface.log_lam) - 0.5
        axes.set_xlim(min(surface.log_eta) - 0.5, max(surface.log_eta) + 0.5)
        axes.set_ylim(floor, max(surface.log_lam) + 0.5)
        # The rule bounds lambda by a share of eta: a slanted upper edge.
        axes.plot([low, low, high, high], [floor, low + top, high + top, floor], "r-", lw=1.5)

    return _grid(panels, draw, n_columns=2, width=3.4, height=2.8)


def pictures(panels: Sequence[Panel], *, n_columns: int) -> str:
    """Draw panels of grey images; each panel has an image and a mask of pixels to highlight."""

    def draw(axes: Axes, content: tuple[Array, Array]) -> None:
        image, mask = content
        levels = (image - image.min()) / max(float(np.ptp(image)), np.finfo(float).tiny)
        coloured = np.repeat(levels[:, :, np.newaxis], 3, axis=2)
        coloured[mask] = to_rgb("gold")
        axes.imshow(coloured)
        axes.set_axis_off()

    return _grid(panels, draw, n_columns=n_columns, width=1.1, height=1.3)


def rank_diagram(ranking: Ranking, *, label: str) -> str:
    """Draw methods at their mean ranks, best on the left; bars join those not told apart."""

    def draw(axes: Axes, ranking: Ranking) -> None:
        ranks = ranking.mean_ranks
        half = -(-len(ranks) // 2)
        for place, (method, rank) in enumerate(ranks.items()):
            is_left = place < half
            depth = 1.5 + (place if is_left else len(ranks) - 1 - place)
            x = 0.0 if is_left else len(ranks) + 1.0
            axes.plot([rank, rank, x], [0.0, depth, depth], color=method_of(method).colour, lw=0.8)
            text = f"{method} {rank:.1f}" if is_left else f"{rank:.1f} {method}"
            axes.text(x, depth, text, ha="right" if is_left else "left", va="center")
        for level, group in enumerate(ranking.groups(), start=1):
            ends = [ranks[group[0]] - 0.05, ranks[group[-1]] + 0.05]
            axes.plot(ends, [1.2 * level / (len(ranking.groups()) + 1)] * 2, "k-", lw=2.0)
        axes.plot([1.0, 1.0 + ranking.critical], [-2.0, -2.0], "k|-", lw=1.0)
        axes.text(1.0 + ranking.critical, -2.0, f"  critical difference {ranking.critical:.1f}")
        axes.set_ylim(half + 2.0, -3.0)
        axes.spines[["left", "right", "bottom"]].set_visible(False)
        axes.spines["top"].set_position(("data", 0.0))
        axes.xaxis.tick_top()
        axes.set_xticks(range(1, len(ranks) + 1))
        axes.set_yticks([])

    height = 1.2 + 0.1 * len(ranking.mean_ranks)
    return _grid([Panel(label, ranking)], draw, n_columns=1, width=8.0, height=height)


def _style(curve: Curve) -> dict[str, Any]:
    """Return how the curve of a method looks: the paper's own solid, controls grey and dotted."""
    method = method_of(curve.method)
    width, dash = {
        "psd": (1.6, "-"),
        "comparison": (1.0, "--"),
        "further": (1.0, "-."),
        "own": (1.6, "-."),
        "control": (1.2, ":"),
    }[method.kind]
    marker = "o" if len(curve.x) == 1 else ""
    return {"color": method.colour, "lw": width, "ls": dash, "marker": marker, "ms": 3}


def _grid(
    panels: Sequence[Panel],
    draw: Callable[[Axes, Any], None],
    *,
    n_columns: int,
    width: float = 2.9,
    height: float = 2.3,
    legend: bool = False,
) -> str:
    """Lay the panels out in rows and return the picture."""
    n_columns = min(n_columns, len(panels))
    n_rows = -(-len(panels) // n_columns)
    with mpl.rc_context({**_SETTINGS, "svg.hashsalt": "".join(panel.title for panel in panels)}):
        size = (width * n_columns, height * n_rows + (0.8 if legend else 0.0))
        canvas = Canvas(figsize=size, layout="constrained")
        all_axes = canvas.subplots(n_rows, n_columns, squeeze=False).ravel()
        labelled: dict[str, Any] = {}
        for axes, panel in zip(all_axes, panels, strict=False):
            draw(axes, panel.content)
            axes.set(title=panel.title, xlabel=panel.x_label, ylabel=panel.y_label)
            handles, labels = axes.get_legend_handles_labels()
            labelled |= dict(zip(labels, handles, strict=True))
        for axes in all_axes[len(panels) :]:
            axes.set_axis_off()
        if legend:
            n_labels = max(1, int(size[0] / 1.7))
            canvas.legend(
                labelled.values(), labelled.keys(), loc="outside lower center", ncols=n_labels
            )
        text = io.StringIO()
        canvas.savefig(text, format="svg", dpi=80, metadata={"Date": None})
    svg = text.getvalue()
    return svg[svg.index("<svg") :]
