"""Experiment 6: how ACC and time of SPCA-PSD depend on lambda and eta, and the paper's rule."""

from __future__ import annotations

import math

import numpy as np

from . import figures
from .cell import Row
from .paper import RULE_ETA, RULE_LAM
from .results import Results, Score, best_score
from .section import Block, Experiment, Figure, Table
from .sources import title_of

_NAMES = {"lam": "lambda", "eta": "eta"}


def report(results: Results) -> list[Block]:
    """Return the surfaces with the rule's region, the times, and where the best lies."""
    grids = {dataset: _grid_rows(results, dataset) for dataset in results.datasets()}
    grids = {dataset: rows for dataset, rows in grids.items() if rows}
    if not grids:
        return []
    return [
        _surfaces(grids),
        *(_at_fixed(results, dataset, rows) for dataset, rows in grids.items()),
        _table(results, grids),
        *(_sentence(results, dataset, rows) for dataset, rows in grids.items()),
        *(_time_sentence(dataset, rows) for dataset, rows in grids.items()),
    ]


def _grid_rows(results: Results, dataset: str) -> list[Row]:
    rows = results.where(dataset=dataset, method="SPCA-PSD (published)")
    return [row for row in rows if row.get("scores")]


def follows_rule(row: Row) -> bool:
    """Return whether the parameters of a row follow the paper's rule for its data."""
    low, high = (share * row["trace"] for share in RULE_ETA)
    return low <= row["eta"] <= high and row["lam"] <= RULE_LAM * row["eta"]


def _acc(row: Row) -> float:
    return float(row["scores"][0]["acc_mean"])


def _best(rows: list[Row]) -> Row:
    return max(rows, key=_acc)


def _surfaces(grids: dict[str, list[Row]]) -> Figure:
    panels = []
    for dataset, rows in grids.items():
        lams = sorted({row["lam"] for row in rows})
        etas = sorted({row["eta"] for row in rows})
        values = np.full((len(lams), len(etas)), np.nan)
        for row in rows:
            values[lams.index(row["lam"]), etas.index(row["eta"])] = _acc(row)
        surface = figures.Surface(
            log_lam=np.log10(lams).tolist(),
            log_eta=np.log10(etas).tolist(),
            values=values,
            log_trace=math.log10(rows[0]["trace"]),
        )
        title = f"{title_of(dataset)}, lg Tr(XX^T) = {surface.log_trace:.4f}"
        panels.append(figures.Panel(title, surface, "lg eta", "lg lambda"))
    caption = "ACC of SPCA-PSD on 100 features; the paper's rule holds inside the red line."
    return Figure("6_surface", caption, figures.surfaces(panels, label="ACC in %"))


def _at_fixed(results: Results, dataset: str, rows: list[Row]) -> Figure:
    """Draw times and ACC along the two lines through the best setting, with the controls."""
    best = _best(rows)
    seconds, accuracies = [], []
    for fixed, varied in (("lam", "eta"), ("eta", "lam")):
        line = sorted(
            (row for row in rows if row[fixed] == best[fixed]), key=lambda row: row[varied]
        )
        x = [math.log10(row[varied]) for row in line]
        title, x_label = f"{_NAMES[fixed]} = {best[fixed]:g}", f"lg {_NAMES[varied]}"
        own = figures.Curve("SPCA-PSD", x, [_acc(row) for row in line], "SPCA-PSD")
        controls = [
            figures.Curve(name, [x[0], x[-1]], [score.acc, score.acc], name)
            for name, score in results.control_scores(dataset, _n_features(line[0])).items()
        ]
        accuracies.append(figures.Panel(title, [own, *controls], x_label, "ACC in %"))
        times = figures.Curve("seconds", x, [row["seconds"] for row in line], "CSPCA-PSD")
        seconds.append(figures.Panel(title, [times], x_label, "seconds"))
    svg = figures.lines([*accuracies, *seconds], n_columns=2)
    caption = f"{title_of(dataset)}: ACC and seconds with one parameter fixed at its best value."
    return Figure(f"6_fixed_{dataset}", caption, svg)


def _n_features(row: Row) -> int:
    return int(row["scores"][0]["n_features"])


def _table(results: Results, grids: dict[str, list[Row]]) -> Table:
    lines: list[tuple[str, ...]] = []
    for dataset, rows in grids.items():
        inside = [row for row in rows if follows_rule(row)]
        for label, chosen in (("anywhere", rows), ("within the rule", inside)):
            if chosen:
                best = _best(chosen)
                seconds = sum(row["seconds"] for row in chosen) / len(chosen)
                weights = (f"{best['lam']:g}", f"{best['eta']:g}")
                cells = (f"{_acc(best):.1f}", *weights, f"{seconds:.2f}", str(len(chosen)))
                lines.append((title_of(dataset), label, *cells))
        controls = results.control_scores(dataset, _n_features(rows[0]))
        lines += [_control_line(dataset, name, score) for name, score in controls.items()]
    columns = ("Data", "Where", "Best ACC", "lambda", "eta", "Mean sec.", "Settings")
    return Table("The best setting, anywhere and within the paper's rule.", columns, tuple(lines))


def _control_line(dataset: str, name: str, score: Score) -> tuple[str, ...]:
    return (title_of(dataset), name, f"{score.acc:.1f}", "", "", "", "")


def _sentence(results: Results, dataset: str, rows: list[Row]) -> str:
    best = _best(rows)
    inside = [row for row in rows if follows_rule(row)]
    if not inside:
        return f"{title_of(dataset)}: no setting of the grid follows the paper's rule."
    ruled = _best(inside)
    spread = best["scores"][0]["acc_std"]
    close = _acc(best) - _acc(ruled) <= spread
    text = (
        f"{title_of(dataset)}: {'agreement' if close else 'difference'}, the rule's best ACC is "
        f"{_acc(ruled):.1f}, the best anywhere {_acc(best):.1f} (standard deviation {spread:.1f})."
    )
    random = best_score(results.where(dataset=dataset, method="Random subset"), _n_features(best))
    if random is not None:
        word = "above" if random.acc > _acc(best) else "below"
        text += f" A random subset reaches {random.acc:.1f}, {word} the best setting."
    return text


def _time_sentence(dataset: str, rows: list[Row]) -> str:
    """Say whether a small lambda, relative to eta, is as fast as the paper says."""
    small = [row["seconds"] for row in rows if row["lam"] <= RULE_LAM * row["eta"]]
    large = [row["seconds"] for row in rows if row["lam"] > RULE_LAM * row["eta"]]
    if not small or not large:
        return (
            f"{title_of(dataset)}: the grid has no settings on both sides of the rule for lambda."
        )
    means = [sum(seconds) / len(seconds) for seconds in (small, large)]
    word = "agreement" if means[0] < means[1] else "difference"
    return (
        f"{title_of(dataset)}: {word}, a setting with lambda up to {RULE_LAM:.0%} of eta takes "
        f"{means[0]:.1f} s in the mean, one with a larger lambda {means[1]:.1f} s."
    )


EXPERIMENT = Experiment(
    6,
    "Sensitivity to lambda and eta",
    "ACC peaks where eta is 1 to 10 % of Tr(XX^T); with lambda at most 10 % of eta it is fast.",
    report,
)
