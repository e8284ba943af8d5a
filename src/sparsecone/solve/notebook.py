"""A solution as a notebook shows it."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from ..charts import sparkline
from .history import convergence_of

if TYPE_CHECKING:
    from .solution import Solution

#: Colours come from the notebook: the box looks right on a light and on a dark page.
BOX = (
    "display:inline-block;font:14px/1.5 system-ui,sans-serif;padding:.7em 1em;"
    "border:1px solid rgba(128,128,128,.35);border-radius:8px;max-width:44em"
)
TABLE = "border-collapse:collapse;margin:0;border:0;font:inherit;color:inherit"
NAME = "text-align:left;font-weight:400;opacity:.65;padding:.1em 1.2em .1em 0"
FIGURE = "text-align:left;vertical-align:middle;font-variant-numeric:tabular-nums;padding:.1em 0"


def solution_html(solution: Solution) -> str:
    """Return a box with status, value, bound, gap, rank, iterations and how the gap closed."""
    rows = {
        "value": f"{solution.value:.10g}",
        "bound": f"{solution.bound:.10g}",
        "relative gap": f"{solution.gap:.2g}",
        "rank of W": f"{solution.rank} of {solution.factor.shape[0]}",
        "features with a score": f"{int((solution.scores > 0.0).sum())} of {solution.scores.size}",
        "iterations": f"{solution.n_iter} ({solution.solver})",
        "time": f"{solution.elapsed:.3g} s",
    }
    cells = "".join(_row(name, escape(figure)) for name, figure in rows.items())
    line = sparkline(
        convergence_of(solution).distances,
        label="The distance of the value to the final bound over the iterations, logarithmic",
    )
    if line:
        cells += _row("distance to the bound", line)
    return (
        f'<div style="{BOX}"><strong>Solution: {escape(solution.status)}</strong>'
        f'<div style="margin:.2em 0 .5em">{escape(solution.verdict)}</div>'
        f'<table style="{TABLE}">{cells}</table></div>'
    )


def _row(name: str, content: str) -> str:
    """Return a row of the table; the content is markup."""
    return (
        f'<tr style="background:none"><th scope="row" style="{NAME}">{name}</th>'
        f'<td style="{FIGURE}">{content}</td></tr>'
    )
