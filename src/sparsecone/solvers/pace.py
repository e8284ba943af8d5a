"""How value, expected gap and bound have moved so far, and what that says of going on."""

from __future__ import annotations

import numpy as np

# The decrease of the objective, in multiples of the tolerance, below which a cheap bound is due.
FALLS = 0.1
# The part of the expected gap that a round leaves at least where something else than the factor
# keeps it open, such as what S is off by: then it is as small as it will be.
STALLED = 0.9
# Steps of all rows in a row that do not halve the expected gap before there are no more of them.
PATIENCE = 2
# Steps for which weights are held, at most, and the parts of the gap that a first step of all rows
# left, or new weights, from which on they are not, and that a step leaves where they are to blame.
LONGEST_HELD = 5
STALE = 0.2
SLOW = 0.7
# What is more than this part of the least gap between value and bound is no progress.
HELPS = 0.95


class Pace:
    """What the rounds of the factored solver have brought.

    Parameters
    ----------
    tol : float
        The relative gap that is wanted.

    Attributes
    ----------
    falls : bool
        Whether the objective still falls by more than a share of the tolerance.
    held : int
        Steps that the weights of the samples have been held for.
    waits : bool
        Whether no gap that no longer falls has been tried.
    """

    def __init__(self, tol: float) -> None:
        self.tol, self.falls, self.waits, self.held = tol, True, True, 0
        self.before, self.settled_gap = np.inf, np.inf
        self.stuck, self.least, self.most = 0, np.inf, 0.0
        self.restart()

    def restart(self) -> None:
        """Forget the expected gaps: the factor has grown, or the weights are others."""
        self.idle, self.best_gap = 0, np.inf

    def is_fall(self, before: float, value: float) -> bool:
        """Return whether the objective has fallen by more than a share of the tolerance."""
        return before - value > FALLS * self.tol * value

    def compare(self, value: float) -> None:
        """Note whether the objective still falls."""
        self.falls, self.before = self.is_fall(self.before, value), value

    def is_stalled(self, gap: float) -> bool:
        """Return whether the expected gap is within the tolerance and no longer falls."""
        most = min(self.best_gap, self.tol)
        return self.waits and STALLED * self.best_gap < gap <= most

    def is_stale(self, gap: float) -> bool:
        """Return whether the weights that are held keep the gap from closing."""
        is_slow = self.held > 1 and gap > SLOW * self.best_gap
        is_small = gap <= STALE * self.settled_gap and self.settled_gap < np.inf
        if self.held and self.settled_gap == np.inf:
            self.settled_gap = gap
        return is_slow or is_small or self.held >= LONGEST_HELD

    def settle(self, gap: float) -> None:
        """Note the gap that new weights leave."""
        self.held, self.settled_gap = 0, gap

    def is_idle(self, gap: float) -> bool:
        """Note the gap before a step; return whether steps of all rows have not helped for long."""
        helped = gap < 0.5 * self.best_gap or self.falls
        self.idle = 0 if helped else self.idle + 1
        self.best_gap = min(self.best_gap, gap)
        return self.idle >= PATIENCE

    def is_stuck(self, value: float, bound: float, longest: int) -> bool:
        """Return whether the best value and the best bound have come no closer for so long."""
        before = self.least - self.most
        self.least, self.most = min(self.least, value), max(self.most, bound)
        self.stuck = self.stuck + 1 if self.least - self.most > HELPS * before else 0
        return self.stuck >= longest
