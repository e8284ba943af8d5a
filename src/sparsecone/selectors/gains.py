"""What a feature adds to the variance that the chosen ones explain, for many features at once.

With a ridge rho the chosen features C explain `tr S_:C (S_CC + rho I)^-1 S_C:` of the variance of
all. What they leave is `R = S - S_:C (S_CC + rho I)^-1 S_C:`, and a further feature j explains

    q_j / (rho + R_jj),   q_j = |R_:j|^2 ,

of these samples. A feature that is independent of the others still has q_j - R_jj^2 > 0: its mean
is R_jj (tr R - R_jj) / m with m = n - 1, and its standard deviation R_jj sqrt(2 tr R^2) / m. That
mean is taken off, because other samples do not share it: where there are few samples it is most of
what any feature seems to explain.
"""

from __future__ import annotations

import math

import numpy as np

from ..data import Data
from ..linalg.types import Array

# The ridge as a part of the mean eigenvalue of S: among 1e-6 to 1 the best in the mean for the
# variance of unseen samples (benchmarks/selection.py).
RIDGE = 0.03
# Correlation with a chosen feature from which on another one repeats it.
SAME = 0.95
# Standard deviations by which what is shared exceeds chance.
SIGMAS = 3.0
# Features chosen one by one.
LEAST_CHOSEN, MOST_CHOSEN = 200, 500


def n_steps(data: Data) -> int:
    """Return how many features are chosen one by one: n - 1 explain n samples, at least 200."""
    enough = max(data.n_samples - 1, LEAST_CHOSEN)
    return min(data.n_features, enough, MOST_CHOSEN)


def ridge_of(data: Data) -> float:
    """Return the ridge of all regressions on selected features, in the units of S."""
    return RIDGE * data.trace / max(min(data.n_samples - 1, data.n_features), 1)


class Gains:
    """Gains of some features, given the chosen ones.

    Parameters
    ----------
    variances : ndarray of shape (n_features,)
        Their variances.
    own : ndarray of shape (n_features,)
        Variance of each that is missing in what stands for S: noise of its own.
    squares : ndarray of shape (n_features,)
        Squared norms of the columns of S, or of what stands for it.
    ridge : float
        The ridge.
    n_samples : int
        Number of samples.

    Attributes
    ----------
    left : ndarray of shape (n_features,)
        Variance of each feature that is not explained yet, the diagonal of R, without its own.
    chosen : ndarray of bool of shape (n_features,)
        The chosen features.
    closest : ndarray of shape (n_features,)
        The largest squared correlation of each feature with a chosen one.
    total, total_squares : float
        tr R and tr R^2, of all features there are.
    """

    def __init__(
        self, variances: Array, own: Array, squares: Array, ridge: float, n_samples: int
    ) -> None:
        self.variances, self.own, self.squares = variances, own, squares
        self.ridge, self.n_samples, self.has_own = ridge, n_samples, bool(own.any())
        self.inverse = np.divide(1.0, variances, out=np.zeros_like(variances), where=variances > 0)
        self.left = variances - own
        self.chosen = np.zeros(variances.size, dtype=bool)
        self.closest = np.zeros(variances.size)
        self.look()

    def look(self) -> None:
        """Sum up what is left of all features."""
        self.total = float(self.left.sum()) + float(self.own.sum())
        self.total_squares = float(self.squares.sum())

    @property
    def shares(self) -> Array:
        """The share of its variance that is left of each feature that is not chosen."""
        shares = (self.left + self.own) * self.inverse
        shares[self.chosen] = 0.0
        return shares

    def follow(self, part: slice, columns: Array, found: Array, changes: Array) -> None:
        """Let some features follow choices, a row each, all at once.

        Parameters
        ----------
        part : slice
            The features.
        columns : ndarray of shape (n_choices, n_followers)
            Columns of S over the roots of the variances of the chosen features; used up.
        found : ndarray of shape (n_choices, n_followers)
            V with R - V'V in the place of R.
        changes : ndarray of shape (n_choices, n_followers)
            2 V R - V V'V.
        """
        columns *= columns
        closest, left = self.closest[part], self.left[part]
        np.maximum(closest, columns.max(axis=0) * self.inverse[part], out=closest)
        self.squares[part] -= np.einsum("ij,ij->j", found, changes)
        left -= np.einsum("ij,ij->j", found, found)
        np.maximum(left, 0.0, out=left)

    def gains(self) -> Array:
        """Return what each feature would add in other samples, itself included.

        Nothing where it is chosen or does not vary.
        """
        return self._worth(1.0 / max(self.n_samples - 1, 1), self.chance(0.0))

    def shared(self) -> Array:
        """Return what each feature would add to other features for certain.

        Three standard deviations of chance are taken off; tr R^2 is the sum of all q_j.
        """
        return self._worth(1.0 / max(self.n_samples - 1, 1) - 1.0, self.chance())

    def chance(self, sigmas: float = SIGMAS) -> float:
        """Return what chance would add, beside the variance of a feature, so far above its mean.

        The gain of a feature grows by no more than this falls.
        """
        spread = sigmas * math.sqrt(2.0 * max(self.total_squares, 0.0))
        return (self.total + spread) / max(self.n_samples - 1, 1)

    def _worth(self, slope: float, chance: float) -> Array:
        """Return `(q + l (slope l - chance)) / (rho + l)`, with l all that is left of a feature."""
        left = self.left + self.own
        told = slope * left
        told -= chance
        told *= left
        told += self.squares
        if self.has_own:
            # The square of its own noise is no part of q.
            told += self.own * (2.0 * left - self.own)
        left += self.ridge
        told /= left
        np.maximum(told, 0.0, out=told)
        told[self.chosen] = 0.0
        return told

    @property
    def repeats(self) -> Array:
        """Features that add nothing to the chosen ones.

        They are constant, or correlated by more than 0.95 with a chosen one, or explained so well
        by all of them together, beside the feature that is explained least.
        """
        return self.repeating(self.shares)

    def repeating(self, shares: Array) -> Array:
        """Return `repeats`, given the shares."""
        return (shares <= (1.0 - SAME**2) * float(shares.max())) | (self.closest > SAME**2)
