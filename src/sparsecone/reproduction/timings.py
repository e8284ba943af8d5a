"""Times: medians of repeated fits that ran alone on the machine, or how long was not enough."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self

from .cell import Row
from .measure import FAILED
from .results import Results

_LIMIT = re.compile(r"not done within ([0-9.]+) seconds")


@dataclass(frozen=True)
class Timing:
    """Seconds of a fit."""

    seconds: float  #: The median of the fits, or the time after which the only one was ended.
    count: int  #: How many fits.
    #: Whether the fit was ended before it was done, so that it takes longer.
    is_bound: bool = False
    n_iter: int | None = None  #: Iterations of the fit, where it has any.

    @classmethod
    def of(cls, results: Results, dataset: str, method: str, **parameters: float) -> Self | None:
        """Return the time of a method on a data set, None where it was not taken."""
        for row in results.timings:
            settings = {**row["parameters"], "dataset": row["dataset"], "method": row["method"]}
            if settings.items() >= {**parameters, "dataset": dataset, "method": method}.items():
                return cls.from_row(row)
        return None

    @classmethod
    def from_row(cls, row: Row) -> Self | None:
        """Return the time in a row; that of a failure only if it came by the limit."""
        if row["status"] == FAILED:
            limit = _LIMIT.search(row["reason"])
            return cls(float(limit[1]), 1, is_bound=True) if limit else None
        return cls(float(row["seconds"]), len(row["seconds_all"]), n_iter=row.get("n_iter"))

    def is_less(self, other: Self) -> bool | None:
        """Return whether it is the shorter time, None where two limits leave that open."""
        if self.is_bound:
            return None if other.is_bound or self.seconds < other.seconds else False
        if other.is_bound:
            return True if self.seconds <= other.seconds else None
        return self.seconds < other.seconds

    def __str__(self) -> str:
        digits = 2 if self.seconds < 100.0 else 0
        return f"{'> ' if self.is_bound else ''}{self.seconds:.{digits}f}"
