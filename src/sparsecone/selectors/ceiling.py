"""How much any h features could explain: a ceiling that no selection passes.

With a ridge rho the features C explain `E(C) = tr G M (M + rho I)^-1`, with G = X X' and
M = X_C X_C'. Two bounds hold for every C of h features; the documentation has the proofs
(Mathematics).

- By the spectrum: M has at most h directions, has at most the eigenvalue s of G of each, and its
  trace is at most T_h, the sum of the h largest variances. At a price mu of variance a direction
  gains at most p(s), the largest of `s m / (m + rho) - mu m` for 0 <= m <= s, so that
  `E(C) <= p(s_1) + ... + p(s_h) + mu T_h`. Without a price this is the sum of the h largest
  `s^2 / (s + rho)`.
- By weights of the features (`tangents`), which also knows how features point the same way. On
  data with more samples than features it is the smaller one only with many directions.

One price, or one tangent, bounds all numbers of features at once. Both hold with 1e-9 of the
variance for rounding.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..data import Data, Eigenvalues, Remembers, is_decomposed
from ..linalg.eigen import randomised_largest
from ..linalg.threads import one_thread
from ..linalg.types import Array
from .gains import ridge_of
from .sides import COMPONENTS
from .tangents import Effort, by_weights, profits

# Prices that are tried.
N_PRICES = 100
# Directions from which on weights of the features help where there are more samples than features.
MANY = 50
# Steps of Lanczos' method for the eigenvalues outside of the leading components.
OUTER_STEPS = 60
ROUNDING = 1e-9


# What a fit spends beside its solution, and what is worth it where a ceiling is asked for.
QUICK, THOROUGH = Effort(24, 1 / 8, 4, 2, 3), Effort(100, 0.0, 20, 4)


@one_thread()
def ceiling(data: Data, count: int, effort: Effort = THOROUGH, first: Array | None = None) -> Array:
    """Return the most that 1 to `count` features can explain, as shares of the total variance.

    Features that explain much may be given as the first ones, to begin the search with. It is
    proven where a side of the data has at most 4000 entries; beyond that it holds with a
    probability of at least 1 - 1e-12.
    """
    if data.trace == 0.0:
        return np.ones(count)
    # Features are weighed in the directions of pairs of X X', or of exact ones.
    is_exact = effort.leading >= MANY or data.n_samples == data.n_features
    if is_exact and isinstance(data, Remembers):
        data.sharpen()
    ridge, found = ridge_of(data), _eigenvalues(data)
    values, counts = found.values, np.arange(1, count + 1)
    high = values[0] / ridge
    prices = np.r_[0.0, np.geomspace(high / (1.0 + high) ** 2, high, N_PRICES)]
    most = _by_spectrum(data, values, ridge, prices, count) + found.slack(counts)
    is_wide = data.n_samples <= data.n_features
    if (is_wide or effort.leading >= MANY) and is_decomposed(data) and not data.is_measured:
        weighed = by_weights(data, values, prices, count, effort, first)
        most = np.minimum(most, weighed + found.slack(np.asarray(values.size)))
    return np.minimum(most / data.trace + ROUNDING, 1.0)


def _by_spectrum(data: Data, values: Array, ridge: float, prices: Array, count: int) -> Array:
    """Return the bounds from the eigenvalues and the largest variances."""
    leading = values[:count]
    gained = np.cumsum(profits(leading, leading, ridge, prices), axis=1)
    variances = np.sort(np.asarray(data.variances))[::-1][:count]
    error = data.gram_error + data.matrix_error
    at = np.minimum(np.arange(count), gained.shape[1] - 1)
    return np.asarray((gained[:, at] + np.outer(prices, np.cumsum(variances + error))).min(axis=0))


def _eigenvalues(data: Data) -> Eigenvalues:
    """Return upper bounds of the eigenvalues of S, the largest first, but for their slack."""
    n, d = data.n_samples, data.n_features
    if is_decomposed(data):
        assert isinstance(data, Remembers)
        known = data.eigenvalues()
        return replace(known, values=known.values + (known.error + data.matrix_error), error=0.0)
    spectrum = data.leading(0.0, most=min(COMPONENTS, n, d))
    found, V = spectrum.values, spectrum.vectors
    residual = data.gram_product(V) - V * found
    # S is within the residual of a matrix with these pairs, and what is outside of them.
    error = float(np.sqrt(np.linalg.norm(residual.T @ residual, 2))) + data.gram_error
    outer = _outside(data, V, data.trace - float(found.sum()))
    bounds = np.full(max(n, d), outer)
    bounds[: found.size] = np.maximum(found, outer)
    return Eigenvalues(bounds + (error + data.matrix_error), 0.0)


def _outside(data: Data, V: Array, rest: float) -> float:
    """Return a bound on the eigenvalues of S outside of V, given their sum."""
    if not data.in_memory:
        return rest

    def product(vector: Array) -> Array:
        inside = vector - V @ (V.T @ vector)
        image = data.gram_product(inside[:, None])[:, 0]
        return np.asarray(image - V @ (V.T @ image))

    return min(rest, randomised_largest(product, data.n_features, np.inf, OUTER_STEPS).bound)
