"""The bound of multipliers that satisfy the matrix inequality as an equation.

Without a trace term the multipliers must satisfy sym(A X + B) <= 0. For any A, any symmetric W and
any diagonal D

    B = (D W - W D) / 2 - sym(A X)

does so with equality, as D W - W D is skew: nothing but the lengths of its columns, and of the
multipliers of the samples, is left to check. At the solution of the equation of Lyapunov for the
weights omega and D, with A = (I - W) X' diag(omega) about the weighted mean, B is -W D: its columns
have the lengths D_j |w_j|, at most lam where D is lam / |w_j| of a W that was larger there. So a
step of majorise-minimise is a dual point that is feasible but for the progress it made.

Where some columns are still too long, scaling all multipliers by the longest of them costs its
share of the whole objective. Instead the entries of the feature j in all a_i are multiplied by some
0 <= t_j <= 1: no a_i is longer for it, the column j of B is shorter by about (1 - t_j) / 2, and
<A, X'> by (1 - t_j) (A X)_jj.

A is what is stored, whatever it should be: no error of a residual is multiplied by its weight.
Where such errors are far below the tolerance moments take less time
(`sparsecone.certificate.skew_moments`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..data import Rows, Terms
from ..linalg.rounding import TINY, norm, sum_error
from ..linalg.types import Array
from ..model.problem import Problem
from ..model.reconstruction import Reconstruction
from .dual_point import NOTHING, Bound, Excess, Lengths, Multipliers
from .skew_moments import Held, Products, moment_products

# Bounds with less and less of the multipliers for features with long columns, and the least that is
# left of them at once; inner products of factors take longer than a matrix.
ROUNDS = 3
LOW_RANK_ROUNDS = 2
LEAST_SHARE = 0.5


class Columns(NamedTuple):
    """Squared lengths of the columns of B, its diagonal, and how far sym(A X + B) is from zero."""

    squares: Array
    diagonal: Array
    error: float


def skew_bound(
    problem: Problem,
    reconstruction: Reconstruction,
    weights: Any,
    D: Array,
    *,
    low_rank: bool,
    enough: float = np.inf,
    squares: Any = None,
    room: float = 0.0,
    held: Held | None = None,
) -> Bound:
    """Return the bound for a problem without a trace term.

    Parameters
    ----------
    problem : Problem
        What is bounded, with a loss that weighs the samples.
    reconstruction : Reconstruction
        W, and the mean that the residuals are about.
    weights : ndarray of shape (n_samples,) or what `Data.collect` keeps of it
        The multipliers a_i of the samples are their residuals times these, cut to the length one.
    D : ndarray of shape (n_features,)
        Weights of the features.
    low_rank : bool
        Whether B is kept as a product, for samples in memory, or as a matrix.
    enough : float
        The bound that is enough.
    squares : ndarray of shape (n_samples,), what `Data.collect` keeps of it, or None
        The squared residuals where they are known: moments may then take the place of entries.
    room : float
        What rounding may leave A X off by then, as a part of lam.
    held : Held or None
        What is known of the moments of samples in memory.
    """
    d = problem.samples.n_features
    found = None
    if squares is not None and reconstruction.W.basis is None:
        # Weights of residuals that vanish may overflow: then there is no room either.
        with np.errstate(over="ignore", invalid="ignore"):
            found = moment_products(problem, reconstruction, weights, squares, held)
        found = found if found.off <= room * problem.lam else None
    if found is None:
        found = _entry_products(problem, reconstruction, weights, with_product=not low_rank)
    if low_rank:
        factors = _factors(problem, reconstruction, weights)
    best, shares = NOTHING, np.ones(d)
    for _ in range(LOW_RANK_ROUNDS if low_rank else ROUNDS):
        if low_rank:
            columns = _low_rank_columns(*factors, shares, reconstruction, D)
        else:
            columns = _dense_columns(found.product, shares, reconstruction, D)
        point = _multipliers_with(columns, shares, found)
        nothing = Excess(np.zeros(0), np.zeros((d, 0)), found.off + columns.error)
        best = max(best, point.bound(problem, nothing))
        if best.value >= enough:
            break
        lengths_of_columns = np.sqrt(columns.squares) / problem.lam
        shares = shares * shares_for(lengths_of_columns, shares * found.diagonal, found.inner)
    return best


def _entry_products(
    problem: Problem, reconstruction: Reconstruction, weights: Any, *, with_product: bool
) -> Products:
    """Return what the multipliers sum to, computed entry by entry, in two passes."""
    samples = problem.samples
    n, d = samples.n_samples, samples.n_features
    terms = partial(product_terms, reconstruction=reconstruction, with_product=with_product)
    found = samples.collect(terms, weights)
    product, diagonal, total, inner, square, sizes = found.sums
    centre = 2.0 * np.sqrt(n) * found.largest
    off = float(np.sqrt(square) * (sum_error(n + d) * np.sqrt(sizes) + centre))
    mean = total / n if problem.loss.recenter else np.zeros(d)
    slack = sum_error(n) * float(np.sqrt(square / n))
    terms = partial(length_terms, reconstruction=reconstruction, mean=mean, slack=slack)
    found = samples.collect(terms, weights)
    lengths = Lengths(samples, found.rowwise[0], found.largest)
    return Products(product, diagonal, inner, off, off, lengths)


def _factors(
    problem: Problem, reconstruction: Reconstruction, weights: Array
) -> tuple[Array, Array]:
    """Return X and A as rows, for samples in memory."""
    assert isinstance(problem.samples, Rows)
    parts = _multipliers(problem.samples, weights, reconstruction)
    return problem.samples.centred_rows(), np.concatenate([part for _, part in parts])


def _multipliers_with(columns: Columns, shares: Array, found: Products) -> Multipliers:
    """Return the dual point whose multipliers have so much of every feature."""
    taken, d = 1.0 - shares, len(shares)
    rounding = sum_error(d) * float(taken @ np.abs(found.diagonal))
    return Multipliers(
        inner=found.inner - float(taken @ found.diagonal),
        quadratic=0.0,
        inner_rounding=found.inner_off + found.off * norm(taken) + rounding,
        quadratic_rounding=0.0,
        lengths=found.lengths,
        squared_columns=columns.squares,
        diagonal=columns.diagonal,
        projections=np.zeros((d, 0)),
    )


def shares_for(lengths: Array, diagonal: Array, inner: float) -> Array:
    """Return how much of its multipliers a feature keeps, one number each.

    A common scale 1 / (1 + s) costs s <A, X'>, and what is left of a column that is longer by v
    2 (v - s) (A X)_jj: s is where both together are least.

    Parameters
    ----------
    lengths : ndarray of shape (n_features,)
        Lengths of the columns of B, in multiples of lam.
    diagonal : ndarray of shape (n_features,)
        (A X)_jj.
    inner : float
        <A, X'>.
    """
    longer = np.maximum(lengths - 1.0, 0.0)
    order = np.argsort(-longer)
    costs = 2.0 * np.cumsum(np.maximum(diagonal[order], 0.0))
    last = int(np.searchsorted(costs, inner))
    common = float(longer[order[last]]) if last < order.size else 0.0
    taken = 2.0 * np.maximum(longer - common, 0.0) / (1.0 + longer)
    return np.maximum(1.0 - taken, LEAST_SHARE)


def _multipliers(
    rows: Rows, weights: Array, reconstruction: Reconstruction
) -> Iterator[tuple[slice, Array]]:
    """Yield the multipliers of a block of rows as rows, none longer than one, some at a time."""
    for part, entries in reconstruction.residuals(rows):
        lengths = np.sqrt(np.einsum("ij,ij->i", entries, entries))
        yield part, entries * np.minimum(weights[part], 1.0 / np.maximum(lengths, TINY))[:, None]


def product_terms(
    rows: Rows, weights: Array, *, reconstruction: Reconstruction, with_product: bool
) -> Terms:
    """Return A X, its diagonal and trace, the sum of the a_i, |A|^2 and |X|^2, and more.

    Where the product is not asked for it is empty. The error of the centre is the largest.
    """
    d = rows.n_features
    product = np.zeros((d, d) if with_product else (0, 0))
    diagonal, total, inner, square = np.zeros(d), np.zeros(d), 0.0, 0.0
    for part, A in _multipliers(rows, weights, reconstruction):
        X = rows.dense(part)
        if with_product:
            product += A.T @ X
        diagonal += np.einsum("ij,ij->j", A, X)
        total += A.sum(axis=0)
        inner += float(np.vdot(A, X))
        square += float(np.vdot(A, A))
    sums = product, diagonal, total, inner, square, float(rows.sizes.sum())
    return Terms(sums, largest=rows.centre_error)


def length_terms(
    rows: Rows, weights: Array, *, reconstruction: Reconstruction, mean: Array, slack: float
) -> Terms:
    """Return bounds of |a_i|^2, about the mean of all a_i, which is off by the slack."""
    lengths = np.empty(rows.n_samples)
    for part, A in _multipliers(rows, weights, reconstruction):
        lengths[part] = np.linalg.norm(A - mean, axis=1)
    lengths = lengths * (1.0 + sum_error(rows.n_features)) + slack
    return Terms(largest=float((lengths**2).max(initial=0.0)), rowwise=(lengths**2,))


def _dense_columns(
    product: Array, shares: Array, reconstruction: Reconstruction, D: Array
) -> Columns:
    """Return the columns of B as a matrix."""
    W = reconstruction.W
    full = W.core if W.basis is None else W.image @ W.basis.T
    B = np.subtract.outer(D, D)
    B *= 0.25 * (full + full.T)
    kept = shares[:, None] * product
    B -= 0.5 * (kept + kept.T)
    squares = np.einsum("ij,ij->j", B, B)
    return Columns(squares, np.diag(B), sum_error(2) * float(np.sqrt(squares.sum())))


def _low_rank_columns(
    X: Array, A: Array, shares: Array, reconstruction: Reconstruction, D: Array
) -> Columns:
    """Return the columns of B from the inner products of its factors.

    W is R diag(signs) R', and DR is what is stored: D W - W D is skew without any error.
    """
    R, signs = reconstruction.W.signed_root
    scaled, A = D[:, None] * R, A * shares
    left = np.column_stack([A.T, X.T, scaled, R])
    right = 0.5 * np.column_stack([-X.T, -A.T, R * signs, -scaled * signs])
    d, k = left.shape
    gram = left.T @ left
    squares = np.einsum("jk,jk->j", right @ gram, right)
    sizes = np.abs(right) @ np.sqrt(np.diag(gram))
    squares = np.maximum(squares, 0.0) + sum_error(d + k) * sizes**2
    return Columns(squares, np.einsum("jk,jk->j", left, right), 0.0)
