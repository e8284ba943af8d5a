"""A dual point that may violate the matrix inequality, and the bounds of its repairs.

See `sparsecone.certificate.certify` for the dual problem and the two repairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..data import Samples, Terms
from ..model.losses import Loss, Robust
from ..model.problem import Problem

Array = NDArray[Any]

# Common scales of the multipliers tried at once, and how often the best two are refined.
SCALES = 33
REFINEMENTS = 3


class Bound(NamedTuple):
    """A lower bound on the optimum, and the common scale of the multipliers that proves it."""

    value: float
    scale: float


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
        At least the largest other eigenvalue minus eta, or 0; infinite where none was found.
    """

    values: Array
    vectors: Array
    rest: float

    @property
    def largest(self) -> float:
        """Largest eigenvalue minus eta, or 0."""
        return max(float(self.values.max(initial=0.0)), self.rest)


@dataclass(frozen=True)
class Lengths:
    """The squared lengths |a_i|^2 of the multipliers of the samples.

    Attributes
    ----------
    samples : Samples
        The rows they belong to.
    values : ndarray of shape (n_samples,)
        The lengths, or what `Samples.collect` keeps of them.
    longest : float
        The largest of them.
    """

    samples: Samples
    values: Any
    longest: float

    @classmethod
    def of(cls, samples: Samples, values: Array) -> Lengths:
        """Return the given lengths."""
        return cls(samples, values, float(values.max()))

    def best_bound(self, loss: Robust, inner: float, limit: float) -> Bound:
        """Return the best dual objective over common scales up to the limit.

        It is concave in the scale, and all but linear where the smoothing is small: the best scale
        is then just below the limit.
        """
        limit = min(limit, 1.0 / np.sqrt(max(self.longest, 1e-300)))
        scales = limit * np.append(1.0 - 0.5 ** np.arange(SCALES - 1), 1.0)
        best = Bound(0.0, 0.0)
        for _ in range(REFINEMENTS):
            found = self.samples.collect(partial(_slack, loss=loss, scales=scales), self.values)
            values = scales * inner + found.sums[0]
            top = int(np.argmax(values))
            best = max(best, Bound(float(values[top]), float(scales[top])))
            ends = scales[max(top - 1, 0)], scales[min(top + 1, SCALES - 1)]
            scales = np.linspace(*ends, SCALES)
        return best


def _slack(rows: Samples, lengths: Array, *, loss: Robust, scales: Array) -> Terms:
    del rows
    return Terms((loss.slack(lengths, scales),))


@dataclass(frozen=True)
class Multipliers:
    """A dual point that may violate the matrix inequality.

    Attributes
    ----------
    inner : float
        <A, X'>.
    quadratic : float
        |A|^2 / 4, which the squared loss subtracts.
    lengths : Lengths or None
        |a_i|^2, which the robust loss bounds by one.
    squared_columns : ndarray of shape (n_features,)
        |b_j|^2, at most lam^2.
    diagonal : ndarray of shape (n_features,)
        b_jj.
    projections : ndarray of shape (n_features, k)
        b_j'u for the eigenvectors u of the excess.
    """

    inner: float
    quadratic: float
    lengths: Lengths | None
    squared_columns: Array
    diagonal: Array
    projections: Array

    def bound(self, problem: Problem, excess: Excess) -> Bound:
        """Return the best bound after either repair."""
        if not np.isfinite(excess.rest):
            return Bound(0.0, 0.0)
        scaled = problem.eta / (problem.eta + excess.largest) if excess.largest > 0.0 else 1.0
        longest = float(np.sqrt(self._repaired_columns(excess).max(initial=0.0)))
        repaired = problem.lam / longest if longest > problem.lam else 1.0
        return self._best(problem.loss, max(scaled, repaired))

    def _repaired_columns(self, excess: Excess) -> Array:
        """Return |b_j - p_j - t e_j|^2 for the positive part P and the shift t of the rest."""
        weighted = excess.vectors * excess.values
        columns = self.squared_columns - 2.0 * np.einsum("jk,jk->j", self.projections, weighted)
        columns += np.einsum("jk,jk->j", weighted, weighted)
        diagonal = self.diagonal - np.einsum("jk,jk->j", weighted, excess.vectors)
        return np.asarray(columns - 2.0 * excess.rest * diagonal + excess.rest**2)

    def _best(self, loss: Loss, limit: float) -> Bound:
        """Return the best dual objective over common scales up to the limit."""
        if not isinstance(loss, Robust):
            best = self.inner / (2.0 * self.quadratic) if self.quadratic > 0.0 else limit
            scale = min(limit, best)
            return Bound(scale * self.inner - scale**2 * self.quadratic, scale)
        assert self.lengths is not None
        return self.lengths.best_bound(loss, self.inner, limit)
