"""The equation of a step of majorise-minimise, from moments of the samples or from themselves."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np

from ..data import Data, Rows, Terms
from ..linalg.anderson import mixed
from ..linalg.lyapunov import n_shifts, solved, solved_in_span
from ..linalg.types import Array
from ..model.losses import Robust
from ..model.problem import Problem
from ..model.reconstruction import Reconstruction

# Features for each sample from which on a subspace is smaller than all of W.
WIDE = 8
# The largest W that is a matrix, and the most samples that a subspace may have otherwise.
LARGEST_DENSE = 2500
MOST_SAMPLES = 500
# Residuals of sparse samples are dense: that many entries may be held.
LARGEST_RESIDUALS = 2e7


# The shares of the tolerance that smoothing of residuals and of scores may cost.
RESIDUAL_SHARE = 1.0
SCORE_SHARE = 0.1


def smoothing_for(problem: Problem, lost: float) -> tuple[Robust, float]:
    """Return the loss as smoothed, and what is added to squared scores, for what that may cost."""
    assert isinstance(problem.loss, Robust)
    n, d = problem.samples.n_samples, problem.samples.n_features
    loss = problem.loss.softened((RESIDUAL_SHARE * lost / n) ** 2)
    return loss, float(min(SCORE_SHARE * lost / (problem.lam * d), 1e50)) ** 2


class Solved(NamedTuple):
    """The W of a step with its mean, and the weights of the samples it was found for."""

    reconstruction: Reconstruction
    weights: Any


class Equation(Protocol):
    """Solves for the next W."""

    low_rank: bool

    def solve(self, weights: Any, mixture: Array | None, D: Array, error: float) -> Solved:
        """Return the solution for weights of samples and features.

        Parameters
        ----------
        weights : array or what `Data.collect` keeps of it
            The weights of the samples, or the history that they are a mixture of.
        mixture : ndarray or None
            The mixture, if any.
        D : ndarray of shape (n_features,)
            The weights of the features.
        error : float
            The square of how far the equation may be off, as a part of D.
        """
        ...

    def cost(self, D: Array, error: float) -> float:
        """Return what that costs, up to a factor that is the same for all weights."""
        ...


def equation_for(problem: Problem) -> Equation:
    """Return the equation for a problem, by its shape."""
    return InSpan(problem) if _is_wide(problem.samples) else Dense(problem)


def is_solvable(problem: Problem) -> bool:
    """Return whether a problem has such an equation, of a size that can be solved."""
    samples = problem.samples
    if problem.eta > 0.0 or problem.lam == 0.0 or not problem.loss.needs_rows:
        return False
    fits = samples.n_features <= LARGEST_DENSE or _is_wide(samples)
    return fits and samples.trace > 0.0


def _is_wide(samples: Data) -> bool:
    n, d = samples.n_samples, samples.n_features
    if not isinstance(samples, Rows) or n * d > LARGEST_RESIDUALS or n > MOST_SAMPLES:
        return False
    return WIDE * n <= d


class Dense:
    """W as a matrix, from the weighted moments of the samples in one pass."""

    low_rank = False

    def __init__(self, problem: Problem) -> None:
        self.samples, self.recenter = problem.samples, problem.loss.recenter

    def solve(self, weights: Any, mixture: Array | None, D: Array, error: float) -> Solved:
        """Return the solution, exact but for rounding."""
        del error
        found = self.samples.collect(partial(moment_terms, mixture=mixture), weights)
        gram, back, total = found.sums
        mean = back / total if self.recenter else np.zeros_like(back)
        gram -= total * np.outer(mean, mean)
        return Solved(Reconstruction(solved(gram, D), mean), found.rowwise[0])

    def cost(self, D: Array, error: float) -> float:
        """Return one: all steps cost the same."""
        del D, error
        return 1.0


class InSpan:
    """W in a subspace, for fewer samples than features."""

    low_rank = True

    def __init__(self, problem: Problem) -> None:
        assert isinstance(problem.samples, Rows)
        self.X, self.recenter = problem.samples.centred_rows(), problem.loss.recenter

    def solve(self, weights: Array, mixture: Array | None, D: Array, error: float) -> Solved:
        """Return the solution up to the error."""
        omega = weights if mixture is None else mixed(weights, mixture)
        mean = omega @ self.X / omega.sum() if self.recenter else np.zeros(self.X.shape[1])
        Y = (np.sqrt(omega)[:, None] * (self.X - mean)).T
        return Solved(Reconstruction(solved_in_span(Y, D, error), mean), omega)

    def cost(self, D: Array, error: float) -> float:
        """Return the square of the size of the subspace, in multiples of the samples."""
        return float(1 + n_shifts(D, error)) ** 2


def moment_terms(rows: Rows, weights: Array, *, mixture: Array | None) -> Terms:
    """Return X' diag(omega) X, X' omega and the sum of omega of a block, with its omega."""
    omega = weights if mixture is None else mixed(weights, mixture)
    back = rows.backproject(omega[:, None])[:, 0]
    return Terms((rows.weighted_gram(omega), back, float(omega.sum())), rowwise=(omega,))
