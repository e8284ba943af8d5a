"""The history of a solve as arrays: how the value and the bound closed in on each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..certificate.verdict import relative_gap
from ..linalg.types import Array

if TYPE_CHECKING:
    from .solution import Solution


@dataclass(frozen=True)
class Convergence:
    """One entry for each iteration that had a point to show."""

    #: Iterations and seconds so far.
    iterations: Array
    seconds: Array
    values: Array  #: The objective.
    bounds: Array  #: The best lower bound so far; nan before the first.
    gaps: Array  #: The relative duality gap that was proven by then; nan before the first bound.
    #: How far the value was, at most, from the optimum by all that is known at the end, as a
    #: fraction; nan where no bound was found.
    distances: Array


def convergence_of(solution: Solution) -> Convergence:
    """Return the history of a solution as arrays.

    Examples
    --------
    >>> from sparsecone import SPCAPSD
    >>> selector = SPCAPSD().fit([[0.0, 1.0], [1.0, 0.0], [3.0, 3.0]])
    >>> convergence = convergence_of(selector.solution_)
    >>> bool(convergence.gaps[-1] <= selector.tol)
    True
    """
    rows = [(r.n_iter, r.elapsed, r.value, r.bound, r.rounding) for r in solution.history]
    n_iter, seconds, values, bounds, rounding = np.array(rows, dtype=np.float64).reshape(-1, 5).T
    # Without any bound yet a history has 0, which is a bound, but says nothing.
    bounds = np.where((bounds > 0.0) | (values <= 0.0), bounds, np.nan)
    final = solution.bound if solution.bound > 0.0 or solution.value <= 0.0 else np.nan
    return Convergence(
        iterations=n_iter.astype(np.intp),
        seconds=seconds,
        values=values,
        bounds=bounds,
        gaps=_relative(values, bounds, rounding),
        distances=_relative(values, np.full_like(values, final), rounding),
    )


def _relative(values: Array, bounds: Array, rounding: Array) -> Array:
    """Return the gaps as `relative_gap` defines them, nan where a bound is."""
    gaps = [relative_gap(*row) for row in zip(values, bounds, rounding, strict=True)]
    return np.where(np.isnan(bounds), np.nan, np.array(gaps, dtype=np.float64))
