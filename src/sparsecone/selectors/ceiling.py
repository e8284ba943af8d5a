"""How much any h features could explain: a ceiling that no selection passes.

With a ridge rho the features C explain `E(C) = tr S - rho tr (X_C X_C' + rho I)^-1 X X'`. Two
bounds hold for every C of h features; the documentation has the proofs (Mathematics). With the
eigenvalues s_1 >= s_2 >= ... of S,

    E(C) <= sum over i <= h of s_i^2 / (s_i + rho) ,

and, because E is concave in weights z of the features (`X diag(z) X'` for `X_C X_C'`),

    E(C) <= E(z) - g'z + the sum of the h largest g_j ,   g = grad E(z) ,

for any z >= 0: one z bounds all numbers of features at once. The second is the smaller one where
there are fewer samples than features. Both hold with 1e-9 of the variance for rounding.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg

from ..data import Data, Remembers, Rows, is_decomposed
from ..data.products import TILE
from ..linalg.eigen import randomised_largest
from ..linalg.types import Array
from .gains import COMPONENTS, MOST_SAMPLES, inner_squares, ridge_of

# Numbers of features for which weights are sought, beside the largest, and steps for each of them.
SIZES = (2, 8, 32, 128)
STEPS = 2
# Weights below this fraction of the largest are none.
LEAST_WEIGHT = 1e-6
# Weights are clipped at 1 and scaled to the size so often.
CLIPS = 3
# Multiplications that these steps may cost.
AFFORDABLE = 2e10
# Steps of Lanczos' method for the eigenvalues outside of the leading components.
OUTER_STEPS = 60
ROUNDING = 1e-9


def ceiling(data: Data, count: int) -> Array:
    """Return the most that 1 to `count` features can explain, as shares of the total variance.

    It is proven where a side of the data has at most 1100 entries; beyond that it holds with a
    probability of at least 1 - 1e-12.
    """
    if data.trace == 0.0:
        return np.ones(count)
    ridge = ridge_of(data)
    values = _eigenvalues(data, count)
    most = np.cumsum(values**2 / (values + ridge))
    if isinstance(data, Rows) and _is_affordable(data):
        most = np.minimum(most, _relaxed(data, ridge, count))
    return np.minimum(most / data.trace + ROUNDING, 1.0)


def _is_affordable(rows: Rows) -> bool:
    """Whether the second bound is worth its cost: few samples, more features, and not sparse."""
    n, d = rows.n_samples, rows.n_features
    cost = 2.0 * (len(SIZES) + 1) * STEPS * float(n) ** 2 * d
    return n <= min(d, MOST_SAMPLES) and not rows.is_sparse and cost <= AFFORDABLE


def _eigenvalues(data: Data, count: int) -> Array:
    """Return upper bounds of the largest eigenvalues of S."""
    n, d = data.n_samples, data.n_features
    if is_decomposed(data):
        assert isinstance(data, Remembers)
        found, error, outer = *data.eigenvalues(), 0.0
    else:
        spectrum = data.leading(0.0, most=min(COMPONENTS, n, d))
        found, V = spectrum.values, spectrum.vectors
        residual = data.gram_product(V) - V * found
        # S is within the residual of a matrix with these pairs, and what is outside of them.
        error = float(np.sqrt(np.linalg.norm(residual.T @ residual, 2))) + data.gram_error
        outer = _outside(data, V, data.trace - float(found.sum()))
    bounds = np.full(count, outer)
    bounds[: found.size] = np.maximum(found[:count], outer)
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


def _relaxed(rows: Rows, ridge: float, count: int) -> Array:
    """Return the best bounds from weights of the features, multiplied by squared gradients."""
    n, d = rows.n_samples, rows.n_features
    inner, best = rows.sample_gram_matrix[0], np.full(count, np.inf)
    z = np.full(d, 1.0 / d)
    most = min(count, d)
    for size in [*(size for size in SIZES if size < most), most]:
        # Weights that have all but vanished for fewer features come back.
        z = 0.5 * z / z.sum() + 0.5 / d
        for _ in range(STEPS):
            for _ in range(CLIPS):
                z = np.minimum(z * (size / z.sum()), 1.0)
            matrix = _weighted_inner(rows, z) + ridge * np.eye(n)
            inverse = scipy.linalg.inv(matrix)
            image = inverse @ inner
            value = rows.trace - ridge * float(np.trace(image))
            gradient = ridge * inner_squares(rows, image @ inverse)
            largest = -np.sort(-gradient)[:count]
            best = np.minimum(best, value - float(gradient @ z) + np.cumsum(largest))
            z = z * (gradient / max(float(gradient.max()), np.finfo(float).tiny)) ** 2
    return best


def _weighted_inner(rows: Rows, z: Array) -> Array:
    """Return X diag(z) X' for weights of which most have all but vanished; those become zero."""
    z[z < LEAST_WEIGHT * z.max()] = 0.0
    kept = np.flatnonzero(z)
    total = np.zeros((rows.n_samples, rows.n_samples))
    for part in np.array_split(kept, 1 + kept.size * rows.n_samples // TILE):
        half = rows.columns(part) * np.sqrt(z[part])
        # A product of an array with its own transpose takes half of the time.
        total += half @ half.T
    return total
