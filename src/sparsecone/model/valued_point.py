"""A point whose value is known from residuals of W itself, before anything else is asked of it.

A step knows C = I - W and |C (x_i - m)| for all samples. What is returned is a factor L, and the
offset v. Its residual is that of the step but for

    (I - L L' - C)(x_i - m) + ((I - L L') m - v),

whose first matrix is computed and whose second vector is what rounding left of v: no product with
the samples is needed for the value and how far it may be off. Gradients and all else of the data
term are found where they are asked for.
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import Any

import numpy as np

from ..data import Rows, Terms
from ..linalg.rounding import norm, sum_error
from ..linalg.types import Array
from .data_term import DataTerm
from .losses import Robust
from .problem import Point, Problem
from .reconstruction import Reconstruction
from .row_terms import residuals


class ValuedPoint(Point):
    """A point whose data term has a known value, and a known error of it."""

    def __init__(
        self, problem: Problem, L: Array, v: Array | None, value: float, rounding: float
    ) -> None:
        known = {"problem": problem, "L": L, "v": v, "eps": 0.0}
        vars(self).update(known, loss_value=value, loss_rounding=rounding)

    @cached_property
    def data(self) -> DataTerm:
        """All of the data term."""
        return self.problem.evaluate(self.L, self.v).data


def valued_point(
    problem: Problem, reconstruction: Reconstruction, L: Array, squares: Any
) -> ValuedPoint:
    """Return the point of a factor of W.

    Parameters
    ----------
    problem : Problem
        With a loss that weighs the samples.
    reconstruction : Reconstruction
        W as a matrix, and the mean that the residuals are about.
    L : ndarray of shape (n_features, rank)
        The factor, L L' = W but for rounding.
    squares : ndarray of shape (n_samples,) or what `Data.collect` keeps of it
        The squared residuals, computed entry by entry.
    """
    C, mean = reconstruction.W.complement, reconstruction.mean
    d, r = L.shape
    factor, length, size = float(np.vdot(L, L)), norm(mean), norm(C)
    apart = L @ L.T
    apart += C
    apart[np.diag_indices_from(apart)] -= 1.0
    between = norm(apart) + sum_error(r + 2) * (factor + size + float(np.sqrt(d)))
    v = mean - L @ (L.T @ mean) if problem.loss.recenter else None
    shift = sum_error(d + r) * (1.0 + factor) * length
    assert isinstance(problem.loss, Robust)
    terms = partial(
        value_terms,
        loss=problem.loss,
        relative=between + sum_error(d) * size,
        shift=shift + length * (between + sum_error(d) * size),
        spread=1.0 + factor,
    )
    value, off = problem.samples.collect(terms, squares).sums
    off += sum_error(problem.samples.n_samples) * value
    return ValuedPoint(problem, L, v, value, off)


def valued_by_rows(problem: Problem, L: Array, v: Array | None) -> ValuedPoint:
    """Return the point of a factor by one product with the samples, for a loss that weighs them."""
    samples, loss = problem.samples, problem.loss
    assert isinstance(loss, Robust)
    value, off = samples.collect(partial(loss_terms, loss=loss, L=L, v=v)).sums
    return ValuedPoint(problem, L, v, value, off + sum_error(samples.n_samples) * value)


def loss_terms(rows: Rows, *, loss: Robust, L: Array, v: Array | None) -> Terms:
    """Return the loss of some rows, and how far it may be off."""
    found = residuals(rows, L, v)
    value = loss.value(found.squared)
    off = max(loss.value(found.highest) - value, value - loss.value(found.lowest))
    return Terms((value, off))


def value_terms(
    rows: Rows, squares: Array, *, loss: Robust, relative: float, shift: float, spread: float
) -> Terms:
    """Return the loss of a block, and how far it may be off.

    Parameters
    ----------
    rows : Rows
        The block.
    squares : ndarray of shape (n_samples,)
        The squared residuals.
    loss : Robust
        The loss.
    relative, shift : float
        A residual may be off by `relative` times the size of its sample, and `shift`.
    spread : float
        By what an error of the centre moves a residual.
    """
    lengths = np.sqrt(squares)
    off = sum_error(rows.n_features) * lengths + relative * np.sqrt(rows.sizes)
    off += shift + spread * rows.centre_error
    value = loss.value(squares)
    above = loss.value((lengths + off) ** 2) - value
    below = value - loss.value(np.maximum(lengths - off, 0.0) ** 2)
    return Terms((value, max(above, below)))
