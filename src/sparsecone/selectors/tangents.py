"""A ceiling from weights of the features: what is explained lies below its tangents.

With a ridge rho the features C explain `E(C) = tr G H`, where G = X X' has the eigenvalues s and
H = M (M + rho I)^-1 with M = X_C X_C'. For every rank price nu >= 0 and price mu >= 0

    E(C) <= the sum of nu v_j / (v_j + rho) + mu e_j over C + F(C) + the sum of p(s) outside ,

with the variances v_j and what they have outside of some leading directions, e_j. The first term
pays for the trace of H, so that a direction is worth only `(s - nu)+`. F is what C explains of that
in the leading directions; the others gain at most p(s) (`profits`). F is concave in weights z >= 0
of the features, `Z diag(z) Z'` for M in these directions: any z gives a tangent, which bounds all
numbers of features at once. The documentation has the proof (Mathematics).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..data import Data, most_vectors
from ..linalg.types import Array
from .gains import ridge_of

# Weights are clipped at 1 and scaled to the size so often.
CLIPS = 3
# Weights are multiplied by this power of the slopes: longer steps than those that never overshoot.
STRIDE = 1.5
# Without features to begin with the search begins with so many times as many steps.
COLD = 3
# Weights beside the largest one from which on features are weighed, and the mean that those with
# the largest slopes get in addition: more where few features had a weight to begin with.
LEAST_WEIGHT, FRESH, FRESH_AMONG_FEW = 1e-4, 0.1, 0.3
# The part of the rank price that it falls to at most, before a geometric mean with the last one.
SLOWEST = 1 / 4


class Effort(NamedTuple):
    """How hard good weights are sought.

    Attributes
    ----------
    leading : int
        Directions in which features are weighed together.
    least : float
        The smallest number of features that weights are sought for, as a part of the largest.
    sizes : int
        How many numbers of features weights are sought for.
    steps : int
        Steps for each of them.
    spacing : int
        Every how many-th price is tried.
    """

    leading: int
    least: float
    sizes: int
    steps: int
    spacing: int = 1


class Features(NamedTuple):
    """What is known of some features.

    Attributes
    ----------
    inside : ndarray of shape (n_leading, n_features)
        Their coordinates in the leading directions, Z.
    outside : ndarray of shape (n_features,)
        What their variances have outside of these.
    ranks : ndarray of shape (n_features,)
        What each adds at most to the trace of H.
    """

    inside: Array
    outside: Array
    ranks: Array

    def among(self, kept: Array) -> Features:
        """Return some of the features."""
        return Features(self.inside[:, kept], self.outside[kept], self.ranks[kept])


class Tangent(NamedTuple):
    """A bound on what any features explain: a constant and a slope for each of them.

    Attributes
    ----------
    constant : float
        The bound for no features.
    root : ndarray of shape (n_worth, n_leading)
        T with the slope |T z_j|^2 of a feature in the leading directions.
    price, rank_price : float
        What is paid for variance outside of these, and for the trace of H.
    """

    constant: float
    root: Array
    price: float
    rank_price: float

    def slopes(self, features: Features) -> Array:
        """Return what each feature adds at most, never negative."""
        Z, outside, ranks = features
        images = self.root @ Z
        slopes = np.einsum("ij,ij->j", images, images)
        slopes += self.price * outside
        slopes += self.rank_price * ranks
        return np.asarray(slopes)


def profits(values: Array, worth: Array, ridge: float, prices: Array) -> Array:
    """Return the most of `w m / (m + rho) - mu m` over 0 <= m <= s, a row for each price mu.

    The eigenvalues s have the worths w.
    """
    bought = _bought(values, worth, ridge, prices)
    return np.asarray(worth * bought / (bought + ridge) - prices[:, None] * bought)


def _bought(values: Array, worth: Array, ridge: float, prices: Array) -> Array:
    """Return the m at which profits are largest; worths are positive."""
    root = np.sqrt(np.divide(ridge, prices, out=np.full_like(prices, np.inf), where=prices > 0.0))
    return np.asarray(np.clip(np.outer(root, np.sqrt(worth)) - ridge, 0.0, values))


class Tangents:
    """Tangents of what weighted features explain, at their best prices.

    Parameters
    ----------
    data : Data
        The centred data.
    values : ndarray
        Upper bounds of all eigenvalues of G that are not zero, the largest first.
    prices : ndarray
        Prices mu that are tried.
    leading : int
        Directions in which features are weighed together.
    """

    def __init__(self, data: Data, values: Array, prices: Array, leading: int) -> None:
        few = max(min(leading, most_vectors(data)), 1)
        spectrum, variances = data.leading(0.0, most=few), np.asarray(data.variances)
        self.ridge, self.prices, self.values = ridge_of(data), prices, values
        # S is within the error of a matrix with these pairs: its other eigenvalues may be larger.
        self.error = spectrum.error
        self.inside, self.outer = spectrum.values, values[spectrum.values.size :] + self.error
        Z = np.sqrt(self.inside)[:, None] * spectrum.vectors.T
        outside = np.maximum(variances - np.einsum("ij,ij->j", Z, Z), 0.0)
        self.features = Features(Z, outside, variances / (variances + self.ridge))
        self._set_rank_price(0.0)

    def _set_rank_price(self, price: float) -> None:
        self.rank_price = price
        self.open = self.outer[: np.count_nonzero(self.outer > price)]
        self.profits = profits(self.open, self.open - price, self.ridge, self.prices).sum(axis=1)

    def at(self, features: Features, z: Array) -> Tangent:
        """Return the tangent at weights of some features, all others without.

        The prices follow the weights: several steps find those that fit together.
        """
        Z, outside, ranks = features
        scatter = (Z * z) @ Z.T
        ridged = scatter.copy()
        ridged.flat[:: len(Z) + 1] += self.ridge
        inverse = np.linalg.inv(ridged)
        explained, room = 1.0 - self.ridge * np.diag(inverse), float(outside @ z)
        self._follow(explained, room, float(ranks @ z))
        best = self._best(room)
        # The eigenvalues fall: the directions that are worth anything come first.
        worth = self.inside[: np.count_nonzero(self.inside > self.rank_price)] - self.rank_price
        root = np.sqrt(self.ridge * worth)[:, None] * inverse[: worth.size]
        constant = float(worth @ explained[: worth.size] - np.vdot(root @ scatter, root))
        constant += float(self.profits[best])
        return Tangent(constant, root, float(self.prices[best]), self.rank_price)

    def _best(self, room: float) -> int:
        """Return the place of the best price for what the weighted features have outside."""
        return int(np.argmin(self.profits + self.prices * room))

    def _follow(self, explained: Array, room: float, ranks: float) -> None:
        """Let the rank price follow: the directions that are worth more have all of the ranks."""
        price = self.prices[[self._best(room)]]
        bought = _bought(self.open, self.open - self.rank_price, self.ridge, price)[0]
        used = np.cumsum(np.concatenate([explained, bought / (bought + self.ridge)]))
        place = int(np.searchsorted(used, ranks))
        target = float(self.values[place]) if place < used.size else 0.0
        if self.rank_price > 0.0:
            target = float(np.sqrt(self.rank_price * max(target, SLOWEST * self.rank_price)))
        if target != self.rank_price:
            self._set_rank_price(target)


def by_weights(
    data: Data,
    values: Array,
    prices: Array,
    count: int,
    effort: Effort,
    first: Array | None = None,
) -> Array:
    """Return the most that 1 to `count` features explain by tangents, in the units of S.

    Weights are multiplied by powers of their slopes, from the largest number of features down: what
    is of no use among many is of none among fewer. They begin with features that explain much, with
    less for those of large variances, or with the variances of all. Only features with a weight
    take part, and all of them once for each number, which gives a bound.
    """
    tangents = Tangents(data, values, prices[:: effort.spacing], effort.leading)
    best, z = np.full(count, np.inf), np.asarray(data.variances)
    steps, fresh = COLD * effort.steps, FRESH
    if first is not None:
        steps, fresh = effort.steps, FRESH_AMONG_FEW
        # Whatever they are, features with large variances have a slope.
        large, z = _largest(z, count), np.zeros_like(z)
        z[large], z[first] = fresh, 1.0
    sizes = np.geomspace(max(effort.least * count, 1.0), count, effort.sizes).round()
    for size in np.unique(sizes)[::-1]:
        z = _scaled(z, float(size))
        kept = np.flatnonzero(z > LEAST_WEIGHT * z.max())
        some, weights = tangents.features.among(kept), z[kept]
        for _ in range(steps if size == count else effort.steps):
            slopes = tangents.at(some, weights).slopes(some)
            weights = _scaled(weights * (slopes / slopes.max()) ** STRIDE, float(size))
        tangent = tangents.at(some, weights)
        slopes = tangent.slopes(tangents.features)
        top = _largest(slopes, count)
        most = tangent.constant + np.cumsum(tangents.error - np.sort(-slopes[top]))
        best = np.minimum(best, most)
        z = np.zeros_like(z)
        z[kept] = weights * (slopes[kept] / slopes.max()) ** STRIDE
        z *= size / z.sum()
        # Features without weight that would add most come back.
        z[top] += fresh * size / count
    return best


def _largest(slopes: Array, count: int) -> Array:
    """Return the places of so many largest slopes, in no order."""
    return np.argpartition(-slopes, count - 1)[:count]


def _scaled(z: Array, size: float) -> Array:
    """Return weights of at most 1 whose sum is about a size."""
    for _ in range(CLIPS):
        z = np.minimum(z * (size / z.sum()), 1.0)
    return z
