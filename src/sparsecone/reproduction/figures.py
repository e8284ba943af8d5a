"""The figures of the experiments: curves, bars, points, surfaces, faces and ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.ticker import MaxNLocator

from ..linalg.types import Array
from .paper import RULE_ETA, RULE_LAM
from .pictures import Panel as Panel
from .pictures import Picture, laid_out
from .ranks import Ranking
from .styles import COLOURS, VERMILION, style_of

#: Of a whole figure, in inches.
WIDTH = 9.9

_PLAIN = {"axes.grid": False}


@dataclass(frozen=True)
class Curve:
    """A line: its label, its points, the method whose style it has, and errors for its band."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    method: str
    errors: Sequence[float] = ()


def lines(
    panels: Sequence[Panel], *, n_columns: int = 3, height: float = 2.7, steps: bool = False
) -> Picture:
    """Draw panels of curves (each panel has a list of `Curve`), with one legend below them.

    With `steps` the abscissa counts something, so its ticks are whole numbers.
    """
    width = WIDTH / n_columns

    def draw(axes: Axes, curves: Sequence[Curve]) -> None:
        for curve in curves:
            axes.plot(curve.x, curve.y, label=curve.label, **_look(curve))
            if len(curve.errors):
                y, error = np.asarray(curve.y), np.asarray(curve.errors)
                colour = style_of(curve.method).colour
                axes.fill_between(curve.x, y - error, y + error, color=colour, alpha=0.15, lw=0)
        if steps:
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))

    return laid_out(panels, draw, n_columns=n_columns, legend=True, width=width, height=height)


