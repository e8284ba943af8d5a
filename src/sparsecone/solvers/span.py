"""The best W within the span of a factor, without another product with the data.

For L = Q C with an orthonormal Q the squared loss asks of the data nothing but K = 2 Q'SQ, which is
known where 2SL is. In the basis in which K is diagonal, the Hessian in C is close to the diagonal

    2 max(eta - kappa_a (1 - w_a), 0)  +  w_b (kappa_a + kappa_b + lam (delta_a + delta_b)),

with w the diagonal of T = C C' and delta that of Q' diag(1/G) Q: scaled by it, a quasi-Newton
method needs a handful of steps. It does not leave directions z with T z = 0, where the gradient in
C vanishes, whatever the slope z'(dF/dT)z is: where that is negative, T grows by a multiple of zz'
first. Directions that leave T are slow to vanish, and cost as much as all others: short ones are
left out where that does not raise the objective.

A loss that weighs the samples is majorised by that of weighted ones; where the samples are at hand,
their coordinates P = X Q are enough for the loss itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..data import Rows
from ..linalg.basis import whitened
from ..linalg.eigen import pairs_above
from ..linalg.quasi_newton import minimise
from ..linalg.rounding import TINY
from ..linalg.single import single
from ..linalg.types import Array
from ..model.losses import Robust
from ..model.problem import Point, Problem

# Least curvature, relative to the mean: a column that vanishes has none.
FLOOR = 1e-3
# Relative decrease at which a search ends: of the squared loss, and of one that weighs the samples,
# whose bound is less patient with what is left; its longest, and the pairs it keeps.
DECREASE = 1e-8
WEIGHTED_DECREASE = 1e-9
STEPS = 40
PAIRS = 20
# The tolerance from which on products with coordinates are in single precision (MNIST standardised,
# benchmarks/regimes.py: a third of the time of CSPCA-PSD's longest searches).
SINGLE = 1e-5
# The slope, as a part of eta, from which on T grows, and how often the step is shortened.
STEEPEST = 1e-3
LONGEST_SEARCH = 4
# Lengths of directions, in multiples of the tolerance, that may be left out, the longest tried
# first, and how far the objective may rise for it, as a part of the tolerance (Pearson residuals of
# blood cells, benchmarks/regimes.py: 16 steps, 29 with a tenth of it).
SHORT = (100.0, 10.0, 1.0)
RISE = 1e-4


def best_in_span(point: Point, tol: float = 0.0, *, steps: int = STEPS) -> Point:
    """Return the point of the least smoothed objective whose factor has the same span.

    For a loss that weighs the samples that of what majorises it, with the weights as they are.

    Parameters
    ----------
    point : Point
        The factor.
    tol : float
        The relative gap that is wanted: directions that do not matter beside it are left out. None
        is if this is 0.
    steps : int
        The longest search.
    """
    span = Span.of(point)
    decrease = WEIGHTED_DECREASE if point.problem.loss.needs_rows else DECREASE
    better = span.moved(span.without_short(span.best(point, decrease, steps), tol))
    most = point.smooth_value * (1.0 + 2.0 * RISE * tol)
    return better if better.smooth_value < most else point


def best_factor_in_span(point: Point, tol: float) -> Array:
    """Return the factor of the least smoothed objective in the same span, from the samples.

    Their coordinates are held in single precision where the relative gap that is wanted allows it.
    """
    span = (SingleRowSpan if tol >= SINGLE else RowSpan).of(point)
    return np.asarray(span.basis @ span.best(point, WEIGHTED_DECREASE))


@dataclass(frozen=True)
class Span:
    """The span of a factor.

    Attributes
    ----------
    point : Point
        The factor, of a problem without an offset.
    transform : ndarray of shape (rank of the factor, rank)
        T such that Q = L T is orthonormal, with a diagonal Q'SQ.
    basis : ndarray of shape (n_features, rank)
        Q.
    curvatures : ndarray of shape (rank,)
        kappa, the diagonal of Q'X' diag(omega) X Q, that is 2 Q'SQ for the squared loss.
    start : ndarray of shape (rank, rank)
        C with L = Q C up to a rotation of the columns of L.
    """

    point: Point
    transform: Array
    basis: Array
    curvatures: Array
    start: Array

    @classmethod
    def of(cls, point: Point) -> Span:
        """Return the span of the factor of a point."""
        white = whitened(point.lengths)
        plain, lengths = white.transform, white.lengths
        curvature = plain.T @ (point.L.T @ point.data.H) @ plain
        curvatures, turn = np.linalg.eigh(0.5 * (curvature + curvature.T))
        start = turn.T @ (np.sqrt(lengths)[:, None] * turn)
        transform = plain @ turn
        return cls(point, transform, point.L @ transform, curvatures, start)

    def best(self, point: Point, decrease: float, steps: int = STEPS) -> Array:
        """Return C of the least smoothed objective."""
        if self.rank == 0 or point.smooth_value <= point.noise:
            return self.start
        start = (self.grown() / self.scale).ravel()
        found = minimise(self.objective, start, decrease=decrease, steps=steps, pairs=PAIRS)
        return self.coordinates(found)

    @property
    def problem(self) -> Problem:
        """The problem."""
        return self.point.problem

    @property
    def unit(self) -> float:
        """The objective at the start: the search ends by the decrease of its multiples."""
        return self.point.smooth_value

    @property
    def rank(self) -> int:
        """Dimension of the span."""
        return len(self.curvatures)

    @cached_property
    def _identity(self) -> Array:
        return np.eye(self.rank)

    @cached_property
    def _transposed(self) -> Array:
        """Q' by rows: sums over its columns are fast."""
        return np.ascontiguousarray(self.basis.T)

    @cached_property
    def _inside(self) -> Array:
        """The diagonal of the Hessian in T at the start, roughly."""
        L = self.basis @ self.start
        scores = np.sqrt(np.einsum("jk,jk->j", L @ (L.T @ L), L) + self._least)
        penalty = np.einsum("jk,j,jk->k", self.basis, 1.0 / scores, self.basis)
        return np.asarray(self.curvatures + self.problem.lam * penalty)

    @cached_property
    def scale(self) -> Array:
        """One over the root of the curvature of the objective in the entries of C, roughly."""
        w = np.einsum("ab,ab->a", self.start, self.start)
        curvature = w * np.add.outer(self._inside, self._inside)
        slack = self.problem.eta - self.curvatures * (1.0 - w)
        curvature += 2.0 * np.maximum(slack, 0.0)[:, None]
        return np.asarray(np.sqrt(self.unit / (curvature + FLOOR * curvature.mean())))

    def grown(self) -> Array:
        """Return C after a step along the directions in which the objective falls with T."""
        T = self.start @ self.start.T
        value, slope = self._evaluated(T)
        falls, directions = pairs_above(-slope, STEEPEST * self.problem.eta)
        if falls.size == 0:
            return self.start
        steps = falls / np.einsum("ak,a,ak->k", directions, self._inside, directions)
        for _ in range(LONGEST_SEARCH):
            larger = T + (directions * steps) @ directions.T
            if self._evaluated(larger)[0] < value:
                lengths, turn = np.linalg.eigh(larger)
                return np.asarray((turn * np.sqrt(np.maximum(lengths, 0.0))) @ turn.T)
            steps *= 0.25
        return self.start

    def without_short(self, C: Array, tol: float) -> Array:
        """Return C without directions that are short beside a tolerance, where they are idle."""
        if tol == 0.0 or self.rank == 0:
            return C
        T = C @ C.T
        most = self._evaluated(T)[0] * (1.0 + RISE * tol)
        lengths, directions = np.linalg.eigh(T)
        for short in SHORT:
            kept = lengths > min(short * tol, 0.5) * lengths[-1]
            if kept.all():
                break
            left = directions[:, kept] * np.sqrt(lengths[kept])
            if self._evaluated(left @ left.T)[0] <= most:
                return np.asarray(left)
        return C

    @cached_property
    def _outside(self) -> float:
        """The part of the data term, or of what majorises it, that no W in the span changes."""
        missing = self._identity - self.start @ self.start.T
        inside = 0.5 * float(np.vdot(self.curvatures[:, None] * missing, missing))
        return max(self.point.data.smooth_value - inside, 0.0)

    @property
    def _least(self) -> float:
        return max(self.point.eps, np.finfo(float).tiny)

    def coordinates(self, flat: Array) -> Array:
        """Return C from the scaled variables of the search."""
        return flat.reshape(self.scale.shape) * self.scale

    def objective(self, flat: Array) -> tuple[float, Array]:
        """Return the smoothed objective in multiples of the unit, and its gradient."""
        C = self.coordinates(flat)
        value, slope = self._evaluated(C @ C.T)
        return value / self.unit, (2.0 * (slope @ C) * self.scale / self.unit).ravel()

    def _evaluated(self, T: Array) -> tuple[float, Array]:
        """Return the smoothed objective at W = Q T Q', and its gradient in T."""
        lam, eta = self.problem.lam, self.problem.eta
        data, weighted = self.data_part(self._identity - T)
        columns = T @ self._transposed
        scores = np.einsum("kj,kj->j", columns, columns)
        scores += self._least
        np.sqrt(scores, out=scores)
        value = data + lam * float(scores.sum()) + eta * float(T.trace())
        columns *= np.divide(0.5 * lam, scores, out=scores)
        slope = columns @ self.basis
        slope -= 0.5 * weighted
        slope += slope.T.copy()
        slope.flat[:: len(slope) + 1] += eta
        return value, slope

    def data_part(self, missing: Array) -> tuple[float, Array]:
        """Return the data term for I - T = `missing`, and minus its gradient in T."""
        weighted = self.curvatures[:, None] * missing
        return 0.5 * float(np.vdot(weighted, missing)) + self._outside, weighted

    def moved(self, C: Array) -> Point:
        """Return the point with L = Q C."""
        image = self.point.data.image.times(self.transform, C)
        return self.point.with_image(self.basis @ C, image)


