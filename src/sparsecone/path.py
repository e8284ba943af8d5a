"""The solutions over a grid of weights: some are solved, the others proven by their neighbours."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .certificate.mixture import Between, End, Segment
from .charts.box import box, heads, some, table_row
from .linalg.types import Array
from .model.build import build_problem
from .model.problem import Point, Problem
from .solve import Solution, Status, solve_with_proof
from .solvers import continued_plan
from .solvers.largest_lam import ROUGHLY, largest_useful_lam

# The smallest lam of a path, as a fraction of the one that selects nothing.
SMALLEST = 1e-2
# That one is found roughly, from below, and exceeded by a margin.
MARGIN = 1.05
# The share of the tolerance for points that are solved: what is left is for those between them.
SOLVED_SHARE = 0.5


@dataclass(frozen=True)
class Solved:
    """A solution, and the same as the end of a segment."""

    solution: Solution
    end: End


PathPoint = Solved | Between


@dataclass(frozen=True, repr=False)
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
        Ranks of W.
    statuses : ndarray of shape (n_etas, n_lams)
        "converged" where the gap is at most `tol` ("estimated" where its bound is not proven), else
        how the solve ended.
    solved : ndarray of bool of shape (n_etas, n_lams)
        Which points were solved. The others are mixtures of the solutions to both sides, with the
        features of both: their bounds prove that these are good enough.
    loss_at_zero : float
        The objective at W = 0 in absolute units: what relative weights are fractions of.
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
    solved: Array
    loss_at_zero: float
    elapsed: float

    @property
    def relative_etas(self) -> Array:
        """The etas in the units of the selectors: fractions of the loss at W = 0."""
        return self.etas / max(self.loss_at_zero, np.finfo(float).tiny)

    @property
    def relative_lams(self) -> Array:
        """The lams in the units of `spca_psd_path`: fractions of the largest eta.

        For a path with one eta these are the units of the selectors. Without a trace term they are
        fractions of the loss at W = 0.
        """
        largest = float(self.etas[0])
        return self.lams / max(largest or self.loss_at_zero, np.finfo(float).tiny)

    @property
    def n_nonzero(self) -> Array:
        """Number of features with a score, of shape (n_etas, n_lams)."""
        return np.count_nonzero(self.scores, axis=2)

    @property
    def gaps(self) -> Array:
        """Relative duality gaps, of shape (n_etas, n_lams)."""
        return (self.values - self.bounds) / np.maximum(self.values, np.finfo(float).tiny)

    def __repr__(self) -> str:
        lams, counts = self.relative_lams, self.n_nonzero
        return (
            f"Path({self.etas.size} eta x {self.lams.size} lam from {lams[0]:.3g} to "
            f"{lams[-1]:.3g}: {counts.min()} to {counts.max()} features with a score, gaps up to "
            f"{self.gaps.max():.1e}, {int(self.solved.sum())} solved, {self.elapsed:.2f} s)"
        )

    def _repr_html_(self) -> str:
        lams, counts, gaps = self.relative_lams, self.n_nonzero[0], self.gaps[0]
        rows = [heads("lam", "features with a score", "rank of W", "relative gap")]
        rows += [
            table_row(f"{lams[k]:.3g}", str(counts[k]), str(self.ranks[0, k]), f"{gaps[k]:.1e}")
            for k in some(lams.size)
        ]
        return box(f"Path at eta = {self.relative_etas[0]:.3g}", repr(self), rows)


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

    Both ends of the lams are solved first, then what is in the middle of two solved points, unless
    their bounds already prove a mixture of the two: every point has its certificate, and many cost
    next to nothing.

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
    statuses = [[_status(point, tol) for point in row] for row in rows]
    return Path(
        etas=problem.unit * eta_grid,
        lams=problem.unit * lam_grid,
        scores=np.array([[_result(point).scores for point in row] for row in rows]),
        values=problem.unit * np.array([[_objective(point)[0] for point in row] for row in rows]),
        bounds=problem.unit * np.array([[_objective(point)[1] for point in row] for row in rows]),
        ranks=np.array([[_result(point).rank for point in row] for row in rows]),
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


class Row:
    """The points of one eta along ascending lams, given those of the eta below.

    Parameters
    ----------
    problems : list of Problem
        The problems, by ascending lam.
    below : list of Solved, Between or None
        What was found for the same lams and the next smaller eta.
    tol : float
        Relative duality gap to reach.
    max_time : float or None
        Largest number of seconds for each point.
    """

    def __init__(
        self,
        problems: list[Problem],
        below: Sequence[PathPoint | None],
        tol: float,
        max_time: float | None,
    ) -> None:
        self.problems, self.below = problems, below
        self.tol, self.max_time = tol, max_time
        self.found: dict[int, PathPoint] = {}

    def points(self) -> list[PathPoint]:
        """Find all points."""
        last = len(self.problems) - 1
        ends = self._solve(0, []), self._solve(last, [])
        self._fill(0, last, Segment(ends[0].end, ends[1].end))
        return [self.found[index] for index in range(last + 1)]

    def _fill(self, first: int, last: int, segment: Segment) -> None:
        """Find what is between two solved points: by mixing them, or from the middle on."""
        middle = (first + last) // 2
        if last - first < 2 or self._mix(first, last, segment):
            return
        start = segment.start(self.problems[middle])
        solved = self._solve(middle, [start], is_last=last - first == 2)
        self._fill(first, middle, Segment(segment.first, solved.end))
        self._fill(middle, last, Segment(solved.end, segment.last))

    def _mix(self, first: int, last: int, segment: Segment) -> bool:
        """Take mixtures for all that is between, if they are good enough: the middle decides."""
        between = sorted(range(first + 1, last), key=lambda index: abs(2 * index - first - last))
        mixed: dict[int, PathPoint] = {}
        for index in between:
            point = segment.at(self.problems[index])
            if point.gap > self.tol:
                return False
            mixed[index] = point
        self.found |= mixed
        return True

    def _solve(self, index: int, starts: list[Point], *, is_last: bool = False) -> Solved:
        """Solve a point, more exactly than asked for where it is likely to prove others."""
        problem, below = self.problems[index], self.below[index]
        around = self.below[max(index - 1, 0) : index + 2]
        is_last = is_last or all(isinstance(point, Solved) for point in around)
        tol = self.tol if is_last else SOLVED_SHARE * self.tol
        if isinstance(below, Solved):
            starts = [*starts, below.end.point]
        plan = continued_plan(problem, starts)
        solved = Solved(*solve_with_proof(problem, plan, tol=tol, max_time=self.max_time))
        self.found[index] = solved
        return solved


def _result(point: PathPoint) -> Solution | Between:
    return point.solution if isinstance(point, Solved) else point


def _objective(point: PathPoint) -> tuple[float, float]:
    """Return value, rounding included, and bound, in the units of the problem."""
    if isinstance(point, Between):
        return point.value + point.rounding, point.bound
    best = point.end.point
    return best.value + best.rounding, point.end.bound


def _status(point: PathPoint, tol: float) -> str:
    if isinstance(point, Solved) and point.solution.gap > tol:
        return str(point.solution.status)
    proven = point.proven if isinstance(point, Between) else point.end.proven
    return str(Status.CONVERGED if proven else Status.ESTIMATED)
