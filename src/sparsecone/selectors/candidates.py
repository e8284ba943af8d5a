"""Some features, or all, which follow each choice among them with few operations.

This is the arithmetic of `Gains` and `Repulsion` for one choice after the other. With u = R_:j and
s = rho + u_j a choice turns R into R - u u' / s, so that q_i changes by
`u_i^2 |u|^2 / s^2 - 2 u_i (R u)_i / s`.
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

    def merit(self, gains: Gains, parts: Array, shut: Array) -> Array:
        """Return what features are worth; nothing where they may not come next."""
        if self.weight == 0.0:
            merit = gains.gains()
        else:
            merit = self.weight * gains.shared() + (1.0 - gains.closest) * parts
        merit[shut | gains.repeats | (gains.closest > self.near)] = 0.0
        return merit


class Step(NamedTuple):
    """What follows from a choice.

    Attributes
    ----------
    correlations : ndarray of shape (n_candidates,)
        Of the candidates with the chosen one.
    u, image : ndarray of shape (n_candidates,)
        u = R_:j and R u.
    square, form : float
        |u|^2 and u'R u over all features; the latter is 0 where it is not known.
    """

    correlations: Array
    u: Array
    image: Array
    square: float
    form: float


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
        gains = side.gains.some(features)
        self.features, self.side, self.rule, self.count = features, side, rule, side.count
        self.gains, self.left, self.squares = gains, gains.left + gains.own, gains.squares
        self.apart, self.roots_of_inverse = 1.0 - gains.closest, np.sqrt(gains.inverse)
        self.total, self.total_squares = gains.total, gains.total_squares
        self.shut = shut[features] | gains.chosen | (gains.closest > rule.near)
        self.open_most = int(np.argmax(gains.shares))
        self.is_whole, self.has_own = features.size == side.gains.left.size, bool(gains.own.any())
        self.parts, self.factor = weights.parts[features], weights.factor[features]
        self.noise = OWN_NOISE / weights.most * weights.own[features]
        self.factor_open = self.factor @ (weights.inverse / weights.most)

    @property
    def known(self) -> Array:
        """The rows of B so far."""
        return self.side.roots[: self.count]

    @property
    def chance(self) -> float:
        """What chance would add to gains, beside the variance of a feature."""
        spread = math.sqrt(2.0 * max(self.total_squares, 0.0)) if self.rule.weight else 0.0
        return (self.total + SIGMAS * spread) / max(self.gains.n_samples - 1, 1)

    @abstractmethod
    def _step(self, place: int) -> Step:
        """Return what follows from a choice."""

    @abstractmethod
    def _deflate(self, place: int, u: Array, size: float) -> Array:
        """Replace R by R - u u' / size, and return its row of B."""

    def choose(self, place: int) -> None:
        """Choose a candidate by its place among them."""
        step = self._step(place)
        u, size = step.u, float(step.u[place]) + self.gains.ridge + float(self.gains.own[place])
        told = u / size
        change = u * (step.square / size)
        change -= 2.0 * step.image
        change *= told
        self.squares += change
        told *= u
        self.left -= told
        correlations = step.correlations
        correlations *= correlations
        np.minimum(self.apart, 1.0 - correlations, out=self.apart)
        self.shut[place] = self.gains.chosen[place] = True
        self.shut |= correlations > self.rule.near
        if self.is_whole:
            self.total_squares = float(self.squares.sum())
        elif step.form:
            self.total_squares += (step.square / size) ** 2 - 2.0 * step.form / size
        self.total -= step.square / size
        self.side.roots[self.count] = self._deflate(place, u, size)
        self.count += 1
        if self.rule.weight:
            self._repel(place)

    def _repel(self, place: int) -> None:
        """Follow a choice in the parts in W."""
        column = self.factor_open @ self.factor[place]
        size = float(column[place] + self.noise[place])
        if size > 0.0:
            self.factor_open -= np.multiply.outer(column / size, self.factor_open[place])
            column *= column
            column /= size
            self.parts -= column

    def best(self) -> tuple[float, int]:
        """Return the most that a candidate is worth, and its place."""
        left, m = self.left, 1.0 / max(self.gains.n_samples - 1, 1)
        merit = left * (m - 1.0 if self.rule.weight else m)
        merit -= self.chance
        merit *= left
        merit += self.squares
        if self.has_own:
            merit += self.gains.own * (2.0 * left - self.gains.own)
        merit /= left + self.gains.ridge
        if self.rule.weight:
            np.maximum(merit, 0.0, out=merit)
            merit *= self.rule.weight
            merit += self.apart * self.parts
        merit[self.shut | (left <= self._least() * self.gains.variances)] = 0.0
        return best_of(merit)

    def _least(self) -> float:
        """Return the share that is left of features that repeat the chosen ones, at most."""
        if self.is_whole:
            shares = self.left * self.gains.inverse
            shares[self.gains.chosen] = 0.0
            return (1.0 - SAME**2) * float(shares.max())
        return (1.0 - SAME**2) * float(
            self.left[self.open_most] * self.gains.inverse[self.open_most]
        )

    def end(self) -> None:
        """Let the side know the choices, where all features have followed them."""
        gains = self.side.gains
        gains.left, gains.squares = np.maximum(self.left - gains.own, 0.0), self.squares
        gains.closest = 1.0 - self.apart
        gains.look()
        self.side.count = self.count


