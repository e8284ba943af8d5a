"""The points of one eta: some are solved, the others are mixtures that their neighbours prove."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..certificate.mixture import Between, End, Segment
from ..model.problem import Point, Problem
from ..solve import Solution, Status, solve_with_proof
from ..solvers import continued_plan

# The share of the tolerance for points that are solved: what is left is for those between them.
SOLVED_SHARE = 0.5
# The gap of a mixture grows with the square of the difference of the lams: half of it leaves a
# quarter. From so many tolerances on the ends are far from all that is between, and the middle of a
# grid, that of the ratio of the lams, is the better start (benchmarks/path.py: USPS).
FAR = 64.0


@dataclass(frozen=True)
class Solved:
    """A solution, and the same as the end of a segment."""

    solution: Solution
    end: End


PathPoint = Solved | Between


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
        ends = self._solve(0), self._solve(last)
        self._fill(0, last, Segment(ends[0].end, ends[1].end))
        return [self.found[index] for index in range(last + 1)]

    def _fill(self, first: int, last: int, segment: Segment) -> None:
        """Find what is between two solved points: by mixing them, or from a middle on."""
        if last - first < 2:
            return
        between = self._from_middle(first, last)
        mixed, gap = self._mixed(between, segment)
        if gap <= self.tol:
            self.found |= mixed
            return
        middle = between[0] if gap <= FAR * self.tol else (first + last) // 2
        solved = self._solve(middle, segment, is_last=last - first == 2)
        self._fill(first, middle, Segment(segment.first, solved.end))
        self._fill(middle, last, Segment(solved.end, segment.last))

    def _from_middle(self, first: int, last: int) -> list[int]:
        """Return what is between two points, by how near to the middle of their lams it is."""
        lams = [problem.lam for problem in self.problems]
        middle = 0.5 * (lams[first] + lams[last])
        return sorted(range(first + 1, last), key=lambda index: abs(lams[index] - middle))

    def _mixed(self, between: list[int], segment: Segment) -> tuple[dict[int, PathPoint], float]:
        """Return mixtures, up to the first one that is not good enough, and the largest gap."""
        mixed: dict[int, PathPoint] = {}
        largest = 0.0
        for index in between:
            point = segment.at(self.problems[index])
            mixed[index], largest = point, max(largest, point.gap)
            if largest > self.tol:
                break
        return mixed, largest

    def _solve(
        self, index: int, segment: Segment | None = None, *, is_last: bool = False
    ) -> Solved:
        """Solve a point, more exactly than asked for where it is likely to prove others."""
        problem = self.problems[index]
        around = self.below[max(index - 1, 0) : index + 2]
        is_last = is_last or all(isinstance(point, Solved) for point in around)
        tol = self.tol if is_last else SOLVED_SHARE * self.tol
        plan = continued_plan(problem, self._starts(index, segment))
        solved = Solved(*solve_with_proof(problem, plan, tol=tol, max_time=self.max_time))
        self.found[index] = solved
        return solved

    def _starts(self, index: int, segment: Segment | None) -> list[Point]:
        """Return where a solve may start from, the best one for the squared loss last."""
        problem, below = self.problems[index], self.below[index]
        found = [below.end.point] if isinstance(below, Solved) else []
        if segment is None or (found and not problem.loss.needs_rows):
            return found
        return [segment.start(problem), *found]


def result_of(point: PathPoint) -> Solution | Between:
    """Return what has the scores and the rank of a point."""
    return point.solution if isinstance(point, Solved) else point


def objective_of(point: PathPoint) -> tuple[float, float]:
    """Return value, rounding included, and bound, in the units of the problem."""
    if isinstance(point, Between):
        return point.value + point.rounding, point.bound
    best = point.end.point
    return best.value + best.rounding, point.end.bound


def status_of(point: PathPoint, tol: float) -> str:
    """Return how a point ended."""
    if isinstance(point, Solved) and point.solution.gap > tol:
        return str(point.solution.status)
    proven = point.proven if isinstance(point, Between) else point.end.proven
    return str(Status.CONVERGED if proven else Status.ESTIMATED)
