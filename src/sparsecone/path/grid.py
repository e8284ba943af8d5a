"""The grid of weights, and the loop over its rows."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..linalg.threads import one_thread
from ..linalg.types import Array
from ..model.build import build_problem
from ..model.problem import Problem
from ..solvers.largest_lam import ROUGHLY, largest_useful_lam
from .result import Path
from .row import PathPoint, Row, Solved, objective_of, result_of, status_of

# The smallest lam of a path, as a fraction of the one that selects nothing.
SMALLEST = 1e-2
# That one is found roughly, from below, and exceeded by a margin.
MARGIN = 1.05


@one_thread()
def spca_psd_path(
    X: Any,
    *,
    lams: Sequence[float] | int = 20,
    etas: Sequence[float] | None = None,
    model: str = "spca-psd",
    units: str = "relative",
    tol: float = 1e-4,
    max_time: float | None = None,
) -> Path:
    """Solve a model for a grid of weights, up to the lam that selects nothing.

    Both ends of the lams are solved first, then what is next to the middle of two solved lams,
    unless their bounds already prove a mixture of the two: every point has its certificate, and
    many cost next to nothing.

    Parameters
    ----------
    X : array-like, DataFrame or SciPy sparse matrix of shape (n_samples, n_features)
        The samples, or whatever the selectors take in their place.
    lams : sequence of float or int, default=20
        Weights of the column norms. An int takes so many from one that selects nothing for the
        largest eta, a few percent above the smallest such, down to a hundredth of it.
    etas : sequence of float or None, default=None
        Weights of the trace; None takes the automatic one. AW-SPCA-PSD has none.
    model : {"spca-psd", "cspca-psd", "aw-spca-psd"}, default="spca-psd"
        The model.
    units : {"relative", "absolute"}, default="relative"
        "relative": etas are fractions of the loss at W = 0; lams are fractions of the largest eta,
        or of the loss at W = 0 for AW-SPCA-PSD. "absolute": both are the weights themselves.
    tol : float, default=1e-4
        Relative duality gap to reach at every point.
    max_time : float or None, default=None
        Largest number of seconds for each point.

    Returns
    -------
    Path
        The solutions, with weights in absolute units.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from sparsecone.path import spca_psd_path
    >>> X, _ = load_digits(return_X_y=True)
    >>> path = spca_psd_path(X, lams=4)
    >>> path.n_nonzero.shape
    (1, 4)
    >>> bool((path.gaps <= 1e-4).all())
    True
    """
    started = time.perf_counter()
    if model == "aw-spca-psd" and etas is not None:
        raise ValueError("AW-SPCA-PSD has no trace term: leave etas out.")
    eta = "auto" if etas is None else 0.0
    problem = build_problem(X, model=model, lam=0.0, eta=eta, units=units)
    eta_grid = _descending(etas, problem, units) if etas is not None else np.array([problem.eta])
    lam_grid = _lam_grid(lams, problem.with_weights(lam=0.0, eta=float(eta_grid[0])), units)
    rows: list[list[PathPoint]] = []
    # From the smallest weights up: there the closed form is all but exact, and features and
    # directions that leave W are easier to follow than those that enter it.
    for eta in eta_grid[::-1]:
        below = rows[-1] if rows else [None] * len(lam_grid)
        problems = [problem.with_weights(lam=float(lam), eta=float(eta)) for lam in lam_grid[::-1]]
        rows.append(Row(problems, below, tol, max_time).points())
    rows = [row[::-1] for row in rows[::-1]]
    statuses = [[status_of(point, tol) for point in row] for row in rows]
    return Path(
        etas=problem.unit * eta_grid,
        lams=problem.unit * lam_grid,
        scores=np.array([[result_of(point).scores for point in row] for row in rows]),
        values=problem.unit * np.array([[objective_of(point)[0] for point in row] for row in rows]),
        bounds=problem.unit * np.array([[objective_of(point)[1] for point in row] for row in rows]),
        ranks=np.array([[result_of(point).rank for point in row] for row in rows]),
        statuses=np.array(statuses),
        solved=np.array([[isinstance(point, Solved) for point in row] for row in rows]),
        loss_at_zero=problem.unit * problem.zero.value,
        elapsed=time.perf_counter() - started,
    )


def _descending(weights: Sequence[float], problem: Problem, units: str) -> Array:
    """Return weights in absolute units, the largest first."""
    grid = np.sort(np.unique(np.asarray(weights, dtype=np.float64)))[::-1]
    if grid.size == 0 or not np.all(np.isfinite(grid)) or grid[-1] < 0.0:
        raise ValueError(f"Weights must be finite, not negative, and at least one, got {weights}.")
    return grid / problem.unit if units == "absolute" else grid * problem.zero.value


def _lam_grid(lams: Sequence[float] | int, problem: Problem, units: str) -> Array:
    """Return the weights of the column norms for a problem with the largest eta."""
    if isinstance(lams, int):
        if lams < 1:
            raise ValueError(f"lams={lams} must be at least 1.")
        largest = MARGIN * largest_useful_lam(problem, ROUGHLY)
        if largest <= 0.0:
            raise ValueError(
                "The largest eta exceeds what any direction of the data explains: W = 0 for every "
                "lam. Lower the etas."
            )
        return largest * np.geomspace(1.0, SMALLEST, lams)
    unit = problem.eta / problem.zero.value if problem.eta > 0.0 else 1.0
    return _descending(lams, problem, units) * (1.0 if units == "absolute" else unit)