class FeatureCandidates(Candidates):
    """Candidates from rows of S."""

    def __init__(self, side: FeatureSide, *given: Any) -> None:
        super().__init__(side, *given)
        self.gram, self.here = side.gram, side.roots
        if not self.is_whole:
            self.rows = side.gram[self.features]
            self.here = np.empty((len(side.roots), self.features.size))
            self.here[: side.count] = side.known[:, self.features]
        self._u = np.empty(0)

    def _step(self, place: int) -> Step:
        known, here = self.known, self.here[: self.count]
        column = self.gram[self.features[place]]
        self._u = u = column - here[:, place] @ known
        roots = self.roots_of_inverse * self.roots_of_inverse[place]
        square, inside = float(u @ u), known @ u
        if self.is_whole:
            image = dsymv(1.0, self.gram.T, u, lower=1) - inside @ here
            return Step(column * roots, u, image, square, 0.0)
        image = self.rows @ u - inside @ here
        return Step(column[self.features] * roots, u[self.features], image, square, 0.0)

    def _deflate(self, place: int, u: Array, size: float) -> Array:  # noqa: ARG002
        self.here[self.count] = u / math.sqrt(size)
        return np.asarray(self._u / math.sqrt(size))


class SampleCandidates(Candidates):
    """Candidates from columns x of the samples: u = Z'a with a = x - B'B x."""

    def __init__(self, side: SampleSide, *given: Any) -> None:
        super().__init__(side, *given)
        columns = side.samples.columns(self.features)
        self.inner, self.columns = side.inner, columns * self.roots_of_inverse
        self.open = columns - side.known.T @ (side.known @ columns)
        self.lengths = np.sqrt(self.gains.variances)

    def _step(self, place: int) -> Step:
        x, a = self.columns[:, place], self.open[:, place]
        mapped = self.inner @ a
        inside = self.known @ mapped
        form = float(mapped @ mapped - inside @ inside)
        u = (x * self.lengths[place]) @ self.open
        return Step(x @ self.columns, u, mapped @ self.open, float(a @ mapped), form)

    def _deflate(self, place: int, u: Array, size: float) -> Array:
        row = self.open[:, place] / math.sqrt(size)
        self.open -= np.multiply.outer(row, u / math.sqrt(size))
        return np.asarray(row)


def candidates(side: Side, *given: Any) -> Candidates:
    """Return candidates that follow from the side."""
    if isinstance(side, SampleSide):
        return SampleCandidates(side, *given)
    assert isinstance(side, FeatureSide)
    return FeatureCandidates(side, *given)


def best_of(merit: Array) -> tuple[float, int]:
    """Return the largest merit and the first feature that has it, but for rounding."""
    best = float(merit.max())
    return best, int(np.argmax(merit >= (1.0 - TIE) * best))
