"""Some features, or all, which follow each choice among them with few operations.

This is the arithmetic of `Gains` and `Repulsion` for one choice after the other. A choice j turns
R into R - v v' with v = R_:j / sqrt(rho + R_jj), so that q_i changes by
`v_i^2 |v|^2 - 2 v_i (R v)_i`. With v, or its coordinates, as the last row of B, `|v|^2 v - 2 R v`
is one product with B, less twice that of v with S.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod

import numpy as np

from ..linalg.types import Array
from .diverse import OWN_NOISE, Repulsion
from .gains import SAME, SIGMAS
from .rule import Rule, best_of
from .side import Side

# The part of the largest share left up to which a feature repeats the chosen ones.
DIFFERENT = 1.0 - SAME**2


class Candidates(ABC):
    """What some features are worth while some of them are chosen one by one.

    Parameters
    ----------
    side : Side
        What they follow from. Its rows of B beyond those that it knows are used.
    weights : Repulsion
        The parts of all features in W; they are not changed.
    features : ndarray of shape (n_candidates,)
        The features.
    rule : Rule
        What they are worth.
    shut : ndarray of bool of shape (n_features,)
        Features that may not come next.
    """

    def __init__(
        self, side: Side, weights: Repulsion, features: Array, rule: Rule, shut: Array
    ) -> None:
        gains, self.features, self.side, self.rule = side.gains, features, side, rule
        self.is_whole = features.size == gains.left.size
        self.count = self.first = side.count
        self.variances, self.inverse = gains.variances[features], gains.inverse[features]
        self.own, self.chosen = gains.own[features], gains.chosen[features]
        # What falls with every choice: the variance that is left, the parts in W, and q.
        self.falling = np.zeros((3, features.size))
        self.left, self.parts, self.squares = self.falling
        self.squares += gains.squares[features]
        self.left += gains.left[features] + self.own
        # By what they fall, and before that S_:j over the root of its variance.
        self.falls = np.zeros((4, features.size))
        self.column, self.v, self.repelling, self.change = self.falls
        # The largest squared correlation of each with a chosen one, times its variance; candidates
        # are closed where it exceeds the limit.
        self.near = gains.closest[features] * self.variances
        self.limits = np.where(shut[features] | self.chosen, -1.0, rule.near * self.variances)
        self.roots_of_inverse = np.sqrt(self.inverse)
        self.total, self.total_squares, self.ridge = gains.total, gains.total_squares, gains.ridge
        self.m, self.has_own = max(gains.n_samples - 1, 1), bool(self.own.any())
        self.some_repeat = False
        self._find_widest()
        self._hold_constants()
        if rule.weight:
            self._weigh(weights)

    def _hold_constants(self) -> None:
        """Hold what every step needs: arrays without a dimension are read faster than numbers."""
        self.merit, self.scratch, self.is_closed = (
            np.empty(self.features.size, dtype=dtype) for dtype in (float, float, bool)
        )
        slope = 1.0 / self.m - (1.0 if self.rule.weight else 0.0)
        self.constants = (
            np.array(slope),
            np.array(self.ridge),
            np.array(self.rule.weight),
            np.array(0.0),
        )

    def _weigh(self, weights: Repulsion) -> None:
        """Hold the parts in W beside the variances, as `near` is multiplied by them."""
        self.parts += weights.parts[self.features] * self.inverse
        self.noise = OWN_NOISE * weights.own[self.features] * self.inverse
        self.factor = weights.factor.take(self.features, axis=1) * self.roots_of_inverse
        self.directions = weights.inverse @ self.factor
        # Directions of the choices to come, of a length that leaves `directions` less their part.
        self.repelled = np.empty((len(self.side.roots) - self.first, len(self.factor)))

    @property
    def chance(self) -> float:
        """What chance would add to gains, beside the variance of a feature."""
        spread = math.sqrt(2.0 * max(self.total_squares, 0.0)) if self.rule.weight else 0.0
        return (self.total + SIGMAS * spread) / self.m

    @property
    def changes(self) -> Array | None:
        """Coordinates of the changes of all choices, a row each, where they are known."""
        return None

    @abstractmethod
    def _step(self, place: int) -> tuple[float, float]:
        """Find what follows from a choice j, and add its row to B.

        That is its column of S over the root of its variance, v = R_:j / sqrt(rho + R_jj), and the
        change 2 R v - |v|^2 v, by v times which q falls. Return how much tr R and tr R^2 fall:
        |v|^2 and 2 v'R v - |v|^4, or 0 where the latter is not known.
        """

    def choose(self, place: int) -> None:
        """Choose a candidate by its place among them."""
        lost, lost_squares = self._step(place)
        self.total -= lost
        self.total_squares -= lost_squares
        if self.rule.weight:
            self._repel(place)
        np.multiply(self.change, self.v, self.change)
        np.square(self.falls[:3], self.falls[:3])
        np.subtract(self.falling, self.falls[1:], self.falling)
        np.maximum(self.near, self.column, out=self.near)
        self.limits[place], self.chosen[place] = -1.0, True
        self.side.features[self.count], self.side.explained[self.count] = self.features[place], lost
        self.count += 1

    def _repel(self, place: int) -> None:
        """Follow a choice in the parts in W."""
        before = self.repelled[: self.count - self.first]
        own, direction = self.factor[:, place], self.repelled[len(before)]
        np.subtract(self.directions[:, place], before.dot(own).dot(before), direction)
        size = float(own.dot(direction)) + float(self.noise[place])
        direction /= math.sqrt(size) if size > 0.0 else math.inf
        direction.dot(self.factor, self.repelling)

    def best(self) -> tuple[float, int]:
        """Return the most that a candidate is worth, and its place."""
        left, merit, scratch = self.left, self.merit, self.scratch
        slope, ridge, weight, nothing = self.constants
        np.multiply(left, slope, merit)
        np.subtract(merit, self.chance, merit)
        np.multiply(merit, left, merit)
        np.add(merit, self.squares, merit)
        if self.has_own:
            merit += self.own * (2.0 * left - self.own)
        np.divide(merit, np.add(left, ridge, scratch), merit)
        if self.rule.weight:
            np.maximum(merit, nothing, out=merit)
            np.multiply(merit, weight, merit)
            np.subtract(self.variances, self.near, scratch)
            np.multiply(scratch, self.parts, scratch)
            np.add(merit, scratch, merit)
        np.copyto(merit, nothing, where=np.greater(self.near, self.limits, self.is_closed))
        if self.some_repeat:
            # Less than the largest share, until the one that had it is chosen: nearly all.
            self._shut(0.0 if self.chosen[self.widest] else self._share(self.widest))
        best, place = best_of(merit)
        while best > 0.0 and self._repeats(place):
            self._shut(self.largest_share)
            best, place = best_of(merit)
        return best, place

    def _shut(self, share: float) -> None:
        """Take off the merit of candidates of which too little is left beside such a share."""
        least = np.multiply(self.variances, DIFFERENT * share, self.scratch)
        np.copyto(self.merit, 0.0, where=np.less_equal(self.left, least, self.is_closed))

    def _share(self, place: int) -> float:
        return float(self.left[place]) * float(self.inverse[place])

    def _repeats(self, place: int) -> bool:
        """Whether too little is left of a candidate beside the one that is explained least."""
        least = DIFFERENT * float(self.variances[place])
        # What is left only falls: most candidates have more than a part of what was.
        if self.left[place] > least * self.largest_share:
            return False
        self._find_widest()
        self.some_repeat = bool(self.left[place] <= least * self.largest_share)
        return self.some_repeat

    def _find_widest(self) -> None:
        """Find the candidate that is explained least, and the share of it that is left."""
        shares = self.left * self.inverse
        shares[self.chosen] = 0.0
        self.widest = int(shares.argmax())
        self.largest_share = float(shares[self.widest])

    def end(self) -> None:
        """Let the side know the choices, where all features have followed them."""
        gains = self.side.gains
        gains.left, gains.squares = np.maximum(self.left - gains.own, 0.0), self.squares
        gains.closest = self.near * gains.inverse
        gains.look()
        self.side.count = self.count
