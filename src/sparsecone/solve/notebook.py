"""A solution as a notebook shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..charts import sparkline
from ..charts.box import box, table_row
from .history import convergence_of

if TYPE_CHECKING:
    from .solution import Solution


def solution_html(solution: Solution) -> str:
    """Return a box with status, value, bound, gap, rank, iterations and how the gap closed."""
    rows = [
        table_row("value", f"{solution.value:.10g}"),
        table_row("bound", f"{solution.bound:.10g}"),
        table_row("relative gap", f"{solution.gap:.2g}"),
        table_row("rank of W", f"{solution.rank} of {solution.factor.shape[0]}"),
        table_row(
            "features with a score",
            f"{int((solution.scores > 0.0).sum())} of {solution.scores.size}",
        ),
        table_row("iterations", f"{solution.n_iter} ({solution.solver})"),
        table_row("time", f"{solution.elapsed:.3g} s"),
    ]
    line = sparkline(
        convergence_of(solution).distances,
        label="The distance of the value to the final bound over the iterations, logarithmic",
    )
    if line:
        rows.append(table_row("distance to the bound", markup=line))
    return box(f"Solution: {solution.status}", solution.verdict, rows)
