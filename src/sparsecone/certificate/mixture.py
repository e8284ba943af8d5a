"""Points between two solved ones, which prove them.

The optimum is concave in (lam, eta), being a minimum of functions that are affine in them, and the
dual points are a convex set together with the weights. For weights at a share t of the way from a
to b the multipliers at the same share of their way are feasible, and for the squared loss prove

    (1 - t) bound_a + t bound_b + t (1 - t) |A_a - A_b|^2 / 4.

`W = (1 - u) W_a + u W_b` is a candidate for every u. Its residuals are affine in u, so that its
objective takes nothing but what is known of the ends. Where value and bound are close enough
nothing is left to solve.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..linalg.rounding import TINY
from ..linalg.types import Array
from ..model.data_term import Image
from ..model.problem import Point, Problem
from .verdict import relative_gap

# How exactly the mixture of the ends is chosen, and in how many steps.
ACCURACY, CHORDS = 1e-3, 10
# Eigenvalues of W below this fraction of the largest do not count for its rank.
VANISHING = 1e-6


@dataclass(frozen=True)
class Proof:
    """Multipliers `a_i = 2 scale (x_i - W x_i)` of the samples that prove a bound.

    Attributes
    ----------
    scale : float
        Their common factor.
    point : Point
        W, for the squared loss.
    """

    scale: float
    point: Point


@dataclass(frozen=True)
class End:
    """A solved point: W, its bound, what proves that where it is known, and whether it does."""

    point: Point
    bound: float
    proof: Proof | None
    proven: bool


@dataclass(frozen=True)
class Segment:
    """All problems between two solved ones."""

    first: End
    last: End

    def at(self, problem: Problem) -> Between:
        """Return the best mixture for a problem with weights on the way, and its bound."""
        share = self.share(problem)
        bound = (1.0 - share) * self.first.bound + share * self.last.bound
        bound += share * (1.0 - share) * self._curvature - problem.matrix_slack
        if problem.loss.needs_rows:
            point = self._mixed(problem, share)
            return Between(self, share, point.value, bound, point.rounding, self._proven)
        mixture = self._best_mixture(problem)
        value = self._value(problem, mixture)
        return Between(self, mixture, value, bound, 4.0 * self._rounding, self._proven)

    def _best_mixture(self, problem: Problem) -> float:
        """Return the share of the least objective, for the squared loss, by chords of its slope.

        The objective is convex: its slope grows. The end that a chord keeps twice counts half of
        its slope, so that the other one moves as well.
        """
        lam, (first, last) = problem.lam, self._traces
        constant = self.last.point.data.value - self.first.point.data.value - self._distance
        constant += problem.eta * (last - first)
        low, high, u, side = 0.0, 1.0, self.share(problem), 0
        below, above = (
            constant + 2.0 * end * self._distance + lam * slope
            for end, slope in zip((low, high), self._ends, strict=True)
        )
        if below >= 0.0 or above <= 0.0:
            return low if below >= 0.0 else high
        for _ in range(CHORDS):
            slope = constant + 2.0 * u * self._distance + lam * self._penalty_slope(u)
            if slope > 0.0:
                below *= 0.5 if side > 0 else 1.0
                high, above, side = u, slope, 1
            else:
                above *= 0.5 if side < 0 else 1.0
                low, below, side = u, slope, -1
            before, u = u, low - below * (high - low) / (above - below)
            if abs(u - before) <= ACCURACY:
                break
        return u

    def _penalty_slope(self, u: float) -> float:
        """Return what the sum of the scores grows by at a mixture."""
        a, b = self.first.point.squared_scores, self.last.point.squared_scores
        turned = (u - 1.0) * a + u * b + (1.0 - 2.0 * u) * self._products
        return float((turned / np.maximum(self.scores(u), TINY)).sum())

    @cached_property
    def _ends(self) -> tuple[float, float]:
        """What the sum of the scores grows by at either end."""
        return self._penalty_slope(0.0), self._penalty_slope(1.0)

    @cached_property
    def _traces(self) -> tuple[float, float]:
        """The traces of both ends."""
        return float(np.trace(self.first.point.A)), float(np.trace(self.last.point.A))

    @property
    def _proven(self) -> bool:
        return self.first.proven and self.last.proven

    @cached_property
    def _rounding(self) -> float:
        """How far the objectives of the ends may be off, which a mixture adds up.

        Rounding grows with the weights: with the larger ones of both ends it is enough for all
        that is between.
        """
        first, last = self.first.point.problem, self.last.point.problem
        heaviest = last.with_weights(lam=max(first.lam, last.lam), eta=max(first.eta, last.eta))
        return sum(end.point.under(heaviest).rounding for end in (self.first, self.last))

    def share(self, problem: Problem) -> float:
        """Return how far a problem is on the way."""
        first, last = self.first.point.problem, self.last.point.problem
        step = np.array([last.lam - first.lam, last.eta - first.eta])
        here = np.array([problem.lam - first.lam, problem.eta - first.eta])
        return float(here @ step / (step @ step))

    def start(self, problem: Problem) -> Point:
        """Return a point to start a problem on the way from, of the rank of the ends."""
        mixed = self._mixed(problem, self.share(problem))
        rank = max(self.first.point.L.shape[1], self.last.point.L.shape[1])
        _, directions = np.linalg.eigh(mixed.A)
        kept = directions[:, ::-1][:, :rank]
        image = None if problem.loss.needs_rows else mixed.data.image.times(kept)
        return problem.evaluate(mixed.L @ kept, mixed.v, image=image)

    def _mixed(self, problem: Problem, share: float) -> Point:
        """Return the mixture of the ends as a point."""
        first, last = self.first.point, self.last.point
        L, H = (
            np.column_stack([np.sqrt(1.0 - share) * a, np.sqrt(share) * b])
            for a, b in ((first.L, last.L), (first.data.H, last.data.H))
        )
        v = None
        if first.v is not None and last.v is not None:
            v = (1.0 - share) * first.v + share * last.v
        error = float(np.hypot(first.data.H_error, last.data.H_error))
        return problem.evaluate(L, v, image=None if problem.loss.needs_rows else Image(H, error))

    def rank(self, mixture: float) -> int:
        """Return how many eigenvalues of a mixture count."""
        A, r = self.first.point.A, len(self.first.point.A)
        gram = np.empty((r + len(self.last.point.A),) * 2)
        gram[:r, :r], gram[r:, r:] = (1.0 - mixture) * A, mixture * self.last.point.A
        # The lower triangle is all that is looked at.
        gram[r:, :r] = np.sqrt(mixture * (1.0 - mixture)) * self._cross.T
        values = np.linalg.eigvalsh(gram)
        return int(np.count_nonzero(values > VANISHING * values.max(initial=0.0)))

    def scores(self, mixture: float) -> Array:
        """Return the column norms of a mixture."""
        a, b = self.first.point.squared_scores, self.last.point.squared_scores
        mixed = (1.0 - mixture) ** 2 * a + mixture**2 * b
        return np.sqrt(np.maximum(mixed + 2.0 * mixture * (1.0 - mixture) * self._products, 0.0))

    def _value(self, problem: Problem, mixture: float) -> float:
        """Return the objective at a mixture, for the squared loss."""
        first, last = self.first.point, self.last.point
        data = (1.0 - mixture) * first.data.value + mixture * last.data.value
        trace = (1.0 - mixture) * self._traces[0] + mixture * self._traces[1]
        data -= mixture * (1.0 - mixture) * self._distance
        return float(data + problem.lam * self.scores(mixture).sum() + problem.eta * trace)

    @cached_property
    def _cross(self) -> Array:
        """L_a'L_b."""
        return self.first.point.L.T @ self.last.point.L

    @cached_property
    def _products(self) -> Array:
        """w_j'w_j of the two ends, feature by feature."""
        return np.einsum("jk,jk->j", self.first.point.L @ self._cross, self.last.point.L)

    @cached_property
    def _distance(self) -> float:
        """|X (W_a - W_b)|^2, for the squared loss."""
        return distance(self.first.point, self.last.point)

    @cached_property
    def _curvature(self) -> float:
        """|A_a - A_b|^2 / 4 less its rounding, or 0 where the multipliers are not known."""
        first, last = self.first.proof, self.last.proof
        if first is None or last is None:
            return 0.0
        difference = distance(first.point, last.point, first.scale, last.scale)
        rounding = 4.0 * (first.point.data.rounding + last.point.data.rounding)
        return max(difference - rounding * max(first.scale, last.scale, 1.0) ** 2, 0.0)


