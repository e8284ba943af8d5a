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
from functools import cached_property

import numpy as np

from ..data import Data, Spectrum
from ..linalg.rounding import TINY, UNIT, norm, sum_error
from ..linalg.thin import thin_product
from ..linalg.types import Array
from .data_term import DataTerm, Image
from .losses import Loss

# What is known of a factor whatever the problem and the smoothing are.
OF_FACTOR = ("A", "lengths", "squared_scores", "squared_score_errors")
# The square of the last step to the offset at W = 0, as a part of the total variation.
MEDIAN = 1e-18


@dataclass(frozen=True)
class Problem:
    """One instance of the model family.

    Parameters
    ----------
    samples : Data
        The centred data.
    loss : Squared or Robust
        The data term.
    lam : float
        Weight of the sum of the column norms of W.
    eta : float
        Weight of the trace of W.
    reason : str
        Why the weights are what they are, where they were chosen automatically.
    """

    samples: Data
    loss: Loss
    lam: float
    eta: float
    reason: str = ""

    @property
    def unit(self) -> float:
        """What the objective is multiplied by in the units of the samples as they were given."""
        return self.loss.unit(self.samples.scale)

    @property
    def matrix_slack(self) -> float:
        """How far the optimum may be below that of the S that all products use.

        With S off by E that is <E, (I - W)^2> at most. No eigenvalue w of the optimum exceeds one,
        and (2w - w^2)^2 is at most 2w and at most one, so the norm of 2W - W^2 is at most the root
        of d and of 2 tr W, and eta tr W at most tr S.
        """
        samples = self.samples
        if samples.matrix_error == 0.0:
            return 0.0
        most = float(samples.n_features)
        if self.eta > 0.0:
            most = min(most, 2.0 * samples.trace / self.eta)
        return samples.matrix_error * (1.0 + float(np.sqrt(most)))

    def evaluate(
        self,
        L: Array,
        v: Array | None = None,
        *,
        eps: float = 0.0,
        image: Image | None = None,
        gram: bool = False,
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
        image : Image or None
            2 S L where that is known, for the squared loss: it saves the product with the data.
        gram : bool
            Whether X' diag(omega) X is wanted too, where the loss weighs the samples: with it,
            other factors are found without another pass.
        """
        if self.loss.recenter and v is None:
            v = np.zeros(self.samples.n_features)
        return Point(self, L, v, eps, self.loss.data_term(self.samples, L, v, image, gram=gram))

    def with_weights(self, *, lam: float, eta: float, reason: str = "") -> Problem:
        """Return the same with other weights of the penalties; at W = 0 they make no difference."""
        changed = replace(self, lam=lam, eta=eta, reason=reason)
        vars(changed)["zero"] = self.zero.under(changed)
        return changed

    @property
    def kept_level(self) -> float:
        """The eigenvalue of S above which W keeps a component at lam = 0: eta / 2 if phi = t^2."""
        curvature = self.zero.data.curvature
        return self.eta * self.samples.trace / curvature if curvature > 0.0 else 0.0

    @cached_property
    def zero(self) -> Point:
        """W = 0, with the best offset."""
        empty = np.zeros((self.samples.n_features, 0))
        if not self.loss.recenter:
            return self.evaluate(empty)
        return self.evaluate(empty, geometric_median(self))


@dataclass(frozen=True)
class Point:
    """A factor with everything that one evaluation of the problem knows about it."""

    problem: Problem
    L: Array
    v: Array | None
    eps: float
    data: DataTerm

    @cached_property
    def A(self) -> Array:  # noqa: N802
        """L'L."""
        return self.L.T @ self.L

    @cached_property
    def lengths(self) -> tuple[Array, Array]:
        """The squared lengths of L, ascending, and their directions: eigenpairs of L'L."""
        return np.linalg.eigh(self.A)

    @cached_property
    def squared_scores(self) -> Array:
        """|w_j|^2."""
        return squared_scores(self.L, self.A)

    @cached_property
    def squared_score_errors(self) -> Array:
        """How far |w_j|^2 may be off."""
        d, r = self.L.shape
        rows = np.einsum("jk,jk->j", self.L, self.L)
        return sum_error(d + 2 * r) * float(np.trace(self.A)) * rows

    @cached_property
    def smooth_scores(self) -> Array:
        """sqrt(|w_j|^2 + eps), positive wherever it divides."""
        return np.sqrt(self.squared_scores + max(self.eps, TINY))

    @cached_property
    def loss_value(self) -> float:
        """The data term."""
        return self.data.value

    @cached_property
    def loss_rounding(self) -> float:
        """How far it may be off."""
        return self.data.rounding

    @cached_property
    def value(self) -> float:
        """The objective itself, without any smoothing."""
        return self.loss_value + self._penalty(np.sqrt(self.squared_scores))

    @cached_property
    def smooth_value(self) -> float:
        """The objective as the solver has smoothed it, which `gradient` belongs to."""
        return self.data.smooth_value + self._penalty(self.smooth_scores)

    def _penalty(self, scores: Array) -> float:
        weight, trace = self.problem.lam * float(scores.sum()), float(np.trace(self.A))
        return weight + self.problem.eta * trace

    @cached_property
    def rounding(self) -> float:
        """How far the value may be off."""
        squares, errors = self.squared_scores, self.squared_score_errors
        highest, lowest = np.sqrt(squares + errors), np.sqrt(np.maximum(squares - errors, 0.0))
        scores = self.problem.lam * float((highest - lowest).sum())
        added = sum_error(self.problem.samples.n_features) * self._penalty(highest)
        summed = self.problem.samples.matrix_error
        if summed > 0.0:
            summed *= 1.0 + norm(2.0 * self.A - self.A @ self.A)
        return self.loss_rounding + scores + added + summed

    @property
    def noise(self) -> float:
        """Changes of the value up to which a search takes them for rounding: no bound, a guess."""
        return 16.0 * UNIT * (self.data.curvature + self.value)

    def turned(self, rotation: Array) -> Point:
        """Return the same W with the factor L R for an orthogonal R."""
        turned = self.data.turned(rotation)
        return Point(self.problem, self.L @ rotation, self.v, self.eps, turned)

    def smoothed(self, eps: float) -> Point:
        """Return the same W with another smoothing of the column norms."""
        if eps == self.eps:
            return self
        return self._keeping(Point(self.problem, self.L, self.v, eps, self.data))

    def under(self, problem: Problem) -> Point:
        """Return the same W under other weights: nothing of the data term changes."""
        return self._keeping(Point(problem, self.L, self.v, 0.0, self.data))

    def _keeping(self, other: Point) -> Point:
        """Return another point of the same factor with what is known of that."""
        vars(other).update((name, vars(self)[name]) for name in OF_FACTOR if name in vars(self))
        return other

    def with_gram(self) -> Point:
        """Return the same with X' diag(omega) X, where the loss weighs the samples."""
        data = replace(self.data, gram=self.curvature_matrix())
        return self._keeping(Point(self.problem, self.L, self.v, self.eps, data))

    def nearby(self, L: Array) -> Point:
        """Return the point at another factor, or what majorises it where that saves a pass."""
        if self.data.gram is None:
            return self.problem.evaluate(L, eps=self.eps)
        error = self.data.matrix_rounding * norm(L)
        return self.with_image(L, Image(thin_product(self.data.gram, L), error))

    def with_image(self, L: Array, image: Image) -> Point:
        """Return the point at another factor whose image is known, or what majorises it."""
        data = self.problem.loss.nearby(self.problem.samples, self.data, L, image)
        return Point(self.problem, L, None, self.eps, data)

    def curvature_product(self, x: Array) -> Array:
        """Return X' diag(omega) X x."""
        samples, weights = self.problem.samples, self.data.weights
        if weights is None:
            return 2.0 * samples.gram_product(x)
        if self.data.gram is not None:
            return thin_product(self.data.gram, x)
        return samples.weighted_product(x, weights)

    def curvature_matrix(self) -> Array:
        """Return X' diag(omega) X as a dense array of its own."""
        samples, weights = self.problem.samples, self.data.weights
        if weights is None:
            return 2.0 * samples.gram_matrix
        return samples.weighted_gram(weights) if self.data.gram is None else self.data.gram.copy()

    def curvature_spectrum(self, threshold: float, *, most: int | None = None) -> Spectrum:
        """Return the eigenpairs of X' diag(omega) X above the threshold, at most so many."""
        samples, weights = self.problem.samples, self.data.weights
        if weights is not None:
            found = samples.leading(threshold, weights, most=most, gram=self.data.gram)
            return replace(found, residual=found.residual + self.data.matrix_rounding)
        return samples.leading(0.5 * threshold, most=most).times(2.0)

    @cached_property
    def gradient(self) -> Array:
        """The gradient in L, with the one in v as a last column where there is an offset."""
        L, H, lam = self.L, self.data.H, self.problem.lam
        curved = L * (lam / self.smooth_scores)[:, None]
        curved += H
        gradient = curved @ self.A
        gradient += L @ (L.T @ curved)
        np.subtract(H, np.multiply(L, self.problem.eta, out=curved), out=curved)
        curved *= 2.0
        gradient -= curved
        if self.v is None:
            return gradient
        h, projected = self.data.h, self.data.projected_weights
        assert h is not None
        assert projected is not None
        gradient += np.outer(h, self.v @ L) + np.outer(self.v, projected)
        offset_gradient = self.data.total_weight * self.v - h + L @ projected
        return np.column_stack([gradient, offset_gradient])


def squared_scores(L: Array, A: Array) -> Array:
    """Return |w_j|^2 of W = L L', with A = L'L."""
    return np.maximum(np.einsum("jk,jk->j", L @ A, L), 0.0)


def geometric_median(problem: Problem) -> Array:
    """Return the offset that is best at W = 0, by Weiszfeld's iteration.

    Steps shrink by factors that are soon the same: with the last two of them a step goes where the
    others lead. After one that increased the loss comes a plain one.
    """
    samples = problem.samples
    empty, v = np.zeros((samples.n_features, 0)), np.zeros(samples.n_features)
    plain = moved = v
    least = np.inf
    for _ in range(100):
        data = problem.evaluate(empty, v).data
        assert data.h is not None
        before, plain = plain, data.h / data.total_weight - v
        if plain @ plain <= MEDIAN * samples.trace:
            break
        change = plain - before
        known = moved.any() and data.value <= least + data.rounding
        backward = float(plain @ change) / max(float(change @ change), TINY) if known else 0.0
        moved, least = plain - backward * (moved + change), data.value
        v = v + moved
    return v + plain
