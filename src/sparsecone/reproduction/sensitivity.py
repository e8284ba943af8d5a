"""Experiment 6: how ACC and time of SPCA-PSD depend on lambda and eta, and the paper's rule."""

from __future__ import annotations

import math

import numpy as np

from . import figures
from .experiment import Experiment
from .grid import Grid, grids_of
from .paper import HELD
from .results import Results
from .rule_verdicts import judge
from .section import Block, Figure, Table
from .sources import title_of

_NAMES = {"lam": "lambda", "eta": "eta"}


def report(results: Results) -> list[Block]:
    """Return the surfaces with the rule's region, the times, and where the best lies."""
    grids = grids_of(results)
    if not grids:
        return []
    return [_surfaces(grids), *_lines(grids), _table(results, grids)]


def _surfaces(grids: dict[str, Grid]) -> Figure:
    panels = []
    for dataset, grid in grids.items():
        lams = sorted({each.lam for each in grid.settings})
        etas = sorted({each.eta for each in grid.settings})
        values = np.full((len(lams), len(etas)), np.nan)
        for each in grid.settings:
            values[lams.index(each.lam), etas.index(each.eta)] = each.score.acc
        trace = math.log10(grid.settings[0].row["trace"])
        surface = figures.Surface(np.log10(lams).tolist(), np.log10(etas).tolist(), values, trace)
        title = f"{title_of(dataset)}, lg Tr(XX^T) = {trace:.4f}"
        panels.append(figures.Panel(title, surface, "lg eta", "lg lambda"))
    caption = (
        "ACC of the published SPCA-PSD on 100 features; the paper's rule holds inside the line. "
        "Hatched: nothing selected, or not run."
    )
    return Figure("6_surface", caption, figures.surfaces(panels, label="ACC in %"))


def _lines(grids: dict[str, Grid]) -> list[Figure]:
    """Draw ACC and times along the paper's own lines, one parameter fixed."""
    figures_made = []
    for dataset in HELD:
        panels = _line_panels(grids[dataset]) if dataset in grids else []
        if panels:
            caption = (
                f"{title_of(dataset)}: ACC with standard errors, and seconds, with one parameter "
                "fixed where the paper fixes it."
            )
            svg = figures.lines(panels, n_columns=2)
            figures_made.append(Figure(f"6_fixed_{dataset}", caption, svg))
    return figures_made


def _line_panels(grid: Grid) -> list[figures.Panel]:
    scored, timed = [], []
    for fixed, varied in (("lam", "eta"), ("eta", "lam")):
        line, times = grid.line(fixed), grid.times(fixed)
        title, x_label = f"{_NAMES[fixed]} = {HELD[grid.dataset]:g}", f"lg {_NAMES[varied]}"
        if line:
            scores = list(line.values())
            x = [math.log10(value) for value in line]
            y, errors = [s.acc for s in scores], [s.estimate("acc").error for s in scores]
            curves = [figures.Curve("SPCA-PSD (published)", x, y, "SPCA-PSD (published)", errors)]
            controls = grid.results.control_scores(grid.dataset, scores[0].n_features)
            ends = [x[0], x[-1]]
            curves += [figures.Curve(n, ends, [s.acc] * 2, n) for n, s in controls.items()]
            scored.append(figures.Panel(title, curves, x_label, "ACC in %"))
        if times:
            x, y = [math.log10(value) for value in times], [t.seconds for t in times.values()]
            curve = figures.Curve("SPCA-PSD (published)", x, y, "SPCA-PSD (published)")
            timed.append(figures.Panel(title, [curve], x_label, "seconds"))
    return [*scored, *timed]


def _table(results: Results, grids: dict[str, Grid]) -> Table:
    lines: list[tuple[str, ...]] = []
    for dataset, grid in grids.items():
        for label, chosen in (("anywhere", grid.settings), ("within the rule", grid.inside)):
            if chosen:
                best = Grid.best(chosen)
                mean = sum(each.score.acc for each in chosen) / len(chosen)
                cells = (f"{best.lam:g}", f"{best.eta:g}", f"{mean:.1f}", str(len(chosen)))
                lines.append((title_of(dataset), label, f"{best.score.acc:.1f}", *cells))
        n_features = grid.settings[0].score.n_features
        for name, score in results.control_scores(dataset, n_features).items():
            lines.append((title_of(dataset), name, f"{score.acc:.1f}", "", "", "", ""))
    columns = ("Data", "Where", "Best ACC", "lambda", "eta", "Mean ACC", "Settings")
    caption = (
        "The best setting anywhere and within the paper's rule, which looks at the classes; the "
        "mean of the settings is what to expect without them; and the controls."
    )
    return Table(caption, columns, tuple(lines), "6_rule")


EXPERIMENT = Experiment(6, "Sensitivity to lambda and eta", judge, report)
