"""The grid of lambda and eta of the published SPCA-PSD: scores, the paper's rule, times."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from .cell import Row
from .paper import GRID, HELD, RULE_ETA, RULE_LAM
from .results import Results, Score, by_setting, scores_of
from .timings import Timing

METHOD = "SPCA-PSD (published)"
N_FEATURES = 100


def in_interval(weight: float, trace: float) -> bool:
    """Return whether a parameter is between the paper's shares of Tr(XX^T)."""
    low, high = (share * trace for share in RULE_ETA)
    return low <= weight <= high


def follows_rule(row: Row) -> bool:
    """Return whether the parameters of a row follow the paper's rule for its data."""
    return in_interval(row["eta"], row["trace"]) and row["lam"] <= RULE_LAM * row["eta"]


@dataclass(frozen=True)
class Setting:
    """A pair of lambda and eta, with its score."""

    lam: float
    eta: float
    score: Score

    @property
    def row(self) -> Row:
        """The first of its rows."""
        return self.score.rows[0]

    @property
    def peaks(self) -> bool:
        """Whether lambda or eta is where the paper sees the peak."""
        trace = self.row["trace"]
        return in_interval(self.lam, trace) or in_interval(self.eta, trace)


@dataclass(frozen=True)
class Grid:
    """All settings on a data set that selected something."""

    results: Results
    dataset: str

    @cached_property
    def settings(self) -> list[Setting]:
        """Settings with a score at the number of features that counts."""
        found = []
        for rows in by_setting(self.results.where(dataset=self.dataset, method=METHOD)):
            scores = scores_of(rows)
            score = scores.get(N_FEATURES) or next(iter(scores.values()), None)
            if score is not None:
                found.append(Setting(rows[0]["lam"], rows[0]["eta"], score))
        return found

    @property
    def inside(self) -> list[Setting]:
        """Settings that follow the paper's rule."""
        return [setting for setting in self.settings if follows_rule(setting.row)]

    @staticmethod
    def best(settings: list[Setting]) -> Setting:
        """Return the setting of highest ACC."""
        return max(settings, key=lambda setting: setting.score.acc)

    def line(self, fixed: str) -> dict[float, Score]:
        """Return the scores along the paper's line, by the value of the other parameter."""
        held, varied = HELD.get(self.dataset), _other(fixed)
        on_line = [each for each in self.settings if getattr(each, fixed) == held]
        return {
            getattr(each, varied): each.score
            for each in sorted(on_line, key=lambda each: float(getattr(each, varied)))
        }

    def times(self, fixed: str) -> dict[float, Timing]:
        """Return the times along the paper's line, by the value of the other parameter."""
        held = HELD.get(self.dataset)
        if held is None:
            return {}
        found = {}
        for value in GRID:
            weights = {fixed: held, _other(fixed): value}
            timing = Timing.of(self.results, self.dataset, METHOD, **weights)
            if timing is not None:
                found[value] = timing
        return found


def _other(name: str) -> str:
    return "eta" if name == "lam" else "lam"


def grids_of(results: Results) -> dict[str, Grid]:
    """Return the grid of each data set that has one."""
    grids = {dataset: Grid(results, dataset) for dataset in results.datasets()}
    return {dataset: grid for dataset, grid in grids.items() if grid.settings}
