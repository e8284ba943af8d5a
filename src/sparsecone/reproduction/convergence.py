"""Experiment 5: how the objective of SPCA-PSD falls, and where it ends."""

from __future__ import annotations

import numpy as np

from . import figures
from .cell import Row
from .claims import Claim, Verdict, told_of
from .experiment import Experiment
from .paper import DATASETS, USUAL_ITERATIONS
from .results import Results, excess
from .section import Block, Figure, Table
from .sources import title_of

PUBLISHED = " (published)"
#: The part of the whole fall within which an objective counts as having fallen.
SETTLED = 0.01

FAST = Claim(
    "Experiment 5",
    f"The objective falls rapidly; iterations usually stay below {USUAL_ITERATIONS}.",
    f"On each data set of the paper's figure: fewer than {USUAL_ITERATIONS} iterations, and 99 % "
    "of the fall from the first to the least value within 10.",
)
MONOTONE = Claim(
    "Theorem 2",
    "The published algorithm decreases the objective in every iteration, and so converges.",
    "Steps in which the objective of the stated problem rises by more than 10^-9 of itself, on "
    "every data set of the paper with a history: none.",
)


def judge(results: Results) -> list[Verdict]:
    """Return the verdicts on speed and on descent."""
    rows = [row for row in _published(results) if row["dataset"] in DATASETS[5]]
    if not rows:
        nothing = "No objective values of the published algorithm on the paper's sets."
        return [FAST.untestable(nothing), MONOTONE.untestable(nothing)]
    told = [
        f"{title_of(row['dataset'])}: {row['n_iter']} iterations, settled after "
        f"{n_to_settle(row['history'])}"
        for row in rows
    ]
    fast = all(
        row["n_iter"] < USUAL_ITERATIONS and n_to_settle(row["history"]) <= 10 for row in rows
    )
    numbers = told_of(5, told, [row["dataset"] for row in rows])
    return [FAST.judged(fast, numbers), _monotone(results, _published(results))]


def _monotone(results: Results, rows: list[Row]) -> Verdict:
    told, rises = [], 0
    for row in rows:
        rises += n_rises(row["history"])
        best = _optimum(results, row)
        above = "" if best is None else f", ends {excess(row, best):.2g} % above the optimum"
        told.append(
            f"{title_of(row['dataset'])} rises in {n_rises(row['history'])} of "
            f"{len(row['history']) - 1} steps{above}"
        )
    step = (
        ". The step that fails is the proof's first inequality: the iterate is the free minimiser "
        "of the quadratic, projected in the Frobenius metric, which is not the metric of that "
        "quadratic, so it is not its minimiser on the cone"
    )
    return MONOTONE.judged(rises == 0, "; ".join(told) + (step if rises else ""))


def report(results: Results) -> list[Block]:
    """Return the curves and the table of their ends."""
    published = _published(results)
    return [_curves(results, published), _table(results, published)] if published else []


def _published(results: Results) -> list[Row]:
    return [
        row for row in results.where() if row["method"].endswith(PUBLISHED) and row.get("history")
    ]


def _optimum(results: Results, row: Row) -> Row | None:
    """Return the row of the certified optimum of the same problem."""
    method = row["method"].removesuffix(PUBLISHED)
    weights = {
        name: row["parameters"][name] for name in ("lam", "eta") if name in row["parameters"]
    }
    rows = results.where(dataset=row["dataset"], scaling=row["scaling"], method=method, **weights)
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


def n_to_settle(history: list[float]) -> int:
    """Return after how many iterations all but a hundredth of the fall to the least is done.

    Examples
    --------
    >>> n_to_settle([100.0, 10.0, 1.0, 0.0])
    3
    """
    values = np.array(history)
    least = values.min()
    return int(np.argmax(values - least <= SETTLED * (values[0] - least))) + 1


def _curves(results: Results, published: list[Row]) -> Figure:
    panels = []
    for row in published:
        history = row["history"]
        steps = range(1, len(history) + 1)
        curves = [figures.Curve("published algorithm", steps, history, row["method"])]
        optimum = _optimum(results, row)
        if optimum is not None:
            level = [optimum["value"]] * len(history)
            curves.append(figures.Curve("certified optimum", steps, level, "All features"))
        title = title_of(row["dataset"])
        panels.append(figures.Panel(title, curves, "iteration", "objective (not smoothed)"))
    caption = "Objective of SPCA-PSD against iterations, lambda = eta = 10."
    return Figure(
        "5_convergence", caption, figures.lines(panels, n_columns=2, height=2.2, steps=True)
    )


def _table(results: Results, published: list[Row]) -> Table:
    lines = []
    for row in published:
        history = row["history"]
        optimum = _optimum(results, row)
        certified = ("", "", "")
        if optimum is not None:
            above = f"{excess(row, optimum):+.3f}"
            certified = (f"{optimum['value']:.2f}", f"{optimum['gap']:.1e}", above)
        lines.append(
            (
                title_of(row["dataset"]),
                *(str(row["n_iter"]), f"{min(history):.2f}"),
                *(str(int(np.argmin(history)) + 1), f"{history[-1]:.2f}"),
                str(n_rises(history)),
                *certified,
            )
        )
    columns = ("Data", "Iterations", "Smallest", "Found at", "Last", "Rises")
    caption = (
        "The published SPCA-PSD: iterations, smallest objective (not smoothed) and where, last "
        "objective, steps in which it rose; the certified optimum with its relative gap, and how "
        "far the last value lies above it."
    )
    heads = (*columns, "Optimum", "Gap", "Excess in %")
    return Table(caption, heads, tuple(lines), "5_ends")


EXPERIMENT = Experiment(5, "Convergence", judge, report)
