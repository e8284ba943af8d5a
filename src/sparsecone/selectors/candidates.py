"""Some features, or all, which follow each choice among them with few operations.

This is the arithmetic of `Gains` and `Repulsion` for one choice after the other. A choice j turns
R into R - v v' with v = R_:j / sqrt(rho + R_jj), so that q_i changes by
`v_i^2 |v|^2 - 2 v_i (R v)_i`. With v, or its coordinates, as the last row of B, `|v|^2 v - 2 R v`
is one product with B, less twice that of v with S.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg.blas import dsymv

from ..linalg.types import Array
from .diverse import OWN_NOISE, Repulsion
from .gains import SAME, SIGMAS, Gains
from .sides import FeatureSide, SampleSide, Side

# Correlation from which on a feature is near enough to a chosen one to wait for all others.
NEAR = 0.85
# The part of the largest share left up to which a feature repeats the chosen ones.
DIFFERENT = 1.0 - SAME**2
# Relative difference up to which two features are equally good: rounding does not decide.
TIE = 1e-9


class Rule(NamedTuple):
    """What features are worth.

    Attributes
    ----------
    weight : float
        What the variance that is shared counts beside the part in W; 0 where gains alone count.
    near : float
        Squared correlation with a chosen feature from which on others wait.
    """

    weight: float
    near: float

    def worth(self, gains: Gains, parts: Array, shut: Array) -> Array:
        """Return what features are worth; nothing where they may not come any more."""
        if self.weight == 0.0:
            worth = gains.gains()
        else:
            worth = self.weight * gains.shared() + (1.0 - gains.closest) * parts
        worth[shut | (gains.closest > self.near)] = 0.0
        return worth


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
        # What falls with every choice: q, the variance that is left, and the parts in W.
        self.falling = np.zeros((3, features.size))
        self.squares, self.left, self.parts = self.falling
        self.squares += gains.squares[features]
        self.left += gains.left[features] + self.own
        # By what they fall, and before that S_:j over the root of its variance.
        self.falls = np.zeros((4, features.size))
        self.column, self.change, self.v, self.repelling = self.falls
        self.squared = self.falls[2:]
        # The largest squared correlation of each with a chosen one, times its variance.
        self.near = gains.closest[features] * self.variances
        self.roots_of_inverse = np.sqrt(self.inverse)
        self.total, self.total_squares, self.ridge = gains.total, gains.total_squares, gains.ridge
        self.open = np.where(shut[features] | self.chosen, 0.0, 1.0)
        self.m, self.has_own = max(gains.n_samples - 1, 1), bool(self.own.any())
        self.largest_share = self._largest_share()
        self.merit, self.scratch = np.empty(features.size), np.empty(features.size)
        if rule.weight:
            self._weigh(weights)

    def _weigh(self, weights: Repulsion) -> None:
        """Hold the parts in W beside the variances, as `near` is multiplied by them."""
        self.parts += weights.parts[self.features] * self.inverse
        self.noise = OWN_NOISE * weights.own[self.features] * self.inverse
        self.factor = weights.factor[:, self.features] * self.roots_of_inverse
        self.directions = weights.inverse @ self.factor
        # Directions of the choices to come, of a length that leaves `directions` less their part.
        self.repelled = np.empty((len(self.side.roots) - self.first, len(self.factor)))

    @property
    def chance(self) -> float:
        """What chance would add to gains, beside the variance of a feature."""
        spread = math.sqrt(2.0 * max(self.total_squares, 0.0)) if self.rule.weight else 0.0
        return (self.total + SIGMAS * spread) / self.m

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
        self.change *= self.v
        self.squared *= self.squared
        self.column *= self.column
        self.falling -= self.falls[1:]
        np.maximum(self.near, self.column, out=self.near)
        self.open[place], self.chosen[place] = 0.0, True
        self.count += 1

    def _repel(self, place: int) -> None:
        """Follow a choice in the parts in W."""
        before = self.repelled[: self.count - self.first]
        own, direction = self.factor[:, place], self.repelled[len(before)]
        np.subtract(self.directions[:, place], (before @ own) @ before, out=direction)
        size = float(own @ direction) + float(self.noise[place])
        direction /= math.sqrt(size) if size > 0.0 else math.inf
        np.matmul(direction, self.factor, out=self.repelling)

    def best(self) -> tuple[float, int]:
        """Return the most that a candidate is worth, and its place."""
        left, merit, scratch = self.left, self.merit, self.scratch
        np.multiply(left, 1.0 / self.m - (1.0 if self.rule.weight else 0.0), out=merit)
        merit -= self.chance
        merit *= left
        merit += self.squares
        if self.has_own:
            merit += self.own * (2.0 * left - self.own)
        merit /= np.add(left, self.ridge, out=scratch)
        if self.rule.weight:
            np.maximum(merit, 0.0, out=merit)
            merit *= self.rule.weight
            np.subtract(self.variances, self.near, out=scratch)
            scratch *= self.parts
            merit += scratch
        merit *= self.open
        best, place = best_of(merit)
        while best > 0.0 and self._waits(place):
            self._shut(merit)
            best, place = best_of(merit)
        return best, place

    def _waits(self, place: int) -> bool:
        """Whether a candidate repeats the chosen ones, or is near one of them."""
        variance = float(self.variances[place])
        if self.near[place] > self.rule.near * variance:
            return True
        # What is left only falls: most candidates have more than a part of what was.
        if self.left[place] > DIFFERENT * self.largest_share * variance:
            return False
        self.largest_share = self._largest_share()
        return bool(self.left[place] <= DIFFERENT * self.largest_share * variance)

    def _shut(self, merit: Array) -> None:
        """Take candidates that repeat the chosen ones off, and those near to one for good."""
        self.open[self.near > self.rule.near * self.variances] = 0.0
        merit *= self.open
        self.largest_share = self._largest_share()
        merit[self.left <= DIFFERENT * self.largest_share * self.variances] = 0.0

    def _largest_share(self) -> float:
        """Return the share that is left of the candidate that is explained least."""
        shares = self.left * self.inverse
        shares[self.chosen] = 0.0
        return float(shares.max())

    def end(self) -> None:
        """Let the side know the choices, where all features have followed them."""
        gains = self.side.gains
        gains.left, gains.squares = np.maximum(self.left - gains.own, 0.0), self.squares
        gains.closest = self.near * gains.inverse
        gains.look()
        self.side.count = self.count


class FeatureCandidates(Candidates):
    """Candidates from rows of S."""

    def __init__(self, side: FeatureSide, *given: Any) -> None:
        super().__init__(side, *given)
        self.gram, self.known, self.here = side.gram, side.roots, side.roots
        if not self.is_whole:
            self.rows = side.gram[self.features]
            self.here = np.empty((len(side.roots), self.features.size))
            self.here[: side.count] = side.known[:, self.features]

    def _step(self, place: int) -> tuple[float, float]:
        known, here, count = self.known[: self.count + 1], self.here[: self.count + 1], self.count
        column, v = self.gram[self.features[place]], known[count]
        np.subtract(column, here[:count, place] @ known[:count], out=v)
        size = float(v[self.features[place]]) + self.ridge + float(self.own[place])
        v /= math.sqrt(size)
        inside = known @ v
        lost = float(inside[count])
        inside *= -2.0
        inside[count] = -lost
        if self.is_whole:
            np.matmul(inside, here, out=self.change)
            image = dsymv(2.0, self.gram.T, v, 1.0, self.change, overwrite_y=1, lower=1)
            self.change[:] = image
            lost_squares = float(v @ self.change)
        else:
            column, lost_squares = column[self.features], 0.0
            np.take(v, self.features, out=here[count])
            np.add(inside @ here, 2.0 * (self.rows @ v), out=self.change)
        self.v[:] = here[count]
        np.multiply(column, self.roots_of_inverse[place], out=self.column)
        return lost, lost_squares


class SampleCandidates(Candidates):
    """Candidates from columns x of the samples: v = Z'a with a along x - B'B x."""

    def __init__(self, side: SampleSide, *given: Any) -> None:
        super().__init__(side, *given)
        self.columns = np.ascontiguousarray(side.samples.columns(self.features))
        self.twice = 2.0 * side.inner
        # Coordinates of what a step finds.
        self.vectors = np.empty((3, len(self.columns)))
        self.point, self.turned, self.direction = self.vectors
        self.found = self.falls[:3]

    def _step(self, place: int) -> tuple[float, float]:
        x, change, a, count = self.point, self.turned, self.direction, self.count
        known = self.side.roots[: count + 1]
        before = known[:count]
        x[:] = self.columns[:, place]
        np.subtract(x, (before @ x) @ before, out=a)
        a /= math.sqrt(float(x @ a) + self.ridge + float(self.own[place]))
        known[count] = a
        mapped = self.twice @ a
        inside = known @ mapped
        lost = 0.5 * float(inside[count])
        inside[count] = lost
        np.subtract(mapped, inside @ known, out=change)
        x *= self.roots_of_inverse[place]
        np.matmul(self.vectors, self.columns, out=self.found)
        return lost, 0.5 * float(mapped @ change)


def candidates(side: Side, *given: Any) -> Candidates:
    """Return candidates that follow from the side."""
    if isinstance(side, SampleSide):
        return SampleCandidates(side, *given)
    assert isinstance(side, FeatureSide)
    return FeatureCandidates(side, *given)


def best_of(merit: Array) -> tuple[float, int]:
    """Return the largest merit and the first feature that has it, but for rounding."""
    best = float(merit[merit.argmax()])
    return best, int((merit >= (1.0 - TIE) * best).argmax())
