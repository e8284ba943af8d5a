"""The greedy choice of features: the best one by the rule, time after time.

What a feature is worth hardly ever grows while others are chosen, but for what chance takes off.
So some leading features alone follow the choices, and all others are looked at again when none of
the leading ones is worth as much any more as the best of the others was; then all of them follow,
many choices at once.
"""

from __future__ import annotations

import numpy as np

from ..linalg.largest import largest_places
from ..linalg.types import Array
from .diverse import OWN_NOISE, Repulsion
from .gains import SAME
from .rule import NEAR, TIE, Rule, best_of
from .side import Side
from .steps import candidates
from .wishes import Wishes

# Features up to which all of them follow each choice; of more of them so many leading ones, with
# so many that are explained least, and the others after so many choices at the latest.
FEW, LEADING, OPEN_MOST, LONGEST = 1100, 256, 16, 64


class Choice:
    """Features chosen so far, and the rule for the next.

    Parameters
    ----------
    side : Side
        What the gains of the features follow from.
    weights : Repulsion
        Their parts in W.
    is_diverse : bool
        Whether these count, and not the gains alone.
    wishes : Wishes
        What may not be chosen.
    """

    def __init__(self, side: Side, weights: Repulsion, is_diverse: bool, wishes: Wishes) -> None:
        self.side, self.weights, self.wishes = side, weights, wishes
        self.is_diverse = is_diverse
        # Where nothing is shared at first, what rounding leaves later does not count.
        unit = float(side.gains.shared().max())
        near = NEAR if is_diverse else SAME
        weight = OWN_NOISE / unit if unit > 0.0 else np.finfo(float).tiny
        self.rules = [Rule(weight, near**2)] if is_diverse else []
        # By the gains alone where W has nothing new.
        self.rules.append(Rule(0.0, near**2))

    def follow(self, features: list[int]) -> None:
        """Add features to the chosen ones."""
        for start in range(0, len(features), LONGEST):
            some = features[start : start + LONGEST]
            self.side.choose(np.asarray(some))
            if self.is_diverse:
                self.weights.choose(some)

    def further(self, count: int) -> list[int]:
        """Choose up to so many more features, one by one."""
        chosen: list[int] = []
        before, n_found = 0.0, 1
        grouped = bool(self.wishes.labels.max() >= 0)
        while len(chosen) < count:
            gains, parts = self.side.gains, self.weights.parts
            shut, shares = self.wishes.closed(gains.chosen), gains.shares
            repeats = gains.repeating(shares)
            for rule in self.rules:
                worth = rule.worth(gains, parts, shut)
                merit = np.where(repeats, 0.0, worth)
                best, first = best_of(merit)
                if best > 0.0:
                    break
            else:
                break
            # What features are worth falls by about as much a choice as it did before, if there
            # was one.
            fall = min(best / before, 1.0) ** (1.0 / n_found) if before else 1.0
            expected = (1.0 - TIE) * best * fall
            # What repeats the chosen ones may not do so once more is explained of all others.
            leading, floor = _leading(worth, shares)
            if expected <= floor:
                leading, floor = _leading(merit, shares)
            if grouped or expected <= floor:
                found = [first]
                self.follow(found)
            else:
                found = self._among(leading, first, floor, rule, shut, count - len(chosen))
            chosen += found
            before, n_found = best, len(found)
        return chosen

    def _among(
        self, leading: Array, first: int, floor: float, rule: Rule, shut: Array, most: int
    ) -> list[int]:
        """Choose among leading features as long as one is worth more than all others were."""
        chosen, place = [first], int(np.searchsorted(leading, first))
        few = candidates(self.side, self.weights, leading, rule, shut)
        most = most if few.is_whole else min(most, LONGEST)
        chance, steepest = few.chance, 0.0 if rule.weight else self._steepest(leading)
        while True:
            few.choose(place)
            if len(chosen) == most:
                break
            best, place = few.best()
            if not best > floor + (steepest * (chance - few.chance) if steepest else 0.0):
                break
            chosen.append(int(leading[place]))
        parts = None
        if few.is_whole:
            self.side.gains.chosen[chosen] = True
            few.end()
            parts = few.parts * few.variances
        else:
            self.side.follow(np.asarray(chosen), few.changes)
        if rule.weight:
            self.weights.follow(few.repelled[: len(chosen)], parts)
        elif self.is_diverse:
            self.weights.choose(chosen)
        return chosen

    def _steepest(self, leading: Array) -> float:
        """Return what the gains of other features grow by at most as chance takes off less."""
        left = self.side.gains.left + self.side.gains.own
        left[leading] = 0.0
        most = float(left.max())
        return most / (most + self.side.gains.ridge) if most > 0.0 else 0.0


def _leading(merit: Array, shares: Array) -> tuple[Array, float]:
    """Return leading features in ascending order, and the most that one of the others is worth.

    The features of which most is left are among them: what repeats the others follows from these.
    """
    if merit.size <= FEW:
        return np.arange(merit.size), 0.0
    place = merit.size - LEADING - 1
    floor = float(np.partition(merit, place)[place])
    is_leading = merit > floor
    is_leading[largest_places(shares, OPEN_MOST)] = True
    return np.flatnonzero(is_leading), floor
