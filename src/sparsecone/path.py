"""The solutions over a grid of weights, each started from its neighbour where that helps."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .lam_limit import ROUGHLY, largest_useful_lam
from .problem import Problem
from .selectors.limits import MODELS
from .solution import Solution
from .solve import solve
from .solvers import continued_plan

Array = NDArray[Any]

# The smallest lam of a path, as a fraction of the one that selects nothing.
SMALLEST = 1e-2
# That one is found roughly, from below, and exceeded by a margin.
MARGIN = 1.05


@dataclass(frozen=True)
class Path:
    """Solutions over a grid of eta and lam.

    Attributes
    ----------
    etas : ndarray of shape (n_etas,)
        Weights of the trace in absolute units, descending; a single 0 for AW-SPCA-PSD.
    lams : ndarray of shape (n_lams,)
        Weights of the column norms in absolute units, descending.
    scores : ndarray of shape (n_etas, n_lams, n_features)
        Column norms of W.
    values, bounds : ndarray of shape (n_etas, n_lams)
        Objective and lower bound on the optimum.
    ranks : ndarray of shape (n_etas, n_lams)
        Ranks of the factors.
    statuses : ndarray of shape (n_etas, n_lams)
        How each solve ended.
    elapsed : float
        Seconds in all.
    """

    etas: Array
    lams: Array
    scores: Array
    values: Array
    bounds: Array
    ranks: Array
    statuses: Array
    elapsed: float

    @property
    def n_nonzero(self) -> Array:
        """Number of features with a score, of shape (n_etas, n_lams)."""
        return np.count_nonzero(self.scores, axis=2)

    @property
    def gaps(self) -> Array:
        """Relative duality gaps, of shape (n_etas, n_lams)."""
        return (self.values - self.bounds) / np.maximum(self.values, np.finfo(float).tiny)


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

    Every point starts from the better of its neighbours with smaller weights, or from the closed
    form where that is better still, and each has its certificate.

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
    if model not in MODELS:
        raise ValueError(f"model must be one of {sorted(MODELS)}, got {model!r}.")
    problem = _first_problem(X, model, etas, units)
    eta_grid = _descending(etas, problem, units) if etas is not None else np.array([problem.eta])
    lam_grid = _lam_grid(lams, replace(problem, eta=float(eta_grid[0])), units)
    rows: list[list[Solution]] = []
    # From the smallest weights up: there the closed form is all but exact, and features and
    # directions that leave W are easier to follow than those that enter it.
    for eta in eta_grid[::-1]:
        here = replace(problem, eta=float(eta))
        below = rows[-1] if rows else []
        rows.append(_row(here, lam_grid[::-1], below, tol, max_time))
    rows = [row[::-1] for row in rows[::-1]]
    return Path(
        etas=eta_grid,
        lams=lam_grid,
        scores=np.array([[solution.scores for solution in row] for row in rows]),
        values=np.array([[solution.value for solution in row] for row in rows]),
        bounds=np.array([[solution.bound for solution in row] for row in rows]),
        ranks=np.array([[solution.rank for solution in row] for row in rows]),
        statuses=np.array([[str(solution.status) for solution in row] for row in rows]),
        elapsed=time.perf_counter() - started,
    )


def _first_problem(X: Any, model: str, etas: Sequence[float] | None, units: str) -> Problem:
    """Return the problem of the model with the automatic eta, or with none where etas are given."""
    parameters: dict[str, Any] = {"lam": 0.0, "units": units}
    if model != "aw-spca-psd":
        parameters["eta"] = "auto" if etas is None else 0.0
    elif etas is not None:
        raise ValueError("AW-SPCA-PSD has no trace term: leave etas out.")
    selector = MODELS[model](**parameters)
    selector._validate_params()
    return selector._problem(selector._samples(X))[0]


def _descending(weights: Sequence[float], problem: Problem, units: str) -> Array:
    """Return weights in absolute units, the largest first."""
    grid = np.sort(np.unique(np.asarray(weights, dtype=np.float64)))[::-1]
    if grid.size == 0 or not np.all(np.isfinite(grid)) or grid[-1] < 0.0:
        raise ValueError(f"Weights must be finite, not negative, and at least one, got {weights}.")
    return grid if units == "absolute" else grid * problem.zero.value


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


def _row(
    problem: Problem, lams: Array, below: list[Solution], tol: float, max_time: float | None
) -> list[Solution]:
    """Return the solutions for one eta along ascending lams, given those for the eta below."""
    row: list[Solution] = []
    for index, lam in enumerate(lams):
        here = replace(problem, lam=float(lam))
        plan = continued_plan(here, [*row[-1:], *below[index : index + 1]])
        row.append(solve(here, plan, tol=tol, max_time=max_time))
    return row