class RowSpan(Span):
    """The same with the weights that the samples have at every W: they are held in the basis."""

    @cached_property
    def rows(self) -> tuple[Array, Array]:
        """P and the squares of the rest, held."""
        return self.split()

    def split(self) -> tuple[Array, Array]:
        """Return P = X Q, and the squared lengths of what the samples have outside of the span."""
        samples = self.problem.samples
        assert isinstance(samples, Rows)
        P = samples.project(self.basis)
        return P, np.maximum(samples.squared_norms - np.einsum("ik,ik->i", P, P), 0.0)

    def data_part(self, missing: Array) -> tuple[float, Array]:
        """Return the data term for I - T = `missing`, and minus its gradient in T."""
        (P, outside), loss = self.rows, self.problem.loss
        assert isinstance(loss, Robust)
        residuals = P @ missing
        squared = outside + np.einsum("ik,ik->i", residuals, residuals)
        residuals *= loss.weights(squared)[:, None]
        return loss.smooth_value(squared), P.T @ residuals


class SingleRowSpan(RowSpan):
    """The same in single precision: products with the coordinates take half of the time.

    What the samples have outside of the span is known in double precision, and residuals within it
    are computed entry by entry, so that no error is larger than its residual.
    """

    @cached_property
    def single_rows(self) -> tuple[Array, float, Array]:
        """P in single precision beside its largest entry, that, and the squares of the rest."""
        P, outside = self.split()
        return *single(P), outside

    def data_part(self, missing: Array) -> tuple[float, Array]:
        """Return the data term for I - T = `missing`, and minus its gradient in T."""
        (P, largest, outside), loss = self.single_rows, self.problem.loss
        assert isinstance(loss, Robust)
        residuals = P @ missing.astype(np.float32)
        squares = np.einsum("ik,ik->i", residuals, residuals).astype(np.float64)
        squared = outside + largest**2 * squares
        omega = loss.weights(squared)
        most = max(float(omega.max(initial=0.0)), TINY)
        residuals *= (omega / most).astype(np.float32)[:, None]
        gradient = (P.T @ residuals).astype(np.float64)
        return loss.smooth_value(squared), largest * most * largest * gradient
