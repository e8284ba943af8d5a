"""The robust optimum from weighted moments: high rank, moderate d, rows that need not be at hand.

For the weights omega of the present residuals the robust loss is majorised by the squared one, with

    G = 1/2 sum_i omega_i (x_i - m)(x_i - m)'

in the place of S, m the weighted mean where an offset is learned, and 0 where none is. A few sweeps
of alternating directions on that problem, the next weights, and so on: every round is two passes
over the rows that bring back d x d numbers, and no residuals are kept.

The dual point of the last Y step is one of the robust problem too, with the multipliers
a_i = omega_i (I - Y)(x_i - m), whose lengths another pass finds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from ..certificate.dual_point import Lengths
from ..data import Moments, Rows, Terms
from ..linalg.rounding import norm, sum_error
from ..linalg.types import Array
from ..model.losses import Squared
from ..model.problem import Point, Problem
from .adjust import tightened
from .admm import State
from .iterate import Iterate
from .residuals import squared_dual


@dataclass(frozen=True)
class Reweighted:
    """Majorisation of the robust loss, with alternating directions inside.

    Parameters
    ----------
    sweeps : int
        Sweeps of the alternating directions between two updates of the weights.
    check_every : int
        Rounds between two bounds.
    adapting : int
        Rounds after which the penalty stays as it is.
    """

    sweeps: int = 4
    check_every: int = 4
    adapting: int = 40
    name: ClassVar[str] = "reweighted"
    exact: ClassVar[bool] = True
    max_iter: ClassVar[int] = 500

    def iterate(
        self, problem: Problem, *, tol: float, start: Point | None = None
    ) -> Iterator[Iterate]:
        """Yield one iterate a round; every few of them carry a bound."""
        point = tightened(problem.zero if start is None else start, tol)
        state: State | None = None
        for round_ in range(1, self.max_iter + 1):
            weights = point.data.weights
            mean = weighted_mean(point)
            state = self._continued(problem, point, mean, state)
            for _ in range(self.sweeps):
                state.sweep()
            L = state.factor()
            offset = mean - L @ (L.T @ mean) if problem.loss.recenter else None
            point = point.problem.evaluate(L, offset)
            if round_ % self.check_every:
                yield Iterate(point)
                continue
            yield Iterate(point, self._bound(problem, state, weights, mean))
            point = tightened(point, tol)
            if round_ <= self.adapting:
                state.balance()

    def _continued(
        self, problem: Problem, point: Point, mean: Array, before: State | None
    ) -> State:
        """Return the state of the majorising problem, with the variables of the round before."""
        samples = problem.samples
        gram = samples.weighted_gram(point.data.weights)
        gram -= point.data.total_weight * np.outer(mean, mean)
        # The weighted mean is off by rounding of what it is the mean of.
        error = point.data.matrix_rounding + samples.relative_error * point.data.total_weight * (
            float(mean @ mean)
        )
        moments = Moments(0.5 * gram, samples.n_samples, mean, None, error=error)
        inner = Problem(moments, Squared(), problem.lam, problem.eta)
        state = State(inner, point if before is None else None)
        if before is not None:
            state.Z, state.U, state.rho, state.cone = before.Z, before.U, before.rho, before.cone
        return state

    def _bound(self, problem: Problem, state: State, weights: Any, mean: Array) -> float:
        moments = state.problem.samples
        dual = squared_dual(moments.gram_matrix, moments.trace, moments.gram_error, state.Y)
        found = problem.samples.collect(partial(multiplier_terms, Y=state.Y, mean=mean), weights)
        inner, rounding = found.sums
        lengths = Lengths(problem.samples, found.rowwise[0], found.largest)
        dual = dual._replace(inner=inner, inner_error=rounding, quadratic=0.0, lengths=lengths)
        return state.bound_for(problem, dual)


def weighted_mean(point: Point) -> Array:
    """Return the mean of the samples under the weights, or 0 where no offset is learned."""
    if point.data.h is None:
        return np.zeros(point.problem.samples.n_features)
    return np.asarray(point.data.h / point.data.total_weight)


def multiplier_terms(rows: Rows, weights: Array, *, Y: Array, mean: Array) -> Terms:
    """Return <A, X'>, its error and bounds of |a_i|^2, a_i = omega_i (I - Y)(x_i - m), of a block.

    The multipliers sum to zero but for the rounding of the weighted mean, which their lengths have
    room for.
    """
    centred = rows.centred_rows()
    residuals = centred - mean
    residuals = residuals - residuals @ Y.T
    inner = float(weights @ np.einsum("ij,ij->i", residuals, centred))
    norms = np.sqrt(np.einsum("ij,ij->i", residuals, residuals))
    spread = 1.0 + norm(Y)
    size = (np.sqrt(rows.sizes) + norm(mean)) * spread
    off = rows.relative_error * size + rows.centre_error * spread
    lengths = (weights * (norms + 2.0 * off)) ** 2
    rounding = float(weights @ (4.0 * off * np.sqrt(rows.sizes))) + sum_error(len(centred)) * abs(
        inner
    )
    return Terms((inner, rounding), float(lengths.max(initial=0.0)), (lengths,))
