"""How much any h features could explain: a ceiling that no selection passes.

With a ridge rho the features C explain `E(C) = tr G M (M + rho I)^-1`, with G = X X' and
M = X_C X_C'. Two bounds hold for every C of h features; the documentation has the proofs
(Mathematics). Both pay for what M has of a direction with eigenvalue s of G, at most s: at a price
mu it gains at most

    p(s) = the largest of  s m / (m + rho) - mu m  for 0 <= m <= s .

- By the spectrum: `E(C) <= p(s_1) + ... + p(s_h) + mu T_h`, because M has at most h directions and
  its trace is at most T_h, the sum of the h largest variances. Without a price this is the sum of
  the h largest `s^2 / (s + rho)`.
- By weights z >= 0 of the features: in some leading directions, where the samples are Z, what is
  explained is concave in z (`Z diag(z) Z'` for M), so that it is at most
  `E(z) - g'z + the sum of g_j over C` with its gradient g. All other directions together gain at
  most the sum of their p(s), and mu times what the features of C have outside of the leading ones.

One price, or one z, bounds all numbers of features at once. The first is the smaller one where
there are more samples than features. Both hold with 1e-9 of the variance for rounding.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.linalg

from ..data import Data, Remembers, is_decomposed, most_vectors
from ..linalg.eigen import randomised_largest
from ..linalg.threads import one_thread
from ..linalg.types import Array
from .gains import ridge_of
from .sides import COMPONENTS

# Prices that are tried.
N_PRICES = 100
# Weights are clipped at 1 and scaled to the size so often.
CLIPS = 3
# Steps of Lanczos' method for the eigenvalues outside of the leading components.
OUTER_STEPS = 60
ROUNDING = 1e-9


class Effort(NamedTuple):
    """How hard good weights are sought.

    Attributes
    ----------
    leading : int
        Directions in which features are weighed together.
    steps : int
        Steps for each number of features that weights are sought for.
    """

    leading: int
    steps: int


# What a fit spends beside its solution, and what is worth it where a ceiling is asked for.
QUICK, THOROUGH = Effort(12, 2), Effort(100, 8)
# Weights are sought for these parts of the number of features.
PARTS = (16, 4, 1)


@one_thread()
def ceiling(data: Data, count: int, effort: Effort = THOROUGH) -> Array:
    """Return the most that 1 to `count` features can explain, as shares of the total variance.

    It is proven where a side of the data has at most 4000 entries; beyond that it holds with a
    probability of at least 1 - 1e-12.
    """
    if data.trace == 0.0:
        return np.ones(count)
    ridge, values = ridge_of(data), _eigenvalues(data)
    high = values[0] / ridge
    prices = np.r_[0.0, np.geomspace(high / (1.0 + high) ** 2, high, N_PRICES)]
    most = _by_spectrum(data, values, ridge, prices, count)
    if data.n_samples <= data.n_features and is_decomposed(data) and not data.is_measured:
        most = np.minimum(most, _by_weights(data, values, prices, count, effort))
    return np.minimum(most / data.trace + ROUNDING, 1.0)


def _profits(values: Array, ridge: float, prices: Array) -> Array:
    """Return p(s) at every price, a row each."""
    root = np.sqrt(np.divide(ridge, prices, out=np.full_like(prices, np.inf), where=prices > 0.0))
    bought = np.clip(np.outer(root, np.sqrt(values)) - ridge, 0.0, values)
    return np.asarray(values * bought / (bought + ridge) - prices[:, None] * bought)


def _by_spectrum(data: Data, values: Array, ridge: float, prices: Array, count: int) -> Array:
    """Return the bounds from the eigenvalues and the largest variances."""
    profits = np.cumsum(_profits(values[:count], ridge, prices), axis=1)
    variances = np.sort(np.asarray(data.variances))[::-1][:count]
    error = data.gram_error + data.matrix_error
    at = np.minimum(np.arange(count), profits.shape[1] - 1)
    return np.asarray((profits[:, at] + np.outer(prices, np.cumsum(variances + error))).min(axis=0))


def _by_weights(data: Data, values: Array, prices: Array, count: int, effort: Effort) -> Array:
    """Return the best bounds from weights of the features, multiplied by their gradients."""
    ridge, few = ridge_of(data), max(min(effort.leading, most_vectors(data)), 1)
    spectrum = data.leading(0.0, most=few)
    inside, Z = spectrum.values, np.sqrt(spectrum.values)[:, None] * spectrum.vectors.T
    outside = np.maximum(data.variances - np.einsum("ij,ij->j", Z, Z), 0.0)
    profits = _profits(values[inside.size :], ridge, prices).sum(axis=1)
    best = np.full(count, np.inf)
    z = share = np.asarray(data.variances) / data.trace
    for size in sorted({max(count // part, 1) for part in PARTS}):
        # Weights that have all but vanished for fewer features come back.
        z = z / z.sum() + share
        for _ in range(effort.steps):
            z = _scaled(z, size)
            inverse = scipy.linalg.inv((Z * z) @ Z.T + ridge * np.eye(inside.size))
            gradient = ridge * np.einsum("ij,ij->j", Z, ((inverse * inside) @ inverse) @ Z)
            value = float(inside @ (1.0 - ridge * np.diag(inverse)) - gradient @ z)
            bought = int(np.argmin(profits + prices * float(outside @ z)))
            gradient += prices[bought] * outside
            largest = -np.sort(np.partition(-gradient, count - 1)[:count])
            best = np.minimum(best, value + profits[bought] + np.cumsum(largest))
            z = z * gradient
    return best


def _scaled(z: Array, size: int) -> Array:
    """Return weights of at most 1 whose sum is about a size."""
    for _ in range(CLIPS):
        z = np.minimum(z * (size / z.sum()), 1.0)
    return z


def _eigenvalues(data: Data) -> Array:
    """Return upper bounds of the eigenvalues of S, the largest first."""
    n, d = data.n_samples, data.n_features
    if is_decomposed(data):
        assert isinstance(data, Remembers)
        found, error = data.eigenvalues()
        return np.asarray(found + error + data.matrix_error)
    spectrum = data.leading(0.0, most=min(COMPONENTS, n, d))
    found, V = spectrum.values, spectrum.vectors
    residual = data.gram_product(V) - V * found
    # S is within the residual of a matrix with these pairs, and what is outside of them.
    error = float(np.sqrt(np.linalg.norm(residual.T @ residual, 2))) + data.gram_error
    outer = _outside(data, V, data.trace - float(found.sum()))
    bounds = np.full(max(n, d), outer)
    bounds[: found.size] = np.maximum(found, outer)
    return bounds + error + data.matrix_error


def _outside(data: Data, V: Array, rest: float) -> float:
    """Return a bound on the eigenvalues of S outside of V, given their sum."""
    if not data.in_memory:
        return rest

    def product(vector: Array) -> Array:
        inside = vector - V @ (V.T @ vector)
        image = data.gram_product(inside[:, None])[:, 0]
        return np.asarray(image - V @ (V.T @ image))

    return min(rest, randomised_largest(product, data.n_features, np.inf, OUTER_STEPS).bound)
