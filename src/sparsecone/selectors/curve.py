"""How much the first features explain, the most that so many could, and how many are enough."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy.linalg

from ..charts.box import box, heads, some, table_row
from ..data import Data, Rows, is_decomposed
from ..linalg.types import Array
from ..model.weights import noise_edge
from .ceiling import QUICK, ceiling
from .gains import n_steps, ridge_of
from .side import Side
from .sides import MOST_SAMPLES

# The share of the variance of the kept components that enough features explain.
ENOUGH = 0.9
# Products of dense numbers beside those of sparse ones, in the same time.
DENSE_PACE = 10
# Features that are predicted at once, and rows that are multiplied at once.
BLOCK = 4096
ROWS = 128


@dataclass(frozen=True, repr=False)
class ExplainedCurve:
    """How the variance that the first features explain grows with their number.

    The variance of all features is predicted by a ridge regression on the first ones; the ridge is
    3 % of the mean eigenvalue of X'X, so that little is fitted to noise.

    Attributes
    ----------
    n_features : ndarray of shape (n_points,)
        Numbers of features, from 1 to at most 500, and fewer than samples.
    explained : ndarray of shape (n_points,)
        Share of the total variance that so many first features explain.
    ceiling : ndarray of shape (n_points,)
        No selection of so many features explains a larger share.
    target : float
        What is enough: 90 % of the share that the components kept by W explain; 0 for noise.
    chosen : int
        The least number that reaches the target, or all where none does.
    is_noise : bool
        Whether no component exceeds what uncorrelated features of these variances would have.
    """

    n_features: Array
    explained: Array
    ceiling: Array
    target: float
    chosen: int
    is_noise: bool

    def verdict(self, number: int) -> str:
        """Return what so many first features explain, and what no others can, in a sentence.

        The first is rounded down and the second up. Beyond the last number there is no verdict.
        """
        if not 1 <= number <= self.n_features.size:
            return ""
        explained, most = self.percent(number)
        if number == 1:
            these, others = "This feature explains", "no feature can explain"
        else:
            these, others = f"These {number} features explain", f"no {number} can explain"
        return f"{these} {explained:.1f} % of the variance of all; {others} more than {most:.1f} %."

    def percent(self, number: int) -> tuple[float, float]:
        """Return what so many features explain and the most that any do, in percent."""
        return percents(self.explained[number - 1], self.ceiling[number - 1])

    def __repr__(self) -> str:
        chosen, last = self.chosen, int(self.n_features[-1])
        explained, most = self.percent(chosen)
        return (
            f"ExplainedCurve({chosen} {'feature' if chosen == 1 else 'features'} enough: "
            f"{explained:.1f} % explained, at most {most:.1f} % by any; 1 to {last} features: "
            f"{self.percent(1)[0]:.1f} to {self.percent(last)[0]:.1f} %)"
        )

    def _repr_html_(self) -> str:
        shown = sorted({*some(self.n_features.size), self.chosen - 1})
        rows = [heads("features", "explained", "at most by any")]
        rows += [
            table_row(
                f"{k + 1}{' (enough)' if k == self.chosen - 1 else ''}",
                *(f"{share:.1f} %" for share in self.percent(k + 1)),
            )
            for k in shown
        ]
        return box("Variance explained", self.verdict(self.chosen), rows)


def percents(explained: float, most: float) -> tuple[float, float]:
    """Return what is explained and the most that can be, in percent with one digit.

    The first is rounded down and the second up, so that neither says too much.

    Examples
    --------
    >>> percents(0.78567, 0.80711)
    (78.5, 80.8)
    """
    return math.floor(1e3 * explained) / 10.0, math.ceil(1e3 * most) / 10.0


def explained_curve(
    data: Data, order: Array, level: float, side: Side | None = None
) -> ExplainedCurve:
    """Return how much the first features of an order explain, and how many are enough.

    The kept components are the eigenvalues of S above a level; where that is 0, those above the
    noise. A side that followed the choice of the first features knows what they explain.
    """
    most, ridge, unit = n_steps(data), ridge_of(data), max(data.trace, np.finfo(float).tiny)
    added = None if side is None else side.adding(order[:most])
    explained = explained_shares(data, order[:most]) if added is None else _shares(data, added)
    edge = noise_edge(np.asarray(data.variances), data.n_samples)
    kept = data.leading(level if level > 0.0 else edge).values
    is_noise = not (kept.size and kept[0] > edge)
    target = 0.0 if is_noise else ENOUGH * float(np.sum(kept**2 / (kept + ridge))) / unit
    reached = np.flatnonzero(explained >= target)
    return ExplainedCurve(
        n_features=np.arange(1, most + 1),
        explained=explained,
        ceiling=ceiling(data, most, QUICK, order[:most]),
        target=target,
        chosen=int(reached[0]) + 1 if reached.size else most,
        is_noise=is_noise,
    )


def explained_shares(data: Data, order: Array) -> Array:
    """Return the share of the variance that the first 1, 2, ... of some features explain.

    One Cholesky factorisation of their scatter matrix S_CC gives all numbers at once: with
    S_CC + rho I = RR', the feature i adds the squared norm of row i of R^-1 S_C:.
    """
    ridge = ridge_of(data)
    if isinstance(data, Rows) and _has_inner(data):
        columns, inner = data.columns(order), data.sample_gram_matrix
        root = _root(columns.T @ columns, ridge)
        # In the place of the columns, which nobody else has.
        half = _solved(root, columns.T, overwrite=True)
        gains = _squares(half, inner)
    else:
        columns = data.gram_matrix[order].T if data.prefers_gram else data.gram_columns(order)
        root, gains = _root(columns[order], ridge), np.zeros(order.size)
        for start in range(0, len(columns), BLOCK):
            half = _solved(root, columns[start : start + BLOCK].T)
            gains += np.einsum("ij,ij->i", half, half)
    return _shares(data, gains)


def _shares(data: Data, added: Array) -> Array:
    """Return shares of the variance of all, given what each feature adds."""
    return np.minimum(np.cumsum(added) / max(data.trace, np.finfo(float).tiny), 1.0)


def _squares(rows: Array, inner: Array) -> Array:
    """Return x' inner x of every row x, from a triangle of what is symmetric: half of the work."""
    squares, half = np.empty(len(rows)), 0.5 * inner.diagonal()
    for start in range(0, len(rows), ROWS):
        columns = np.asfortranarray(rows[start : start + ROWS].T)
        # The transpose of a symmetric matrix is itself, in the order that BLAS expects.
        lower = scipy.linalg.blas.dtrmm(1.0, inner.T, columns, lower=1)
        lower -= half[:, None] * columns
        squares[start : start + ROWS] = 2.0 * np.einsum("ij,ij->j", lower, columns)
    return squares


def _has_inner(data: Rows) -> bool:
    """Whether inner products of the samples take the place of those of the features.

    They are few, or known from the spectrum and cheaper than passes over what is stored.
    """
    n, d = data.n_samples, data.n_features
    stored = data.matrix.nnz if data.is_sparse else n * d
    known = is_decomposed(data) and n**2 <= DENSE_PACE * stored
    return n <= d and (n <= MOST_SAMPLES or known)


def _root(block: Array, ridge: float) -> Array:
    """Return R with RR' a block and a ridge."""
    block[np.diag_indices_from(block)] += max(ridge, np.finfo(float).tiny)
    return np.asarray(scipy.linalg.cholesky(block, lower=True, overwrite_a=True))


def _solved(root: Array, rows: Array, *, overwrite: bool = False) -> Array:
    """Return R^-1 times some rows."""
    found = scipy.linalg.solve_triangular(root, rows, lower=True, overwrite_b=overwrite)
    return np.asarray(found)
