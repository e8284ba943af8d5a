"""The published two-step algorithm (paper, Algorithm 1), with its constants and its start.

Repeat: with sample weights c, feature weights and the offset v fixed, take the minimiser without
the constraint, `M = (S_c - v m' - eta/2 I)(S_c + D)^-1` with `S_c = X' diag(c) X`, `m = X'c` and
`D = lam diag(1 / (2 sqrt(|w_j|^2 + e))) + ridge I`; then W is the PSD part of sym(M).

The projection is in the Frobenius metric, not in that of the quadratic, so this is not a descent
method and does not reach the minimum of its own problem; it never ends as converged.

For d >= n no d x d array is formed: with `Q = diag(sqrt c) X` and `K = I + Q D^-1 Q'`,

    M = (X - 1v')' diag(sqrt c) K^-1 Q D^-1 - eta/2 (D^-1 - D^-1 Q' K^-1 Q D^-1)

costs O(dn) a product, and Davidson's method finds the few positive eigenvalues of sym(M).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import scipy.linalg
from sklearn.utils import check_random_state

from ..certificate import certify
from ..data import Data, Moments, Rows
from ..linalg.davidson import largest_pairs
from ..linalg.eigen import pairs_above
from ..linalg.rounding import TINY, sum_error
from ..linalg.threads import large
from ..linalg.types import Array
from ..model.problem import Point, Problem
from .iterate import Iterate

# The paper's constants.
SQUARED_SMOOTHING = 2.2204e-16
ROBUST_SMOOTHING = 1e-3
RIDGE = 1e-3
WIDE_RIDGE = 1e-2


@dataclass(frozen=True)
class Published:
    """The paper's algorithm.

    Parameters
    ----------
    random_state : int, RandomState instance or None
        Draws the start, a diagonal matrix with entries uniform in [0, 1).
    start_diagonal : ndarray of shape (n_features,) or None
        The start itself, where it is given. AW-SPCA-PSD starts from unit weights instead.
    stop : float
        Change of the objective at which the algorithm ends; the paper's is 1e-5.
    eta_factor : float
        The steps are taken with so many times the eta of the objective: 2 in the authors' program
        for CSPCA-PSD, which has eta where the derivative has eta / 2.
    """

    random_state: Any = None
    start_diagonal: Array | None = None
    stop: float = 1e-5
    eta_factor: float = 1.0
    name: ClassVar[str] = "published"
    exact: ClassVar[bool] = False
    max_iter: ClassVar[int] = 100

    def iterate(
        self, problem: Problem, *, tol: float, start: Point | None = None
    ) -> Iterator[Iterate]:
        """Yield one iterate an update; the last one carries the bound."""
        del tol, start
        stepped = problem.with_weights(lam=problem.lam, eta=self.eta_factor * problem.eta)
        weights = self._first_weights(problem)
        previous, L = np.inf, problem.samples.leading(0.5 * stepped.eta).vectors
        for _ in range(self.max_iter):
            L = positive_part(stepped, weights, L)
            v = best_offset(problem, L, weights) if problem.loss.recenter else None
            point = problem.evaluate(L, v)
            if abs(previous - point.value) * problem.unit <= self.stop:
                break
            yield Iterate(point)
            previous, weights = point.value, next_weights(problem, point)
        certificate = certify(point)
        yield Iterate(point, certificate.bound, proven=certificate.proven)

    def _first_weights(self, problem: Problem) -> Weights:
        samples = problem.samples
        if problem.loss.recenter:
            ones = np.ones(samples.n_samples)
            zeros = np.zeros(samples.n_features)
            return Weights(ones, problem.lam + np.full(samples.n_features, RIDGE), zeros)
        diagonal = self.start_diagonal
        if diagonal is None:
            diagonal = check_random_state(self.random_state).uniform(size=samples.n_features)
        features = feature_weights(problem, diagonal**2)
        if not problem.loss.needs_rows:
            return Weights(None, features, None)
        squared = rows_of(samples).weighted_squared_norms((1.0 - diagonal) ** 2)
        return Weights(0.5 * problem.loss.weights(squared), features, None)


def rows_of(data: Data) -> Rows:
    """Return the rows of the data; those of moments are a square root of S."""
    if isinstance(data, Moments):
        return data.root
    assert isinstance(data, Rows)
    return data


@dataclass(frozen=True)
class Weights:
    """What the first step holds fixed: c (None for ones), the diagonal of D, and the offset."""

    c: Array | None
    D: Array
    v: Array | None


def feature_weights(problem: Problem, squared_scores: Array) -> Array:
    """Return the diagonal of D."""
    robust = problem.loss.needs_rows
    smoothing = ROBUST_SMOOTHING if robust else SQUARED_SMOOTHING
    wide = problem.samples.n_features >= problem.samples.n_samples
    ridge = WIDE_RIDGE if wide and not robust else RIDGE
    return np.asarray(problem.lam * 0.5 / np.sqrt(squared_scores + smoothing) + ridge)


def next_weights(problem: Problem, point: Point) -> Weights:
    """Return the weights of the next step."""
    omega = point.data.weights
    c = None if omega is None else 0.5 * omega
    return Weights(c, feature_weights(problem, point.squared_scores), point.v)


def best_offset(problem: Problem, L: Array, weights: Weights) -> Array:
    """Return the offset that is best for W = L L' and the weights of the step."""
    assert weights.c is not None
    mean = rows_of(problem.samples).backproject(weights.c[:, None])[:, 0] / weights.c.sum()
    return np.asarray(mean - L @ (L.T @ mean))


