"""The dual bound: what proves that a factor is (nearly) optimal.

The dual of the problem is to maximise `<A, X'> - phi*(A)` over A (d x n) and B (d x d) subject to

    |b_j| <= lam for every column j,      sym(A X + B) <= eta I,

with |a_i| <= 1 for the robust loss and sum_i a_i = 0 where an offset is learned. At any point
`a_i = omega_i (x_i - W x_i - v)` and `b_j = -lam w_j / G_j` satisfy everything but the matrix
inequality. With m the largest eigenvalue of M = sym(A X + B), two repairs restore it:

- scale A and B by eta / m;
- subtract from B the positive part of M - eta I (what is known of it, and a multiple of I for the
  rest), which changes the lengths of its columns, then scale A and B until they fit again. Where
  the positive part is orthogonal to W the lengths change to second order only.

Both give a lower bound on the optimum; the larger one is kept. How M is found to exceed eta:
`sparsecone.certificate.inequality`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..model.losses import Robust
from ..model.problem import Point, multiplier_terms
from .dual_point import Bound, Excess, Lengths, Multipliers
from .inequality import excess_of


@dataclass(frozen=True)
class Certificate:
    """A lower bound on the optimum, with the directions that would improve the factor.

    Attributes
    ----------
    bound : float
        No PSD matrix has a smaller objective.
    scale : float
        Common factor of the multipliers that prove it.
    excess : Excess
        Violation of the matrix inequality: adding one of its eigenvectors to the factor decreases
        the objective.
    """

    bound: float
    scale: float
    excess: Excess


def certify(point: Point, *, slacks: Sequence[float] = (), tol: float = 0.0) -> Certificate:
    """Return the certificate of a point.

    Parameters
    ----------
    point : Point
        The factor, at which the multipliers are taken.
    slacks : sequence of float
        Relative gaps up to which the eigenvalues of M above eta need not be known: where a Cholesky
        factorisation proves that they cost about one of these, they are computed only if the
        bound is not enough. With any, the bound may be that from the eigenvectors of the data.
    tol : float
        The relative gap that is enough.
    """
    excess = excess_of(point, slacks)
    bound = bound_with(point, excess)
    is_rough = slacks and excess.values.size == 0 and excess.rest > 0.0
    if is_rough and min(point.value, point.problem.zero.value) * (1.0 - tol) > bound.value:
        excess = excess_of(point)
        bound = max(bound, bound_with(point, excess))
    return Certificate(bound.value, bound.scale, excess)


def bound_with(point: Point, excess: Excess) -> Bound:
    """Return the bound that the multipliers at a point give for an excess."""
    lam, scores = point.problem.lam, point.smooth_scores
    multipliers = Multipliers(
        inner=point.data.inner,
        quadratic=point.data.value,
        lengths=multiplier_lengths(point),
        squared_columns=lam**2 * point.squared_scores / scores**2,
        diagonal=-lam * np.einsum("jk,jk->j", point.L, point.L) / scores,
        projections=-lam * (point.L @ (point.L.T @ excess.vectors)) / scores[:, None],
    )
    return multipliers.bound(point.problem, excess)


def multiplier_lengths(point: Point) -> Lengths | None:
    """Return the lengths of the multipliers at a point, where the loss bounds them."""
    samples, loss, data = point.problem.samples, point.problem.loss, point.data
    if not isinstance(loss, Robust):
        return None
    mean = None
    if point.v is not None and data.h is not None:
        total = data.h - point.L @ data.projected_weights - data.total_weight * point.v
        mean = total / samples.n_samples
    found = samples.collect(partial(multiplier_terms, loss=loss, L=point.L, v=point.v, mean=mean))
    return Lengths(samples, found.rowwise[0], found.largest)
