"""Multipliers of the samples by what they sum to, where rounding leaves room for that.

For the weights omega the multipliers a_i = omega_i C (x_i - m), C = I - W, have

    A X = C (X' diag(omega) X - m h'),        h = X' omega,

so that a matrix of moments and one product of its size take the place of two passes with residuals
entry by entry. What is known of the lengths are the squared residuals that a step has found: the
weights are cut so that no a_i is longer than one, all rounding included. An error of a residual is
multiplied by its weight here, so this serves where that is small beside the tolerance.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..data import Rows, Terms
from ..linalg.rounding import TINY, norm, sum_error
from ..linalg.types import Array
from ..model.problem import Problem
from ..model.reconstruction import Reconstruction
from .dual_point import Lengths


class Products(NamedTuple):
    """What the multipliers of the samples sum to.

    Attributes
    ----------
    product : ndarray of shape (n_features, n_features)
        A X, or nothing where it is kept as its factors.
    diagonal : ndarray of shape (n_features,)
        Its diagonal.
    inner : float
        <A, X'>.
    off, inner_off : float
        How far the product, in the norm of Frobenius, and the inner product may be off.
    lengths : Lengths
        Bounds of |a_i|^2.
    """

    product: Array
    diagonal: Array
    inner: float
    off: float
    inner_off: float
    lengths: Lengths


class Held(NamedTuple):
    """X'X of samples in memory, and a weight that most of them have.

    With it the moments take no more than the samples of other weights.
    """

    gram: Array
    weight: float

    def moments(self, rows: Rows, weights: Array) -> Array:
        """Return X' diag(weights) X."""
        others = np.flatnonzero(weights != self.weight)
        X = rows.dense(others)
        return np.asarray(self.weight * self.gram - (X.T * (self.weight - weights[others])) @ X)


def moment_products(
    problem: Problem,
    reconstruction: Reconstruction,
    weights: Any,
    squares: Any,
    held: Held | None = None,
) -> Products:
    """Return the sums for weights that are cut where the residuals are too long for them.

    Parameters
    ----------
    problem : Problem
        What is bounded.
    reconstruction : Reconstruction
        W as a matrix, and the mean that the residuals are about.
    weights, squares : ndarray of shape (n_samples,) or what `Data.collect` keeps of it
        Weights and squared residuals of the samples.
    held : Held or None
        What is known of the moments of samples in memory.
    """
    samples, C, mean = problem.samples, reconstruction.W.complement, reconstruction.mean
    n, d = samples.n_samples, samples.n_features
    size, length = norm(C), norm(mean)
    terms = partial(moment_terms, size=size, length=length, held=held)
    found = samples.collect(terms, weights, squares)
    gram, back, total, first, second, square = found.sums
    gram -= np.outer(mean, back)
    product = C @ gram
    off = size * sum_error(n + d) * (second + length * first)
    off += size * sum_error(d) * norm(gram)
    off += 2.0 * float(np.sqrt(n * square)) * found.largest
    centre = 0.0
    if problem.loss.recenter:
        centre = norm(C @ (back - total * mean))
        centre = (centre + 2.0 * size * sum_error(n + d) * (first + total * length)) / n
    diagonal = np.diag(product)
    inner_off = float(np.sqrt(d)) * off + sum_error(d) * float(np.abs(diagonal).sum())
    longer = samples.collect(partial(_longer, by=centre), found.rowwise[0])
    lengths = Lengths(samples, longer.rowwise[0], longer.largest)
    return Products(product, diagonal, float(diagonal.sum()), off, inner_off, lengths)


def moment_terms(
    rows: Rows,
    weights: Array,
    squares: Array,
    *,
    size: float,
    length: float,
    held: Held | None = None,
) -> Terms:
    """Return the moments of a block for weights omega that are cut, and bounds of the |a_i|.

    These are X' diag(omega) X, X' omega, the sum of omega, those of omega_i s_i and omega_i s_i^2
    with s_i at least |x_i|, and |A|^2. The error of the centre is the largest. Where moments are
    held no omega_i in the two sums before the last is less than the weight that these have.

    Parameters
    ----------
    rows : Rows
        The block.
    weights, squares : ndarray of shape (n_samples,)
        Weights and squared residuals.
    size, length : float
        Norms of C and of m: what the residuals may be off by is relative to them.
    held : Held or None
        What is known of the moments.
    """
    rounding, sizes = sum_error(rows.n_features), np.sqrt(rows.sizes)
    residuals = (1.0 + rounding) * np.sqrt(squares) + rounding * size * (sizes + length)
    omega = np.minimum(weights, 1.0 / np.maximum(residuals, TINY))
    lengths = (1.0 + rounding) * omega * residuals
    if held is None:
        gram, most = rows.weighted_gram(omega), omega
    else:
        # What is held and what is taken off it round by no more than these together.
        gram, most = held.moments(rows, omega), 2.0 * np.maximum(omega, held.weight)
    sums = (
        *(gram, rows.backproject(omega[:, None])[:, 0], float(omega.sum())),
        *(float(most @ sizes), float(most @ rows.sizes), float(lengths @ lengths)),
    )
    return Terms(sums, largest=rows.centre_error, rowwise=(lengths,))


def _longer(rows: Rows, lengths: Array, *, by: float) -> Terms:
    """Return the squares of lengths that are longer by some number."""
    del rows
    found = (lengths + by) ** 2
    return Terms(largest=float(found.max(initial=0.0)), rowwise=(found,))