def positive_part(problem: Problem, weights: Weights, guess: Array) -> Array:
    """Return the factor of the PSD part of sym(M); the last factor is a guess of its range."""
    samples = problem.samples
    if samples.n_features < samples.n_samples:
        return _dense_positive_part(problem, weights)
    return _iterative_positive_part(problem, weights, guess)


def factored(matrix: Array, off: float) -> tuple[Array, bool]:
    """Return the Cholesky factorisation of a matrix that is positive definite but for rounding.

    Rounding hides a small diagonal beside a matrix that is very large: then what that may be off
    by is added to it.
    """
    try:
        return scipy.linalg.cho_factor(matrix, lower=True)
    except np.linalg.LinAlgError:
        return scipy.linalg.cho_factor(matrix + off * np.eye(len(matrix)), lower=True)


def _dense_positive_part(problem: Problem, weights: Weights) -> Array:
    samples, c = problem.samples, weights.c
    gram = samples.gram_matrix if c is None else samples.weighted_gram(c)
    numerator = gram - 0.5 * problem.eta * np.eye(samples.n_features)
    if weights.v is not None and c is not None:
        numerator -= np.outer(weights.v, rows_of(samples).backproject(c[:, None])[:, 0])
    with large(float(len(gram)) ** 3):
        off = sum_error(samples.n_samples) * float(np.trace(gram))
        off += samples.gram_error * (1.0 if c is None else float(c.max()))
        denominator = factored(gram + np.diag(weights.D), off)
        M = scipy.linalg.cho_solve(denominator, numerator.T)
    values, vectors = pairs_above(0.5 * (M + M.T), 0.0)
    return np.asarray(vectors * np.sqrt(values))


def _iterative_positive_part(problem: Problem, weights: Weights, guess: Array) -> Array:
    """Find the positive eigenpairs, whose number is known beforehand, by products."""
    inner = _Projected(problem, weights)
    if problem.eta == 0.0:
        return inner.positive_part()
    d, count = guess.shape[0], inner.n_positive()
    if count == 0:
        return np.zeros((d, 0))
    if 3 * count >= d:
        values, vectors = pairs_above(inner.product(np.eye(d)), 0.0)
    else:
        values, vectors = inner.largest_pairs(guess, count)
    keep = values > max(1e-12 * values.max(initial=0.0), 0.0)
    return np.asarray(vectors[:, keep] * np.sqrt(values[keep]))


