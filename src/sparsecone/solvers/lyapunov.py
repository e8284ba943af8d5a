"""The robust optimum without a trace term, by steps that need no projection onto the cone.

With weights omega of the samples and D = lam diag(1/|w_j|) of the features, both of the W before,

    1/2 sum_i omega_i |x_i - W x_i - v|^2 + 1/2 sum_j D_j |w_j|^2

is above the objective but for a constant, and meets it at that W. Over symmetric W it is least at
the solution of an equation of Lyapunov (`sparsecone.linalg.lyapunov`), which is positive
semidefinite by itself, with v = (I - W) m for the weighted mean m. So the objective falls with
every step, and a step is a dual point too (`sparsecone.certificate.skew`). Logarithms of the
weights are a fixed point, which Anderson's acceleration reaches in a dozen steps or two; where a
mixture does not decrease the objective the plain step takes its place. Residuals and scores are
smoothed by what the tolerance allows, and the gap has it: a residual that vanishes has no infinite
weight.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from ..certificate.skew import shares_for, skew_bound
from ..data import Rows, Terms
from ..linalg.anderson import Anderson, extended, mixed
from ..linalg.rounding import TINY
from ..linalg.types import Array
from ..model.losses import Robust
from ..model.problem import Point, Problem
from ..model.reconstruction import Reconstruction
from ..model.valued_point import valued_point
from .iterate import Iterate
from .majorised import LARGEST_DENSE, Equation, equation_for, smoothing_for
from .near_identity import near_identity
from .spectral_start import FIRST_SCORE, Weights, has_spectral_start, spectral_start

# The tolerance that smoothing goes by, at least.
LEAST_TOLERANCE = 1e-10
# The least score of a start beside the largest.
LEAST_SCORE = 1e-2
# The expected gap, in multiples of the tolerance, from which a bound is computed: in a subspace a
# bound costs far less than a step, of dense matrices nearly as much.
LIKELY = 1.5
LIKELY_DENSE = 1.2
# What may be left of its equation then, as a part of the tolerance, and how many times longer than
# the last step the next one must take for a bound that does not wait for it (ma_su of
# benchmarks/regimes.py: 1.5 s in place of 22).
PRECISE = 0.1
DEAR = 8.0
# Steps after which a point is shown in any case.
LONGEST_UNSEEN = 10
# Steps in a row that decrease the objective by less than this part of it before there are no more.
PATIENCE = 6
DECREASE = 1e-13
# The square of what a step leaves of its equation, as a part of the expected gap, and where nothing
# is known: what is left is outside of the columns of W D, so that it adds its square to theirs. The
# part shrinks where a bound leaves so many times the gap that was expected.
ERROR_SHARE = 0.01
FIRST_ERROR = 1e-2
MISJUDGED = 1.5
LESS = 0.1
# The shares of the tolerance that rounding may cost a bound from moments, and a value.
ROUNDING_SHARE = 0.1
VALUE_SHARE = 0.03
# Squared scores that count as zero, beside their smoothing, and the share that this may cost.
ZERO = 100.0
PRUNING_SHARE = 1e-3


@dataclass(frozen=True)
class Lyapunov:
    """Accelerated majorise-minimise for the robust losses without a trace term."""

    name: ClassVar[str] = "lyapunov"
    exact: ClassVar[bool] = True
    max_iter: ClassVar[int] = 500

    def iterate(
        self, problem: Problem, *, tol: float, start: Point | None = None
    ) -> Iterator[Iterate]:
        """Yield one iterate a step; those that may be good enough carry a point and a bound."""
        first = near_identity(problem, max(tol, LEAST_TOLERANCE), ROUNDING_SHARE * tol)
        if first is not None:
            yield first
        steps = Steps(problem, max(tol, LEAST_TOLERANCE), start)
        unseen = 0
        for _ in range(self.max_iter):
            steps.take()
            unseen += 1
            if steps.is_likely or steps.is_stuck or unseen >= LONGEST_UNSEEN:
                unseen = 0
                yield steps.seen()
            else:
                yield Iterate(later=steps.seen, growth=steps.growth)
            if steps.is_stuck:
                return


class Steps:
    """The weights, and the steps that they lead to.

    Parameters
    ----------
    problem : Problem
        Without a trace term.
    tol : float
        The relative gap that is wanted.
    start : Point or None
        Its weights are the first.
    """

    def __init__(self, problem: Problem, tol: float, start: Point | None) -> None:
        self.problem, self.tol = problem, tol
        self.equation: Equation = equation_for(problem)
        point = problem.zero if start is None else start
        scores = np.sqrt(point.squared_scores)
        found = Weights(point.data.weights, scores, point.value, np.zeros(0))
        if not found.scores.any() and has_spectral_start(problem.samples):
            better = spectral_start(problem, tol)
            found = better if np.isfinite(better.value) else found
        scores = found.scores
        largest = float(scores.max())
        least = LEAST_SCORE * largest if largest > 0.0 else FIRST_SCORE
        self.features: Array | None = None
        self.samples: Any = None
        self.D = problem.lam / np.maximum(scores, least)
        self.weights: Any = found.samples
        self.mixture: Array | None = None
        self.anderson = Anderson()
        self.value, self.smooth_value, self.least = found.value, np.inf, np.inf
        self.gap, self.error, self.idle = np.inf, FIRST_ERROR, 0
        self.share, self.cost, self.solved = ERROR_SHARE, 1.0, FIRST_ERROR

    @property
    def is_likely(self) -> bool:
        """Whether a bound may be good enough, which takes an equation that is solved to match.

        Where another step would take far longer than this one a bound is tried in any case.
        """
        if not self.equation.low_rank:
            return self.gap <= LIKELY_DENSE * self.tol
        is_cheap = self.solved <= PRECISE * self.tol or self.growth >= DEAR
        return is_cheap and self.gap <= LIKELY * self.tol

    @property
    def is_stuck(self) -> bool:
        """Whether steps no longer decrease the objective."""
        return self.idle >= PATIENCE

    @property
    def growth(self) -> float:
        """How many times longer than the last step the next one is going to take."""
        return self.equation.cost(self.D, self.error) / self.cost

    def take(self) -> None:
        """Solve for the weights, and find the next ones; go back where a mixture is no good."""
        self.cost, self.solved = self.equation.cost(self.D, self.error), self.error
        solved = self.equation.solve(self.weights, self.mixture, self.D, self.error)
        self.reconstruction, self.omega, self.used = solved.reconstruction, solved.weights, self.D
        self._smooth()
        known = (self.omega,) if self.samples is None else (self.omega, self.samples)
        terms = partial(residual_terms, reconstruction=self.reconstruction, loss=self.loss)
        found = self.problem.samples.collect(terms, *known)
        data, smooth_data, inner, products = found.sums
        samples, self.squares = found.rowwise
        squares = self.reconstruction.W.squared_rows
        lam, scores = self.problem.lam, np.sqrt(squares + self.eps)
        smooth_value = smooth_data + lam * float(scores.sum())
        if smooth_value > self.smooth_value:
            self._go_back()
            return
        self.value = data + lam * float(np.sqrt(squares).sum())
        self.smooth_value = smooth_value
        self.idle = 0 if smooth_value < (1.0 - DECREASE) * self.least else self.idle + 1
        self.least = min(self.least, smooth_value)
        self.gap = 1.0 - self._expected(inner, squares) / self.value
        self.error = min(self.error, self.share * max(self.gap, self.tol))
        self.samples = samples
        self.features, more = extended(self.features, np.log(self.D / lam), -np.log(scores))
        self.anderson.add(products + more)
        self._mix()

    def _expected(self, inner: float, squares: Array) -> float:
        """Return the bound that is expected for the step, whose column j of B is -D_j w_j."""
        lengths = self.D * np.sqrt(squares) / self.problem.lam
        diagonal = self.D * self.reconstruction.W.diagonal
        shares = shares_for(lengths, diagonal, inner)
        longest = max(1.0, float((0.5 * (1.0 + shares) * lengths).max()))
        return (inner - float((1.0 - shares) @ diagonal)) / longest

    def _smooth(self) -> None:
        """Set the smoothing of residuals and of scores, by what the last value allows."""
        self.loss, self.eps = smoothing_for(self.problem, self.tol * self.value)

    def _mix(self) -> None:
        """Set the weights of the next step."""
        assert self.features is not None
        self.mixture = self.anderson.mixture(self.features.shape[1])
        self.weights = self.samples
        self.D = self.problem.lam * mixed(self.features, self.mixture)

    def _go_back(self) -> None:
        """Take the plain step from the last point that was better."""
        self.anderson.forget()
        self.gap, self.smooth_value = np.inf, np.inf
        self._mix()

    def seen(self) -> Iterate:
        """Return the point of the last step, and its bound."""
        problem, d = self.problem, self.problem.samples.n_features
        # A matrix that can be held costs less than the inner products of wide factors.
        is_wide = d <= LARGEST_DENSE and 2 * len(self.reconstruction.W.core) >= d
        low_rank = self.equation.low_rank and not is_wide
        point = self.point()
        bound = skew_bound(
            problem,
            self.reconstruction,
            self.omega,
            self.used,
            low_rank=low_rank,
            enough=(1.0 - self.tol) * point.value,
            squares=self.squares,
            room=ROUNDING_SHARE * self.tol,
        )
        if point.value - bound.value > MISJUDGED * max(self.gap, self.tol) * point.value:
            self.share *= LESS
        proven = not problem.samples.is_measured
        return Iterate(point, bound.value, proven=proven, growth=self.growth)

    def point(self) -> Point:
        """Return the point of the last step, without features that only smoothing keeps."""
        L = self.reconstruction.W.root()
        point = self._valued(L)
        zero = (point.squared_scores > 0.0) & (point.squared_scores <= ZERO * self.eps)
        if not zero.any():
            return point
        pruned = self._evaluated(np.where(zero[:, None], 0.0, L))
        allowed = point.value * (1.0 + PRUNING_SHARE * self.tol)
        return pruned if pruned.value <= allowed else point

    def _valued(self, L: Array) -> Point:
        """Return the point of the factor of W, by its residuals where rounding leaves room."""
        if self.reconstruction.W.basis is None:
            point = valued_point(self.problem, self.reconstruction, L, self.squares)
            if point.rounding <= VALUE_SHARE * self.tol * point.value:
                return point
        return self._evaluated(L)

    def _evaluated(self, L: Array) -> Point:
        mean = self.reconstruction.mean
        offset = mean - L @ (L.T @ mean) if self.problem.loss.recenter else None
        return self.problem.evaluate(L, offset)


def residual_terms(
    rows: Rows,
    weights: Array,
    history: Array | None = None,
    *,
    reconstruction: Reconstruction,
    loss: Robust,
) -> Terms:
    """Return the loss and what it is as smoothed, the dual's part, and what the history adds."""
    squares, along = reconstruction.squared_residuals(rows)
    found = loss.weights(squares)
    # The multipliers of the samples are no longer than one.
    cut = np.minimum(weights, 1.0 / np.sqrt(np.maximum(squares, TINY)))
    inner = float(cut @ along) - loss.conjugate(cut**2 * squares)
    history, products = extended(history, np.log(weights), np.log(found))
    sums = loss.value(squares), loss.smooth_value(squares), inner, products
    return Terms(sums, rowwise=(history, squares))
