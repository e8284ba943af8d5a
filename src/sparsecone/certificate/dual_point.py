"""A dual point that may violate the matrix inequality, and the bounds of its repairs.

With m the largest eigenvalue of M = sym(A X + B), two repairs restore M <= eta I:

- scale A and B by eta / m;
- subtract from B the positive part of M - eta I (what is known of it, and a multiple of I for the
  rest), which changes the lengths of its columns, then clip the longest columns and scale A and B
  until both fit again. Where the positive part is orthogonal to W the lengths change to second
  order only.

Both give a lower bound on the optimum; the larger one is kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..data import Data, Rows, Terms
from ..linalg.rounding import norm, sum_error
from ..linalg.types import Array
from ..model.problem import Problem
from ..model.row_terms import RowLoss

if TYPE_CHECKING:
    from .span import SpanPart

# Common scales of the multipliers tried at once, and how often the best two are refined.
SCALES = 33
REFINEMENTS = 3
# Steps towards the best length at which columns are clipped.
NEWTON_STEPS = 20
CLOSE = 1e-3
# Squares of what is larger overflow, and no bound is worth anything there.
LARGEST_REST = 1e150


class Bound(NamedTuple):
    """A lower bound on the optimum, and the common scale of the multipliers that proves it."""

    value: float
    scale: float


NOTHING = Bound(-np.inf, 0.0)


@dataclass(frozen=True)
class Excess:
    """The eigenpairs of M above eta that are known, and how far the others exceed it.

    Attributes
    ----------
    values : ndarray of shape (k,)
        Eigenvalues minus eta, all positive, the largest first.
    vectors : ndarray of shape (n_features, k)
        Their eigenvectors.
    rest : float
        M less these pairs exceeds eta by at most this, all rounding included; infinite where
        nothing is known.
    proven : bool
        Whether that is proven, and not only all but certain.
    is_rough : bool
        Whether there may be eigenpairs above eta that were not looked for.
    part : SpanPart or None
        Where they were found, if in the span of a factor.
    room : float
        How far below eta M is outside of it.
    coordinates : ndarray of shape (rank, k) or None
        The eigenvectors in the basis of that span.
    """

    values: Array
    vectors: Array
    rest: float
    proven: bool = True
    is_rough: bool = False
    part: SpanPart | None = None
    room: float = 0.0
    coordinates: Array | None = None

    @property
    def largest(self) -> float:
        """Largest eigenvalue minus eta, or 0."""
        return float(self.values.max(initial=0.0)) + self.rest


@dataclass(frozen=True)
class Lengths:
    """Bounds of the squared lengths |a_i|^2 of the multipliers of the samples.

    Attributes
    ----------
    samples : Data
        The rows they belong to.
    values : ndarray of shape (n_samples,)
        The lengths, or what `Data.collect` keeps of them.
    longest : float
        The largest of them.
    """

    samples: Data
    values: Any
    longest: float

    @classmethod
    def of(cls, samples: Data, values: Array) -> Lengths:
        """Return the given lengths."""
        return cls(samples, values, float(values.max()))

    def best_bound(self, loss: Any, inner: float, limit: float) -> Bound:
        """Return the best dual objective over common scales up to the limit.

        It is concave in the scale, and all but linear where the smoothing is small: the best scale
        is then just below the limit.
        """
        limit = min(limit, (1.0 - 1e-15) / np.sqrt(max(self.longest, 1e-300)))
        if loss.delta == 0.0:
            return Bound(limit * inner, limit)
        scales = limit * np.append(1.0 - 0.5 ** np.arange(SCALES - 1), 1.0)
        best = NOTHING
        for _ in range(REFINEMENTS):
            found = self.samples.collect(
                partial(_conjugates, loss=loss, scales=scales), self.values
            )
            values = scales * inner - found.sums[0]
            top = int(np.argmax(values))
            best = max(best, Bound(float(values[top]), float(scales[top])))
            ends = scales[max(top - 1, 0)], scales[min(top + 1, SCALES - 1)]
            scales = np.linspace(*ends, SCALES)
        return best


def _conjugates(rows: Rows, lengths: Array, *, loss: RowLoss, scales: Array) -> Terms:
    del rows
    return Terms((np.array([loss.conjugate(s**2 * lengths) for s in scales]),))


@dataclass(frozen=True)
class Multipliers:
    """A dual point that may violate the matrix inequality.

    Attributes
    ----------
    inner : float
        <A, X'>.
    quadratic : float
        |A|^2 / 4, which the squared loss subtracts.
    inner_rounding, quadratic_rounding : float
        How far these may be off.
    lengths : Lengths or None
        Bounds of |a_i|^2, which the robust loss bounds by one.
    squared_columns : ndarray of shape (n_features,)
        Bounds of |b_j|^2, at most lam^2.
    diagonal : ndarray of shape (n_features,)
        b_jj.
    projections : ndarray of shape (n_features, k)
        b_j'u for the eigenvectors u of the excess.
    """

    inner: float
    quadratic: float
    inner_rounding: float
    quadratic_rounding: float
    lengths: Lengths | None
    squared_columns: Array
    diagonal: Array
    projections: Array

    def bound(self, problem: Problem, excess: Excess, value: float = np.inf) -> Bound:
        """Return the best bound after either repair, all rounding subtracted.

        A value that the optimum does not exceed makes what a shared error of S costs smaller.
        """
        if not excess.rest < LARGEST_REST:
            return NOTHING
        lam, eta = problem.lam, problem.eta
        unit = sum_error(problem.samples.n_features)
        scaled = eta / (eta + excess.largest) if excess.largest > 0.0 else 1.0
        repaired = clipped_scale(self._repaired_columns(excess, lam, unit), lam, eta)
        # B by itself must fit as well: rounding may make a column a little too long.
        fits = float(np.sqrt(self.squared_columns.max(initial=0.0)))
        scaled *= min(1.0, lam / fits) if fits > 0.0 else 1.0
        best = self._best(problem.loss, (1.0 - unit) * max(scaled, repaired))
        rounding = best.scale * (self.inner_rounding + unit * abs(self.inner))
        if self.lengths is None:
            rounding += best.scale**2 * (self.quadratic_rounding + unit * self.quadratic)
        else:
            conjugates = abs(best.value - best.scale * self.inner)
            rounding += sum_error(problem.samples.n_samples) * conjugates
        found = Bound(best.value - rounding, best.scale)
        return Bound(found.value - self._matrix_slack(problem, found, value), best.scale)

    def _matrix_slack(self, problem: Problem, found: Bound, value: float) -> float:
        """Return how far the optimum may be below that of the S that all products share.

        Multipliers that are scaled down by 1 - h prove D(1 - h) + h eta tr W for every W, so that
        with g from bound to value eta tr W is at most P + g / h + h q at an optimum, where
        P = D'(1) and q the quadratic part: P + 2 sqrt(g q) for the best h.
        """
        error = problem.samples.matrix_error
        if error == 0.0 or problem.eta == 0.0 or not np.isfinite(value):
            return problem.matrix_slack
        scale, off = found.scale, found.scale**2 * self.quadratic_rounding
        quadratic = scale**2 * max(self.quadratic, 0.0)
        gap = max(value - found.value, 0.0) + error * (1.0 + np.sqrt(problem.samples.n_features))
        slope = scale * (self.inner + self.inner_rounding) - 2.0 * (quadratic - off)
        # Where the best h exceeds one, h = 1 will do.
        rest = max(2.0 * np.sqrt(gap * (quadratic + off)), 2.0 * gap)
        trace = (max(slope, 0.0) + rest) / problem.eta
        return min(problem.matrix_slack, error * (1.0 + float(np.sqrt(2.0 * trace))))

    def _repaired_columns(self, excess: Excess, lam: float, unit: float) -> Array:
        """Return bounds of |b_j - p_j - t e_j| for the positive part P and the shift t."""
        weighted = excess.vectors * excess.values
        parts = np.einsum("jk,jk->j", weighted, weighted)
        columns = self.squared_columns - 2.0 * np.einsum("jk,jk->j", self.projections, weighted)
        diagonal = self.diagonal - np.einsum("jk,jk->j", weighted, excess.vectors)
        columns += parts - 2.0 * excess.rest * diagonal + excess.rest**2
        # What the sums above round, relative to the largest that their terms may be.
        most = lam + float(np.sqrt(parts.max(initial=0.0))) + excess.rest
        return np.sqrt(np.maximum(columns, 0.0) + unit * most**2)

    def _best(self, loss: Any, limit: float) -> Bound:
        """Return the best dual objective over common scales up to the limit."""
        if self.lengths is not None:
            return self.lengths.best_bound(loss, self.inner, limit)
        best = self.inner / (2.0 * self.quadratic) if self.quadratic > 0.0 else limit
        scale = max(min(limit, best), 0.0)
        return Bound(scale * self.inner - scale**2 * self.quadratic, scale)


def clipped_scale(lengths: Array, lam: float, eta: float) -> float:
    """Return the scale that makes columns of these lengths feasible, the longest of them clipped.

    Columns longer than (1 + e) lam are clipped to that, which adds at most the norm of Frobenius of
    what is cut off to the eigenvalues of M <= eta I. Where that is e eta, 1 / (1 + e) is the scale.
    """
    longest = float(lengths.max(initial=0.0))
    if longest <= lam or lam == 0.0:
        return float(lam > 0.0)
    # In units of the longest excess, whose square may overflow.
    most = longest - lam
    long = (lengths[lengths > lam] - lam) / most
    # Rounding of lengths and differences, which a small eta makes much of.
    off = sum_error(long.size) * float(np.sqrt(long.size)) * (longest / most)
    clipped, highest = 0.0, 1.0
    for _ in range(NEWTON_STEPS if eta > 0.0 else 0):
        rest = np.maximum(long - clipped, 0.0)
        cut = norm(rest)
        # What is cut off is convex: the steps come from below, and where what was cut off before
        # is allowed is beyond. A step that rounding takes beyond is enough by itself.
        highest = min(highest, max(clipped, lam * ((cut + off) / eta)))
        if cut == 0.0 or highest - clipped <= CLOSE * highest:
            break
        clipped += (lam * cut - clipped * eta) / (lam * float(rest.sum()) / cut + eta)
    return 1.0 / (1.0 + highest * (most / lam))