def _look(curve: Curve) -> dict[str, Any]:
    """Return how a curve is drawn; long ones have a marker here and there."""
    style = style_of(curve.method)
    return {
        "color": style.colour,
        "lw": style.width,
        "ls": style.dash,
        "marker": style.marker,
        "ms": 3.5,
        "mfc": style.colour if style.filled else "white",
        "mew": 0.8,
        "markevery": max(1, len(curve.x) // 9),
    }


@dataclass(frozen=True)
class Bar:
    """A bar: its label, its height, the method whose colour it has, an error, another's figure."""

    label: str
    height: float
    method: str
    error: float = 0.0
    printed: float | None = None


def bars(panels: Sequence[Panel], *, log: bool = False, n_columns: int = 2) -> Picture:
    """Draw panels of `Bar` lists; what the paper printed is a black line across its bar."""

    def draw(axes: Axes, content: Sequence[Bar]) -> None:
        for place, bar in enumerate(content):
            style = style_of(bar.method)
            error = bar.error or None
            inside = style.colour if style.filled else "white"
            axes.bar(place, bar.height, yerr=error, fc=inside, ec=style.colour, lw=1.2, capsize=2)
            if bar.printed is not None:
                ends = [place - 0.48, place + 0.48]
                label = "printed in the paper"
                axes.plot(ends, [bar.printed] * 2, color="black", lw=1.8, label=label)
        labels = [bar.label for bar in content]
        axes.set_xticks(range(len(labels)), labels, rotation=40, ha="right")
        axes.grid(visible=False, axis="x")
        if log:
            axes.set_yscale("log")

    return laid_out(
        panels, draw, n_columns=n_columns, width=WIDTH / n_columns, height=2.9, legend=True
    )


def scatters(panels: Sequence[Panel], *, n_columns: int) -> Picture:
    """Draw panels of points; each panel has an array of two columns and the classes."""

    def draw(axes: Axes, content: tuple[Array, Array]) -> None:
        points, classes = content
        colours = np.array(COLOURS)[np.unique(classes, return_inverse=True)[1] % len(COLOURS)]
        # Thousands of points as vectors would be megabytes.
        axes.scatter(points[:, 0], points[:, 1], c=colours, s=1.5, lw=0, rasterized=True)
        axes.set_xticks([])
        axes.set_yticks([])

    return laid_out(panels, draw, n_columns=n_columns, width=WIDTH / n_columns, height=1.5)


@dataclass(frozen=True)
class Surface:
    """A value for each pair of lambda and eta (rows: lambda), and log10 Tr(XX^T)."""

    log_lam: Sequence[float]
    log_eta: Sequence[float]
    values: Array
    log_trace: float


def surfaces(panels: Sequence[Panel], *, label: str) -> Picture:
    """Draw panels of a `Surface` each, with the region of the paper's rule outlined.

    A pair without a value, because nothing was selected or nothing ran, is hatched.
    """

    def draw(axes: Axes, surface: Surface) -> None:
        image = axes.pcolormesh(surface.log_eta, surface.log_lam, surface.values, cmap="cividis")
        axes.set_facecolor("#f4f4f4")
        axes.patch.set(hatch="////", edgecolor="#c0c0c0")
        assert axes.figure is not None
        axes.figure.colorbar(image, ax=axes, label=label)
        low, high = (surface.log_trace + math.log10(share) for share in RULE_ETA)
        top = math.log10(RULE_LAM)
        floor = min(surface.log_lam) - 0.5
        axes.set_xlim(min(surface.log_eta) - 0.5, max(surface.log_eta) + 0.5)
        axes.set_ylim(floor, max(surface.log_lam) + 0.5)
        # The rule bounds lambda by a share of eta: a slanted upper edge.
        region = [low, low, high, high], [floor, low + top, high + top, floor]
        axes.plot(*region, color=VERMILION, lw=2.0)
        axes.plot(*region, color="white", lw=0.7, ls="--")

    return laid_out(panels, draw, n_columns=2, width=WIDTH / 2, height=3.4, settings=_PLAIN)


def pictures(panels: Sequence[Panel], *, n_columns: int) -> Picture:
    """Draw panels of grey images; each panel has an image and a mask of pixels to highlight."""

    def draw(axes: Axes, content: tuple[Array, Array]) -> None:
        image, mask = content
        levels = (image - image.min()) / max(float(np.ptp(image)), np.finfo(float).tiny)
        coloured = np.repeat(levels[:, :, np.newaxis], 3, axis=2)
        coloured[mask] = to_rgb("#F0E442")
        # Kept as it is: one pixel of the file for one of the image.
        axes.imshow((255.0 * coloured).astype(np.uint8), interpolation="none")
        axes.set_axis_off()

    return laid_out(panels, draw, n_columns=n_columns, width=WIDTH / 6, height=1.6)


def rank_diagram(ranking: Ranking, *, label: str) -> Picture:
    """Draw methods at their mean ranks, best on the left; bars join those not told apart."""

    def draw(axes: Axes, ranking: Ranking) -> None:
        ranks = ranking.mean_ranks
        half = -(-len(ranks) // 2)
        for place, (method, rank) in enumerate(ranks.items()):
            is_left = place < half
            depth = 1.5 + (place if is_left else len(ranks) - 1 - place)
            x = 0.0 if is_left else len(ranks) + 1.0
            axes.plot([rank, rank, x], [0.0, depth, depth], color=style_of(method).colour, lw=0.9)
            text = f"{method} {rank:.1f}" if is_left else f"{rank:.1f} {method}"
            axes.text(x, depth, text, ha="right" if is_left else "left", va="center")
        for level, group in enumerate(ranking.groups(), start=1):
            ends = [ranks[group[0]] - 0.05, ranks[group[-1]] + 0.05]
            axes.plot(ends, [1.2 * level / (len(ranking.groups()) + 1)] * 2, "k-", lw=2.0)
        axes.plot([1.0, 1.0 + ranking.critical], [-2.0, -2.0], "k|-", lw=1.0)
        axes.text(1.0 + ranking.critical, -2.0, f"  critical difference {ranking.critical:.1f}")
        axes.set_ylim(half + 2.0, -3.0)
        axes.spines[["left", "right", "bottom"]].set_visible(False)
        axes.spines["top"].set_visible(True)
        axes.spines["top"].set_position(("data", 0.0))
        axes.xaxis.tick_top()
        axes.set_xticks(range(1, len(ranks) + 1))
        axes.set_yticks([])

    height = 1.2 + 0.1 * len(ranking.mean_ranks)
    panels = [Panel(label, ranking)]
    return laid_out(panels, draw, n_columns=1, width=WIDTH, height=height, settings=_PLAIN)
