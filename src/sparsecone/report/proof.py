"""How the value and the bound closed in on each other, and what that proves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..charts import Line, line_chart
from ..selectors.reasons import reason_of
from ..solve.history import Convergence, convergence_of
from ..solve.phases import in_words
from ..solve.solution import Solution
from .inputs import Inputs


@dataclass(frozen=True)
class Optimality:
    """The sections of the convergence and of the certificate; charts are None where empty."""

    values: str | None
    gaps: str | None
    note: str | None
    sentence: str
    verdict: str
    reason: str
    solution: Solution


def proof_of(inputs: Inputs) -> Optimality | None:
    """Return how far the optimum is, or None for a method that knows nothing of it."""
    solution = inputs.solution
    if solution is None:
        return None
    history = convergence_of(solution)
    return Optimality(
        values=_values(history) if history.values.size else None,
        gaps=_gaps(history, float(getattr(inputs.selector, "tol", 0.0))),
        note=_note(history),
        sentence=_sentence(solution),
        verdict=solution.verdict,
        reason=reason_of(inputs.selector),
        solution=solution,
    )


def _note(history: Convergence) -> str | None:
    """Return why a chart shows less than one might expect."""
    if not history.values.size:
        return "No iteration was needed."
    unknown = np.isnan(history.bounds)
    if unknown.all():
        return "No lower bound was found."
    if unknown.any():
        return "A bound costs time: it is computed only when it may end the search."
    if not np.any(history.gaps > 0.0):
        return "The value equals the bound from the start: there is no gap to draw."
    return None


def _sentence(solution: Solution) -> str:
    iterations = "1 iteration" if solution.n_iter == 1 else f"{solution.n_iter:,} iterations"
    phases = in_words(solution.phases)
    spent = f"{solution.elapsed:.2f} s in all" + (f": {phases}" if phases else "")
    return f"{iterations} (solver: {solution.solver}), {spent}. The search {_end(solution)}."


def _end(solution: Solution) -> str:
    return {
        "converged": "converged: the gap is below the tolerance",
        "estimated": "reached the tolerance by a bound that fails with a probability below 1e-11",
        "stalled": "stalled: no solver got any further",
        "max_iter": "stopped at the largest number of iterations allowed",
        "max_time": "stopped at the longest time allowed",
    }[solution.status]


def _tips(history: Convergence, what: str, figures: np.ndarray) -> list[str]:
    rows = zip(history.iterations.tolist(), history.seconds.tolist(), figures.tolist(), strict=True)
    return [f"Iteration {k}, {s:.2f} s\n{what} {figure:.8g}" for k, s, figure in rows]


def _values(history: Convergence) -> str:
    x = history.iterations.astype(np.float64)
    lines = [
        Line("bound", x, history.bounds, _tips(history, "bound", history.bounds)),
        Line("value", x, history.values, _tips(history, "value", history.values)),
    ]
    return line_chart(
        lines, label="The objective and the lower bound on the optimum over the iterations."
    )


def _gaps(history: Convergence, tol: float) -> str | None:
    """Return the chart of the gaps, or None where none is positive."""
    x = history.iterations.astype(np.float64)
    lines = []
    for kind, gaps, what in (
        ("value", history.distances, "distance"),
        ("bound", history.gaps, "gap"),
    ):
        positive = np.where(gaps > 0.0, gaps, np.nan)
        lines.append(Line(kind, x, positive, _tips(history, what, gaps)))
    if not any(np.isfinite(line.y).any() for line in lines):
        return None
    return line_chart(
        lines,
        log=True,
        threshold=(tol, f"tolerance {tol:g}") if tol > 0.0 else None,
        label="The relative gap between value and bound over the iterations, logarithmic axis.",
    )
