"""The problem: samples, loss and weights of the penalties. The formula stands here.

    minimise over W >= 0:   sum_i phi(|x_i - W x_i - v|) + lam * sum_j |w_j| + eta * tr W

W is a factor, W = L L'. With A = L'L, G_j = sqrt(l_j A l_j' + eps) (the smoothed score of feature
j), P = X L, the sample weights omega of the loss and H = X' diag(omega) P,

    gradient in L:  -2H + HA + L(L'H) + h (v'L) + v (omega'P)  +  2 eta L
                    + lam (diag(1/G) L A + L (L' diag(1/G) L)),        h = X' omega
    gradient in v:  (sum omega) v - h + L (P' omega)

For the squared loss omega = 2 and H = 2 S L: one product with S an evaluation.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data import Samples, Terms
from .losses import Loss, Robust, Squared

Array = NDArray[Any]


@dataclass(frozen=True)
class Problem:
    """One instance of the model family.

    Parameters
    ----------
    samples : Samples
        The centred data.
    loss : Squared or Robust
        The data term.
    lam : float
        Weight of the sum of the column norms of W.
    eta : float
        Weight of the trace of W.
    """

    samples: Samples
    loss: Loss
    lam: float
    eta: float

    def evaluate(
        self, L: Array, v: Array | None = None, *, eps: float = 0.0, H: Array | None = None
    ) -> Point:
        """Return value, gradient and what the certificate needs at W = L L'.

        Parameters
        ----------
        L : ndarray of shape (n_features, rank)
            The factor.
        v : ndarray of shape (n_features,) or None
            The offset, where the loss has one.
        eps : float
            Smoothing of the column norms: `sqrt(|w_j|^2 + eps)`.
        H : ndarray of shape (n_features, rank) or None
            2 S L where that is known, for the squared loss: it saves the product with the data.
        """
        if self.loss.recenter and v is None:
            v = np.zeros(self.samples.n_features)
        data = fit_squared(self, L, H) if isinstance(self.loss, Squared) else fit_robust(self, L, v)
        return Point(self, L, v, eps, data)

    @cached_property
    def zero(self) -> Point:
        """W = 0, with the best offset."""
        empty = np.zeros((self.samples.n_features, 0))
        if not self.loss.recenter:
            return self.evaluate(empty)
        return self.evaluate(empty, geometric_median(self))


@dataclass(frozen=True)
class Fit:
    """The data term at a point.

    Attributes
    ----------
    value : float
        The sum of phi.
    H : ndarray of shape (n_features, rank)
        X' diag(omega) X L.
    weights : ndarray of shape (n_samples,) or None
        omega, or what `Samples.collect` keeps of it; None for the constant weight 2 of the squared
        loss.
    total_weight : float
        The sum of omega.
    h : ndarray of shape (n_features,) or None
        X' omega, where there is an offset.
    projected_weights : ndarray of shape (rank,) or None
        P' omega, where there is an offset.
    inner : float
        <A, X'> for the multipliers a_i = omega_i (x_i - W x_i - v).
    unsmoothed : float
        The sum of phi for delta = 0.
    magnitude : float
        Size of the terms whose differences make up the value: its rounding error is a few units
        in the last place of this.
    """

    value: float
    H: Array
    weights: Any
    total_weight: float
    h: Array | None
    projected_weights: Array | None
    inner: float
    unsmoothed: float
    magnitude: float


@dataclass(frozen=True)
class Point:
    """A factor with everything that one evaluation of the problem knows about it."""

    problem: Problem
    L: Array
    v: Array | None
    eps: float
    data: Fit

    @cached_property
    def A(self) -> Array:  # noqa: N802
        """L'L."""
        return self.L.T @ self.L

    @cached_property
    def squared_scores(self) -> Array:
        """|w_j|^2."""
        return np.maximum(np.einsum("jk,jk->j", self.L @ self.A, self.L), 0.0)

    @cached_property
    def smooth_scores(self) -> Array:
        """sqrt(|w_j|^2 + eps), positive wherever it divides."""
        return np.sqrt(self.squared_scores + max(self.eps, np.finfo(float).tiny))

    @cached_property
    def value(self) -> float:
        """The objective itself, without the smoothing of the column norms."""
        return self._objective(np.sqrt(self.squared_scores))

    def turned(self, rotation: Array) -> Point:
        """Return the same W with the factor L R for an orthogonal R."""
        data, projected = self.data, self.data.projected_weights
        projected = None if projected is None else projected @ rotation
        data = replace(data, H=data.H @ rotation, projected_weights=projected)
        return Point(self.problem, self.L @ rotation, self.v, self.eps, data)

    def smoothed(self, eps: float) -> Point:
        """Return the same W with another smoothing."""
        return self if eps == self.eps else Point(self.problem, self.L, self.v, eps, self.data)

    def under(self, problem: Problem) -> Point:
        """Return the same W under other weights: nothing of the data term changes."""
        return Point(problem, self.L, self.v, 0.0, self.data)

    @property
    def noise(self) -> float:
        """Rounding error of the value."""
        return 4.0 * self.problem.samples.precision * (self.data.magnitude + self.value)

    @property
    def unsmoothed_value(self) -> float:
        """The objective with delta = 0, as the paper states it."""
        return self.value - self.data.value + self.data.unsmoothed

    @cached_property
    def smooth_value(self) -> float:
        """The objective with smoothed column norms, which `gradient` belongs to."""
        return self._objective(self.smooth_scores)

    def _objective(self, scores: Array) -> float:
        penalty = self.problem.lam * float(scores.sum())
        return self.data.value + penalty + self.problem.eta * float(np.trace(self.A))

    @cached_property
    def gradient(self) -> Array:
        """The gradient in L, with the one in v as a last column where there is an offset."""
        L, H, lam = self.L, self.data.H, self.problem.lam
        scaled = L / self.smooth_scores[:, None]
        gradient = (H + lam * scaled) @ self.A - 2.0 * H
        gradient += L @ (L.T @ (H + lam * scaled)) + 2.0 * self.problem.eta * L
        if self.v is None:
            return gradient
        h, projected = self.data.h, self.data.projected_weights
        assert h is not None
        assert projected is not None
        gradient += np.outer(h, self.v @ L) + np.outer(self.v, projected)
        offset_gradient = self.data.total_weight * self.v - h + L @ projected
        return np.column_stack([gradient, offset_gradient])