class _Projected:
    """sym(M) for d >= n, by the formula in the head of this file: a matrix of rank 2n less E.

    With R = diag(c)^1/2, K = I + R X D^-1 X' R, E = (eta/2) D^-1, P = I + E, A = D^-1 X' R K^-1/2
    and B = (P X' - v 1') R K^-1/2, sym(M) = (A B' + B A')/2 - E.
    """

    def __init__(self, problem: Problem, weights: Weights) -> None:
        self.samples, self.D = rows_of(problem.samples), weights.D
        self.E = 0.5 * problem.eta / self.D
        n = self.samples.n_samples
        self.roots = np.ones(n) if weights.c is None else np.sqrt(weights.c)
        self.v = np.zeros(self.samples.n_features) if weights.v is None else weights.v
        K = np.eye(n) + self._between(1.0 / self.D)
        self.factor = factored(K, sum_error(n) * float(np.trace(K)))

    def _between(self, weights: Array) -> Array:
        """Return R X diag(weights) X' R."""
        return self.roots[:, None] * self.samples.sample_gram(weights) * self.roots

    @cached_property
    def factors(self) -> tuple[Array, Array]:
        """The matrices A and B."""
        root = scipy.linalg.solve_triangular(self.factor[0], np.diag(self.roots), lower=True).T
        back = self.samples.backproject(root)
        outer = np.outer(self.v, root.sum(axis=0))
        return back / self.D[:, None], back * (1.0 + self.E)[:, None] - outer

    def product(self, x: Array) -> Array:
        """Return sym(M) times the columns of x."""
        A, B = self.factors
        return np.asarray(0.5 * (A @ (B.T @ x) + B @ (A.T @ x)) - self.E[:, None] * x)

    def largest_pairs(self, guess: Array, count: int) -> tuple[Array, Array]:
        """Return the positive eigenpairs from a guess of their range, or from that of A and B too.

        As many as are positive, and all of them positive: then none is missing.
        """
        if guess.shape[1] >= count:
            values, vectors = largest_pairs(self.product, self.E, guess, count)
            if values.size == count and values.min() > 0.0:
                return values, vectors
        start = np.column_stack([guess, *self.factors])
        return largest_pairs(self.product, self.E, start, count)

    def n_positive(self) -> int:
        """Return the number of positive eigenvalues, for eta > 0 and no offset.

        With U = [A B] and J = [[0, I], [I, 0]]/2 the inertia of a matrix with the blocks -E, U, U'
        and -J^-1, written from either corner, says that it is that of U' E^-1 U - J^-1, which is
        of size 2n, less n. A times s and B over s have the same product, so that both may be as
        large as each other: otherwise rounding of one block hides what the other has.
        """
        E, P, n = self.E, 1.0 + self.E, self.roots.size
        inner = self._whitened(self._between(1.0 / (self.D**2 * E)))
        mixed = self._whitened(self._between(P / (self.D * E))) - 2.0 * np.eye(n)
        outer = self._whitened(self._between(P**2 / E))
        largest = [max(float(np.abs(block).max()), TINY) for block in (outer, inner)]
        square = math.sqrt(largest[0]) / math.sqrt(largest[1])
        small = np.block([[square * inner, mixed], [mixed.T, outer / square]])
        return max(int(np.count_nonzero(scipy.linalg.eigvalsh(small) > 0.0)) - n, 0)

    def _whitened(self, inner: Array) -> Array:
        """Return K^-1/2 times a symmetric matrix times K^-1/2', by the Cholesky factor."""
        half = scipy.linalg.solve_triangular(self.factor[0], inner, lower=True)
        return np.asarray(scipy.linalg.solve_triangular(self.factor[0], half.T, lower=True))

    def positive_part(self) -> Array:
        """Return the factor of the PSD part where eta = 0, within the range of A and B."""
        (A, B), n = self.factors, self.roots.size
        basis, small = scipy.linalg.qr(np.column_stack([A, B]), mode="economic")
        mixed = small[:, :n] @ small[:, n:].T
        values, vectors = scipy.linalg.eigh(0.5 * (mixed + mixed.T))
        keep = values > max(1e-12 * values.max(), 0.0)
        return np.asarray(basis @ (vectors[:, keep] * np.sqrt(values[keep])))
