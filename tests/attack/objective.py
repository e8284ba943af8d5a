"""The objective as it is stated, in extended precision, with a bound on its own rounding.

Nothing here comes from the library. A number is an enclosure: the true one differs from it by its
error, which is about 2000 times below what double precision would leave.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Long = np.longdouble

UNIT = np.finfo(Long).eps
# Whether this machine has longer numbers than doubles.
IS_EXTENDED = np.finfo(Long).nmant >= 63


@dataclass(frozen=True)
class Enclosed:
    """A number that is known up to an error."""

    value: Long
    error: Long


def centred(rows: Array) -> Array:
    """Return rows less their exact mean, every entry to extended precision.

    The difference from a mean in double precision has no rounding but its own, and its mean is
    small: so nothing is lost where the means exceed the deviations by far.
    """
    exact = rows.astype(Long)
    near = exact.mean(axis=0).astype(np.float64)
    rest = exact - near
    return np.asarray(rest - rest.mean(axis=0))


@dataclass(frozen=True)
class Objective:
    """The objective of a problem as a function of a factor and an offset.

    Attributes
    ----------
    rows : ndarray of shape (n_samples, n_features)
        The centred samples.
    gram : ndarray of shape (n_features, n_features) or None
        What stands for them where they are not known.
    squared : bool
        Whether residual norms are squared.
    lam, eta : float
        The weights in absolute units.
    delta : float
        Smoothing of the residual norms.
    """

    rows: Array
    gram: Array | None
    squared: bool
    lam: float
    eta: float
    delta: float = 0.0

    def at(self, factor: Array, offset: Array | None = None) -> Enclosed:
        """Return the objective at W = L L' and v."""
        L = factor.astype(Long)
        d, r = L.shape
        W = L @ L.T
        lengths, size = np.sqrt((L**2).sum(axis=1)), (L**2).sum()
        # Rounding errors of that many terms are as often positive as negative.
        unit = UNIT * (8.0 + 4.0 * np.sqrt(sum(self.rows.shape) + d + 2 * r))
        penalty = self.lam * column_norms(W).sum() + self.eta * size
        blurred = unit * (self.lam * np.sqrt(size) * lengths.sum() + self.eta * size)
        loss = self._loss_of_gram(L) if self.gram is not None else self._loss(L, offset)
        error = unit * (loss.error + loss.value + penalty) + blurred
        return Enclosed(loss.value + penalty, error)

    def _loss(self, L: Array, offset: Array | None) -> Enclosed:
        """Return the data term, and its error in units."""
        v = np.zeros(len(L), dtype=Long) if offset is None else offset.astype(Long)
        norms = column_norms((self.rows - (self.rows @ L) @ L.T - v).T)
        spread = np.sqrt((np.abs(self.rows).mean(axis=0) ** 2).sum())
        errors = (1.0 + (L**2).sum()) * (column_norms(self.rows.T) + spread) + np.sqrt((v**2).sum())
        if self.squared:
            return Enclosed((norms**2).sum(), (2.0 * norms * errors + UNIT * errors**2).sum())
        return Enclosed(np.sqrt(norms**2 + Long(self.delta)).sum(), errors.sum())

    def _loss_of_gram(self, L: Array) -> Enclosed:
        """Return tr S - 2 tr(L'SL) + tr(L'SLL'L), and its error in units."""
        assert self.gram is not None
        S = 0.5 * (self.gram.astype(Long) + self.gram.T)
        product = S @ L
        value = np.trace(S) - 2.0 * (product * L).sum() + ((L.T @ product) * (L.T @ L)).sum()
        size = 1.0 + (L**2).sum()
        return Enclosed(value, np.sqrt((S**2).sum()) * size**2 + np.trace(S))

    def at_zero(self) -> Enclosed:
        """Return the objective at W = 0 and v = 0."""
        return self.at(np.zeros((self.rows.shape[1], 0)))

    def at_identity(self) -> Enclosed:
        """Return the objective at W = I, where no residual is left."""
        n, d = self.rows.shape
        loss = Long(0.0) if self.squared else n * np.sqrt(Long(self.delta))
        value = loss + d * (Long(self.lam) + Long(self.eta))
        return Enclosed(value, 4.0 * UNIT * value)

    def median(self) -> Array:
        """Return nearly the geometric median of the samples, the best offset at W = 0."""
        v = np.zeros(self.rows.shape[1], dtype=Long)
        for _ in range(30):
            norms = column_norms((self.rows - v).T)
            if not norms.any():
                break
            weights = 1.0 / np.maximum(norms, Long(1e-6) * norms.mean())
            v = (weights @ self.rows) / weights.sum()
        return np.asarray(v)


def column_norms(matrix: Array) -> Array:
    """Return the lengths of the columns."""
    return np.asarray(np.sqrt((matrix**2).sum(axis=0)))
