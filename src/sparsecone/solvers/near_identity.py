"""Where lam is so small that W = I is optimal: one bound, and no steps.

With W = I no residual is left, and the objective is lam d. That is the optimum exactly if there are
multipliers, none longer than one, with sym(A X) = lam I. For any weights omega of the samples, with
their weighted mean m and S_omega about it,

    a_i = omega_i C (x_i - m),        C = lam S_omega^-1,

are that but for their lengths. Equal weights are all it takes on most data with many more samples
than features. Where a few samples have long multipliers Newton's method finds weights: with
l_i = |a_i| and h_ij = omega_i (x_i - m)' S_omega^-1 (x_j - m)

    d log l_i / d log omega_j = (i = j) - h_ij a_i'a_j / l_i^2.

What is returned is W = I - t C with a t that the tolerance allows. Its residuals are t / omega_i
times the multipliers, so that one pass has both, and it has what W = I has not: directions, and an
order of the features, those that the others predict least first.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg

from ..certificate.skew import skew_bound
from ..certificate.skew_moments import Held
from ..data import Rows
from ..linalg.lyapunov import Symmetric
from ..linalg.rounding import TINY, norm
from ..linalg.single import single
from ..linalg.types import Array
from ..model.problem import Problem
from ..model.reconstruction import Reconstruction
from ..model.valued_point import valued_point
from .iterate import Iterate
from .majorised import LARGEST_DENSE
from .spectral_start import has_spectral_start

# The part of the samples that may have long multipliers: other weights are for a few of them
# (benchmarks/regimes.py: 0.4 % of USPS, two thirds of Isolet, where no weights will do).
MOST_LONG = 0.05
# How long multipliers are that may become too long with other weights, what they are brought down
# to, and how often those that did all the same are taken in (USPS: none with 0.3, four with 0.5).
NEAR, SHORTENED = 0.3, 0.95
TRIES = 3
# Random images that the lengths are estimated from.
IMAGES = 32
# Steps of Newton's method, how far one may go in logarithms, and what is added to its diagonal.
ROUNDS, REACH, RIDGE = 10, 2.0, 1e-6
# The share of the tolerance by which the objective may exceed lam d, and the largest |I - W|.
SHARE = 0.1
FARTHEST = 0.5


@dataclass(frozen=True)
class Weighing:
    """Weights of some samples, those of all others being one, and C.

    Attributes
    ----------
    mean : ndarray of shape (n_features,)
        The weighted mean of all samples, or 0 where no offset is learned.
    C : ndarray of shape (n_features, n_features)
        lam times the inverse of the weighted scatter about it.
    """

    mean: Array
    C: Array

    @classmethod
    def of(cls, problem: Problem, rows: Array, omega: Array) -> Weighing | None:
        """Return what belongs to the weights of some rows; None where nothing does."""
        samples, changed = problem.samples, omega < 1.0
        rows, taken = rows[changed], 1.0 - omega[changed]
        total, back = samples.n_samples - float(taken.sum()), -(taken @ rows)
        mean = back / total if problem.loss.recenter else np.zeros_like(back)
        gram = samples.gram_matrix - (taken[:, None] * rows).T @ rows
        gram -= total * np.outer(mean, mean)
        C = scaled_inverse(gram, problem.lam)
        return None if C is None else cls(mean, C)

    @property
    def reconstruction(self) -> Reconstruction:
        """W = I - C with the mean."""
        return Reconstruction(Symmetric(np.eye(len(self.C)) - self.C, self.C), self.mean)

    def nearer(self, t: float) -> Weighing:
        """Return the same with t C."""
        return Weighing(self.mean, t * self.C)


def near_identity(problem: Problem, tol: float, room: float) -> Iterate | None:
    """Return the identity but for a share of the tolerance, and its bound; None if it is not best.

    Parameters
    ----------
    problem : Problem
        Without a trace term.
    tol : float
        The relative gap that is wanted.
    room : float
        What rounding may leave the sums of the multipliers off by, as a part of lam.
    """
    samples = problem.samples
    if not _is_possible(problem):
        return None
    assert isinstance(samples, Rows)
    found = Weighing.of(problem, np.zeros((0, samples.n_features)), np.zeros(0))
    if found is None:
        return None
    lengths = _rough_lengths(found, samples)
    if np.mean(lengths > 1.0) > MOST_LONG:
        return None
    near, omega = lengths > NEAR, np.ones(samples.n_samples)
    for _ in range(TRIES):
        better = _shortened(problem, samples.dense(np.flatnonzero(near)), found, omega[near])
        if better is None:
            return None
        found, omega[near] = better
        squares = found.reconstruction.squares(samples)
        longer = omega**2 * squares > 1.0 + tol
        if not longer.any():
            break
        near |= longer
    return _iterate(problem, found, omega, squares, tol, room)


def _is_possible(problem: Problem) -> bool:
    """Return whether W = I may be optimal, as far as counts and variances tell."""
    samples, lam = problem.samples, problem.lam
    n, d = samples.n_samples, samples.n_features
    if not d < n or d > LARGEST_DENSE or problem.loss.delta > 0.0:
        return False
    if not has_spectral_start(samples) or samples.is_measured or lam * d >= problem.zero.value:
        return False
    # lam is at most the sum of a feature's absolute values.
    return bool(lam**2 <= n * samples.variances.min())


def scaled_inverse(matrix: Array, scale: float) -> Array | None:
    """Return a multiple of the inverse of a matrix; None where it is not positive definite."""
    factor, failed = scipy.linalg.lapack.dpotrf(matrix, lower=1)
    if failed:
        return None
    lower, failed = scipy.linalg.lapack.dpotri(factor, lower=1, overwrite_c=1)
    if failed or not np.isfinite(lower).all():
        return None
    inverse = scale * np.tril(lower)
    return np.asarray(inverse + np.tril(inverse, -1).T)


def _rough_lengths(found: Weighing, samples: Rows) -> Array:
    """Return the lengths of the multipliers of samples whose weights are one, from random images.

    With so many of them most are right within a tenth.
    """
    signs = np.random.default_rng(0).choice([-1.0, 1.0], size=(samples.n_features, IMAGES))
    images = samples.project(found.C @ signs)
    return np.asarray(np.sqrt(np.einsum("ik,ik->i", images, images) / IMAGES))


def _shortened(
    problem: Problem, rows: Array, found: Weighing, omega: Array
) -> tuple[Weighing, Array] | None:
    """Return weights of some rows with which no multiplier of theirs is too long, if there are.

    Parameters
    ----------
    problem : Problem
        Without a trace term.
    rows : ndarray of shape (n_rows, n_features)
        The rows whose weights may be less than one.
    found : Weighing
        What belongs to their first weights.
    omega : ndarray of shape (n_rows,)
        These weights.
    """
    logs = np.log(omega)
    # To find the weights single precision is enough.
    held, x = single(rows)
    for _ in range(ROUNDS):
        C, c = single(found.C)
        centred = held - (found.mean / x).astype(np.float32)
        A, unit = centred @ C, x * c
        squares = (unit * omega) ** 2 * np.einsum("ij,ij->i", A, A)
        if squares.max(initial=0.0) <= 1.0:
            return found, omega
        active = (logs < 0.0) | (squares > SHORTENED**2)
        lengths = np.maximum(squares[active], TINY)
        part = omega[active, None].astype(np.float32) * A[active]
        inner = part @ part.T
        inner *= part @ centred[active].T
        slopes = (-(unit**2) * (unit * x / problem.lam) / lengths)[:, None] * inner
        slopes[np.diag_indices_from(slopes)] += 1.0 + RIDGE
        wanted = np.log(SHORTENED) - 0.5 * np.log(lengths)
        step, failed = scipy.linalg.lapack.dgesv(slopes, wanted)[2:]
        if failed or not np.isfinite(step).all():
            return None
        logs[active] = np.minimum(logs[active] + np.clip(step, -REACH, REACH), 0.0)
        omega = np.exp(logs)
        moved = Weighing.of(problem, rows, omega)
        if moved is None:
            return None
        found = moved
    return None


def _iterate(
    problem: Problem, found: Weighing, omega: Array, squares: Array, tol: float, room: float
) -> Iterate:
    """Return the point next to W = I, and the bound of the multipliers.

    Parameters
    ----------
    problem : Problem
        Without a trace term.
    found : Weighing
        C and the mean.
    omega, squares : ndarray of shape (n_samples,)
        Weights of the samples, and |C (x_i - m)|^2.
    tol, room : float
        As for `near_identity`.
    """
    samples = problem.samples
    value = problem.lam * samples.n_features
    t = min(SHARE * tol * value / float(np.sqrt(squares).sum()), FARTHEST / norm(found.C))
    squares, reconstruction = t**2 * squares, found.nearer(t).reconstruction
    point = valued_point(problem, reconstruction, reconstruction.W.root(), squares)
    bound = skew_bound(
        problem,
        reconstruction,
        omega / t,
        np.full(samples.n_features, float(problem.lam)),
        low_rank=False,
        enough=(1.0 - tol) * point.value,
        squares=squares,
        room=room,
        held=Held(samples.gram_matrix, 1.0 / t),
    )
    return Iterate(point, bound.value)
