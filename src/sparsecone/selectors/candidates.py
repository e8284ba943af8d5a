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
    """What follows from a choice. Its vectors are used up.

    Attributes
    ----------
    products : ndarray of shape (n_candidates,)
        S_:j.
    u, image : ndarray of shape (n_candidates,)
        u = R_:j and -2 R u.
    square, form : float
        |u|^2 and u'R u over all features; the latter is 0 where it is not known.
    """

    products: Array
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
        self.features, self.side, self.rule = features, side, rule
        self.count = self.first = side.count
        self.gains, self.left, self.squares = gains, gains.left + gains.own, gains.squares
        self.apart, self.roots_of_inverse = 1.0 - gains.closest, np.sqrt(gains.inverse)
        self.total, self.total_squares = gains.total, gains.total_squares
        self.shut = shut[features] | gains.chosen
        self.m, self.least_variances = max(gains.n_samples - 1, 1), np.empty(features.size)
        self.open_most = int(np.argmax(gains.shares))
        self.is_whole, self.has_own = features.size == side.gains.left.size, bool(gains.own.any())
        self.parts, self.noise = weights.parts[features], OWN_NOISE * weights.own[features]
        self.noise /= weights.most
        self.factor = weights.factor[features] / math.sqrt(weights.most)
        self.directions = self.factor @ weights.inverse
        # Directions of the choices to come, of a length that leaves `directions` less their part.
        self.repelled = np.empty((len(side.roots) - side.count, self.factor.shape[1]))

    @property
    def known(self) -> Array:
        """The rows of B so far."""
        return self.side.roots[: self.count]

    @property
    def chance(self) -> float:
        """What chance would add to gains, beside the variance of a feature."""
        spread = math.sqrt(2.0 * max(self.total_squares, 0.0)) if self.rule.weight else 0.0
        return (self.total + SIGMAS * spread) / self.m

    @abstractmethod
    def _step(self, place: int) -> Step:
        """Return what follows from a choice."""

    @abstractmethod
    def _deflate(self, u: Array, root: float) -> Array:
        """Follow the choice of the last step with u over a root, and return its row of B."""

    def choose(self, place: int) -> None:
        """Choose a candidate by its place among them."""
        step, gains = self._step(place), self.gains
        u, size = step.u, float(step.u[place]) + gains.ridge + float(gains.own[place])
        told, root = u / size, math.sqrt(size)
        change = u * (step.square / size)
        change += step.image
        change *= told
        self.squares += change
        told *= u
        self.left -= told
        apart = step.products
        apart *= self.roots_of_inverse
        apart *= apart
        apart *= -float(gains.inverse[place])
        apart += 1.0
        np.minimum(self.apart, apart, out=self.apart)
        self.shut[place] = gains.chosen[place] = True
        if self.is_whole:
            self.total_squares = float(self.squares.sum())
        elif step.form:
            self.total_squares += (step.square / size) ** 2 - 2.0 * step.form / size
        self.total -= step.square / size
        self.side.roots[self.count] = self._deflate(u, root)
        self.count += 1
        if self.rule.weight:
            self._repel(place)

    def _repel(self, place: int) -> None:
        """Follow a choice in the parts in W."""
        own, before = self.factor[place], self.repelled[: self.count - self.first - 1]
        direction = self.directions[place] - (before @ own) @ before
        size = float(own @ direction) + float(self.noise[place])
        direction /= math.sqrt(size) if size > 0.0 else math.inf
        self.repelled[len(before)] = direction
        column = self.factor @ direction
        column *= column
        self.parts -= column

    def best(self) -> tuple[float, int]:
        """Return the most that a candidate is worth, and its place."""
        left, gains = self.left, self.gains
        merit = left * (1.0 / self.m - 1.0 if self.rule.weight else 1.0 / self.m)
        merit -= self.chance
        merit *= left
        merit += self.squares
        if self.has_own:
            merit += gains.own * (2.0 * left - gains.own)
        merit /= left + gains.ridge
        if self.rule.weight:
            np.maximum(merit, 0.0, out=merit)
            merit *= self.rule.weight
            merit += self.apart * self.parts
        shut = left <= np.multiply(gains.variances, self._least(), out=self.least_variances)
        shut |= self.shut
        shut |= self.apart < 1.0 - self.rule.near
        np.putmask(merit, shut, 0.0)
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
        square, inside = float(u @ u), known @ u
        if self.is_whole:
            image = dsymv(-2.0, self.gram.T, u, lower=1) + (2.0 * inside) @ here
            return Step(column.copy(), u, image, square, 0.0)
        image = (2.0 * inside) @ here - 2.0 * (self.rows @ u)
        return Step(column[self.features], u[self.features], image, square, 0.0)

    def _deflate(self, u: Array, root: float) -> Array:
        np.divide(u, root, out=self.here[self.count])
        return np.asarray(self._u / root)


class SampleCandidates(Candidates):
    """Candidates from columns x of the samples: u = Z'a with a = x - B'B x."""

    def __init__(self, side: SampleSide, *given: Any) -> None:
        super().__init__(side, *given)
        self.inner = side.inner
        self.columns = np.ascontiguousarray(side.samples.columns(self.features).T)
        # x, a and minus twice the coordinates of R u.
        self.vectors = np.empty((side.inner.shape[0], 3))

    def _step(self, place: int) -> Step:
        known, vectors, x = self.known, self.vectors, self.columns[place]
        a = x - (known @ x) @ known
        mapped = self.inner @ a
        inside = known @ mapped
        form = float(mapped @ mapped - inside @ inside)
        vectors[:, 0], vectors[:, 1] = x, a
        vectors[:, 2] = 2.0 * (inside @ known - mapped)
        products, u, image = np.ascontiguousarray((self.columns @ vectors).T)
        return Step(products, u, image, float(a @ mapped), form)

    def _deflate(self, u: Array, root: float) -> Array:  # noqa: ARG002
        return np.asarray(self.vectors[:, 1] / root)


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