@dataclass(frozen=True)
class Between:
    """A mixture of two solutions for weights between theirs.

    Attributes
    ----------
    segment : Segment
        What it is a mixture of.
    mixture : float
        The share of the last of the two.
    value : float
        The objective at W.
    bound : float
        A lower bound on the optimum.
    rounding : float
        How far the value may be off.
    proven : bool
        Whether the bound is proven.
    """

    segment: Segment
    mixture: float
    value: float
    bound: float
    rounding: float
    proven: bool = True

    @property
    def gap(self) -> float:
        """Relative duality gap, rounding included."""
        return relative_gap(self.value, self.bound, self.rounding)

    @property
    def scores(self) -> Array:
        """Column norms of W."""
        return self.segment.scores(self.mixture)

    @property
    def rank(self) -> int:
        """Number of eigenvalues of W that count."""
        return self.segment.rank(self.mixture)


def distance(first: Point, last: Point, a: float = 1.0, b: float = 1.0) -> float:
    """Return |a (X - X W_a) - b (X - X W_b)|^2, for the squared loss."""
    trace = first.problem.samples.trace
    explained = 0.5 * float(np.vdot(first.L, first.data.H) + np.vdot(last.L, last.data.H))
    common = 0.5 * float(np.vdot(first.L.T @ last.data.H, first.L.T @ last.L))
    inner = trace - explained + common
    return a**2 * first.data.value + b**2 * last.data.value - 2.0 * a * b * inner