def fit_squared(problem: Problem, L: Array, H: Array | None = None) -> Fit:
    """Return the data term of the squared loss: tr S - 2 tr(L'SL) + tr(L'SL A)."""
    if H is None:
        H = 2.0 * problem.samples.gram_product(L)
    B = L.T @ H
    trace = problem.samples.trace
    value = trace - float(np.trace(B)) + 0.5 * float(np.vdot(B, L.T @ L))
    inner, weight = 2.0 * trace - float(np.trace(B)), 2.0 * problem.samples.n_samples
    return Fit(value, H, None, weight, None, None, inner, value, trace)


def fit_robust(problem: Problem, L: Array, v: Array | None) -> Fit:
    """Return the data term of the robust loss, in one pass over the rows."""
    assert isinstance(problem.loss, Robust)
    found = problem.samples.collect(partial(robust_terms, loss=problem.loss, L=L, v=v))
    value, back, projected, total, inner, unsmoothed, magnitude = found.sums
    (omega,) = found.rowwise
    r = L.shape[1]
    h = None if v is None else back[:, r]
    return Fit(value, back[:, :r], omega, total, h, projected, inner, unsmoothed, magnitude)


def robust_terms(rows: Samples, *, loss: Robust, L: Array, v: Array | None) -> Terms:
    """Return what a block of rows adds to the data term, with its omega."""
    P, q, squared = residuals(rows, L, v)
    omega = loss.weights(squared)
    inner = float(omega @ (rows.squared_norms - np.einsum("ik,ik->i", P, P) - q))
    weighted = P * omega[:, None]
    back = rows.backproject(weighted if v is None else np.column_stack([weighted, omega]))
    unsmoothed, magnitude = float(np.sqrt(squared).sum()), float(omega @ rows.squared_norms)
    totals = (weighted.sum(axis=0), float(omega.sum()), inner, unsmoothed, magnitude)
    return Terms((loss.value(squared), back, *totals), rowwise=(omega,))


def residuals(rows: Samples, L: Array, v: Array | None) -> tuple[Array, Array, Array]:
    """Return P = X L, X v and |x_i - W x_i - v|^2 of a block of rows."""
    r = L.shape[1]
    P = rows.project(L if v is None else np.column_stack([L, v]))
    P, q = P[:, :r], P[:, r:].sum(axis=1)
    squared = rows.squared_norms - 2.0 * np.einsum("ik,ik->i", P, P)
    squared += np.einsum("ik,ik->i", P @ (L.T @ L), P)
    if v is not None:
        squared += 2.0 * (P @ (L.T @ v) - q) + v @ v
    return P, q, np.maximum(squared, 0.0)


def multiplier_terms(
    rows: Samples, *, loss: Robust, L: Array, v: Array | None, mean: Array | None
) -> Terms:
    """Return |a_i|^2 of a block of rows, about the mean of all a_i where there is an offset."""
    P, _, squared = residuals(rows, L, v)
    omega = loss.weights(squared)
    lengths = omega**2 * squared
    if v is not None and mean is not None:
        along = rows.project(mean[:, None])[:, 0] - P @ (L.T @ mean) - v @ mean
        lengths = np.maximum(lengths - 2.0 * omega * along + mean @ mean, 0.0)
    return Terms(largest=float(lengths.max(initial=0.0)), rowwise=(lengths,))


def geometric_median(problem: Problem) -> Array:
    """Return the offset that is best at W = 0, by Weiszfeld's iteration."""
    empty = np.zeros((problem.samples.n_features, 0))
    v = np.zeros(problem.samples.n_features)
    for _ in range(100):
        data = fit_robust(problem, empty, v)
        assert data.h is not None
        step = data.h / data.total_weight - v
        v = v + step
        if step @ step <= 1e-18 * problem.samples.trace:
            break
    return v
