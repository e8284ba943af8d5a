"""Experiment 5: how the objective of SPCA-PSD falls, and where it ends."""

from __future__ import annotations

import numpy as np

from . import figures
from .cell import Row
from .paper import USUAL_ITERATIONS
from .results import Results, excess
from .section import Block, Experiment, Figure, Table
from .sources import title_of

PUBLISHED = " (published)"


def report(results: Results) -> list[Block]:
    """Return the curves, the table of their ends, and whether they fall throughout."""
    published = [row for row in results.where() if row["method"].endswith(PUBLISHED)]
    if not published:
        return []
    return [_curves(results, published), _table(results, published), *_sentences(published)]


def _optimum(results: Results, row: Row) -> Row | None:
    """Return the row of the certified optimum of the same problem."""
    method = row["method"].removesuffix(PUBLISHED)
    rows = results.where(dataset=row["dataset"], scaling=row["scaling"], method=method)
    return rows[0] if rows else None


def n_rises(history: list[float]) -> int:
    """Return in how many steps the objective went up, beyond rounding.

    Examples
    --------
    >>> n_rises([3.0, 1.0, 2.0, 2.0])
    1
    """
    values = np.array(history)
    return int((np.diff(values) > 1e-9 * np.abs(values[:-1])).sum())


def _curves(results: Results, published: list[Row]) -> Figure:
    panels = []
    for row in published:
        history = row["history"]
        steps = range(1, len(history) + 1)
        curves = [figures.Curve("published algorithm", steps, history, row["method"])]
        optimum = _optimum(results, row)
        if optimum is not None:
            level = [optimum["value"]] * len(history)
            curves.append(figures.Curve("certified optimum", steps, level, "Highest variance"))
        panels.append(figures.Panel(title_of(row["dataset"]), curves, "iteration", "objective"))
    caption = "Objective of SPCA-PSD against iterations, lambda = eta = 10."
    return Figure("5_convergence", caption, figures.lines(panels, n_columns=2))


def _table(results: Results, published: list[Row]) -> Table:
    lines = []
    for row in published:
        history = row["history"]
        optimum = _optimum(results, row)
        certified = ("", "", "")
        if optimum is not None:
            above = f"{excess(row, optimum):+.4f} %"
            certified = (f"{optimum['value']:.2f}", f"{optimum['gap']:.1e}", above)
        lines.append(
            (
                title_of(row["dataset"]),
                row["method"],
                str(row["n_iter"]),
                f"{min(history):.2f} (at {int(np.argmin(history)) + 1})",
                f"{history[-1]:.2f}",
                str(n_rises(history)),
                *certified,
            )
        )
    columns = ("Data", "Method", "Iter.", "Smallest", "Last", "Rises", "Optimum", "Gap", "Excess")
    caption = (
        "The published algorithm: iterations, smallest and last objective, steps in which it "
        "rose; the certified optimum, and how far the last lies above it."
    )
    return Table(caption, columns, tuple(lines))


def _sentences(published: list[Row]) -> list[str]:
    most = max(published, key=lambda row: row["n_iter"])
    word = "Agreement" if most["n_iter"] < USUAL_ITERATIONS else "Difference"
    sentences = [
        f"{word}: the paper says that iterations usually stay below {USUAL_ITERATIONS}; here the "
        f"most are {most['n_iter']}, on {title_of(most['dataset'])}."
    ]
    rising = [row for row in published if n_rises(row["history"])]
    if rising:
        where = ", ".join(
            f"{row['method']} on {title_of(row['dataset'])} ({n_rises(row['history'])} of "
            f"{row['n_iter'] - 1} steps)"
            for row in rising
        )
        sentences.append(
            f"Difference: the paper proves that the objective decreases in every step; it rises "
            f"here: {where}. The projection is not in the metric of the quadratic, so the step is "
            "not one of descent."
        )
    return sentences


EXPERIMENT = Experiment(
    5,
    "Convergence",
    "The objective falls rapidly and settles within a small number of iterations.",
    report,
)
