"""What a feature adds to the variance that the chosen ones explain, for all features at once.

With a ridge rho the chosen features C explain `tr S_:C (S_CC + rho I)^-1 S_C:` of the variance of
all. What they leave is `R = S - S_:C (S_CC + rho I)^-1 S_C:`, and a further feature j explains

    q_j / (rho + R_jj),   q_j = |R_:j|^2 ,

of these samples. A feature that is independent of the others still has q_j - R_jj^2 > 0: its mean
is R_jj (tr R - R_jj) / m with m = n - 1, and its standard deviation R_jj sqrt(2 tr R^2) / m. That
mean is taken off, because other samples do not share it: where there are few samples it is most of
what any feature seems to explain.

Choosing j, with u = R_:j and s = rho + u_j, turns R into R - u u' / s, so that q_i falls by
`2 u_i (R u)_i / s - u_i^2 |u|^2 / s^2`: a choice takes R u, and no d x d matrix is changed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from scipy.linalg.blas import dsymv

from ..data import LARGEST_GRAM, Data, Rows
from ..data.products import TILE
from ..linalg.types import Array
from .by_columns import ByColumns

# The ridge as a part of the mean eigenvalue of S: among 1e-6 to 1 the best in the mean for the
# variance of unseen samples (benchmarks/selection.py).
RIDGE = 0.03
# Samples up to which their inner products are formed, and components that stand for more of them.
MOST_SAMPLES = 1100
COMPONENTS = 100
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


def inner_squares(rows: Rows, inner: Array) -> Array:
    """Return x_j' inner x_j of every column, some columns at a time, never all."""
    width = max(1, min(TILE // rows.n_samples, (rows.n_features + 1) // 2))
    squares = np.empty(rows.n_features)
    for start in range(0, rows.n_features, width):
        part = slice(start, start + width)
        columns = rows.columns(part)
        squares[part] = np.einsum("ij,ij->j", columns, inner @ columns)
    return squares


class Gains(ABC):
    """Gains of all features, given the chosen ones.

    Parameters
    ----------
    data : Data
        The centred data.
    squares : ndarray of shape (n_features,)
        Squared norms of the columns of S, or of what stands for it.
    own : ndarray of shape (n_features,) or float
        Variance of each feature that is missing in what stands for S: noise of its own.

    Attributes
    ----------
    left : ndarray of shape (n_features,)
        Variance of each feature that is not explained yet, the diagonal of R, without its own.
    chosen : ndarray of bool of shape (n_features,)
        The chosen features.
    closest : ndarray of shape (n_features,)
        The largest squared correlation of each feature with a chosen one.
    """

    def __init__(self, data: Data, squares: Array, own: Array | float = 0.0) -> None:
        self.variances = np.asarray(data.variances)
        self.own = np.broadcast_to(np.asarray(own, dtype=np.float64), self.variances.shape)
        self.ridge, self.n_samples = ridge_of(data), data.n_samples
        self.left = self.variances - self.own
        self.squares = squares
        self.chosen = np.zeros(data.n_features, dtype=bool)
        self.closest = np.zeros(data.n_features)

    @abstractmethod
    def _columns(self, feature: int) -> tuple[Array, Array, Array]:
        """Return S_:j, u = R_:j and R u."""

    @abstractmethod
    def _deflate(self, size: float) -> None:
        """Replace R by R - u u' / size."""

    def gains(self) -> Array:
        """Return what each feature would add in other samples, itself included.

        Nothing where it is chosen or does not vary.
        """
        return self._worth(self._of_others() + (self.left + self.own) ** 2)

    def shared(self) -> Array:
        """Return what each feature would add to other features for certain.

        Three standard deviations of chance are taken off; tr R^2 is the sum of all q_j.
        """
        total = float(np.sqrt(2.0 * max(float(self.squares.sum()), 0.0)))
        return self._worth(self._of_others(SIGMAS * total))

    def _of_others(self, spread: float = 0.0) -> Array:
        """Return q_j - R_jj^2 less what chance would give."""
        own = self.left + self.own
        chance = own * (float(own.sum()) - own + spread) / max(self.n_samples - 1, 1)
        return np.asarray(self.squares - self.left**2 - chance)

    def _worth(self, told: Array) -> Array:
        sizes = self.ridge + self.own + self.left
        able = (self.variances > 0.0) & (sizes > 0.0) & ~self.chosen
        return np.maximum(_ratio(told, sizes, able), 0.0)

    @property
    def repeats(self) -> Array:
        """Features that add nothing to the chosen ones.

        They are constant, or correlated by more than 0.95 with a chosen one, or explained so well
        by all of them together, beside the feature that is explained least.
        """
        varies = self.variances > 0.0
        shares = _ratio(self.left + self.own, self.variances, varies & ~self.chosen)
        least = (1.0 - SAME**2) * float(shares.max(initial=0.0))
        return ~varies | (self.closest > SAME**2) | (shares <= least)

    def choose(self, feature: int) -> None:
        """Add a feature to the chosen ones."""
        column, u, image = self._columns(feature)
        size = float(u[feature]) + self.ridge + float(self.own[feature])
        self.chosen[feature] = True
        if size == 0.0:
            return
        self.squares += u**2 * (float(u @ u) / size**2) - 2.0 * u * image / size
        self.left = np.maximum(self.left - u**2 / size, 0.0)
        self._deflate(size)
        norms = self.variances * self.variances[feature]
        self.closest = np.maximum(self.closest, _ratio(column**2, norms, norms > 0.0))


class FeatureSide(Gains):
    """Gains from the d x d matrix S; a choice costs a product with it."""

    def __init__(self, data: Data) -> None:
        self.gram = data.gram_matrix
        super().__init__(data, np.einsum("ij,ij->j", self.gram, self.gram))
        # R = S - sum of u_i u_i', the rows of U.
        self._roots = np.empty((n_steps(data), data.n_features))
        self._count, self._u = 0, np.empty(0)

    def _columns(self, feature: int) -> tuple[Array, Array, Array]:
        column, U = self.gram[:, feature], self._roots[: self._count]
        self._u = u = column - U[:, feature] @ U
        return column, u, dsymv(1.0, self.gram.T, u, lower=1) - (U @ u) @ U

    def _deflate(self, size: float) -> None:
        self._roots[self._count] = self._u / np.sqrt(size)
        self._count += 1


class SampleSide(Gains):
    """Gains from few rows Z, Z'Z = S: with M = rho (Z_C Z_C' + rho I)^-1, R = Z'M Z.

    A choice costs one product with Z'. Leading components may stand for many samples.
    """

    def __init__(self, data: Data, rows: Rows, own: Array | float = 0.0) -> None:
        self.samples, self.inner = ByColumns(rows), rows.sample_gram_matrix[0]
        super().__init__(data, inner_squares(rows, self.inner), own)
        self.map = np.eye(rows.n_samples)
        self._a = np.empty(0)

    def _columns(self, feature: int) -> tuple[Array, Array, Array]:
        x = self.samples.column(feature)
        self._a = self.map @ x
        image = self.map @ (self.inner @ self._a)
        found = self.samples.backproject(np.column_stack([x, self._a, image]))
        return found[:, 0], found[:, 1], found[:, 2]

    def _deflate(self, size: float) -> None:
        self.map -= np.outer(self._a, self._a / size)


def gains_of(data: Data) -> Gains:
    """Return the gains from whatever is smallest: S, the samples, or 100 leading components."""
    n, d = data.n_samples, data.n_features
    if isinstance(data, Rows) and n <= min(d, MOST_SAMPLES):
        return SampleSide(data, data)
    if d <= min(n, LARGEST_GRAM) or (d <= MOST_SAMPLES and not isinstance(data, Rows)):
        return FeatureSide(data)
    spectrum = data.leading(0.0, most=min(COMPONENTS, d, n))
    components = np.sqrt(np.maximum(spectrum.values, 0.0))[:, None] * spectrum.vectors.T
    rows = Rows(components, data.mean, None, scale=data.scale)
    return SampleSide(data, rows, np.maximum(data.variances - rows.variances, 0.0))


def _ratio(above: Array, below: Array, where: Array) -> Array:
    """Return the ratio, 0 elsewhere."""
    return np.asarray(np.divide(above, below, out=np.zeros_like(above), where=where))
