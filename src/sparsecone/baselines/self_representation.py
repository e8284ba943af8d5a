"""Self-representation x = W x by reweighted least squares: the iteration of CSPCA and AW-SPCA.

With centred samples x_i, a reconstruction matrix W (d x d, not symmetric) and its columns w_j, the
objective is::

    sum_i |x_i - W x_i - v|  +  lam sum_j |w_j|  +  eta |W|_*

(v = 0 for CSPCA, eta = 0 for AW-SPCA). Once every root carries a small constant e, each term lies
below a quadratic that touches it at the current W; their weights are `c_i = 1/(2 sqrt(r_i^2 + e))`
for the samples, `D_jj = 1/(2 sqrt(|w_j|^2 + e))` for the columns and `N = (W'W + e I)^(-1/2)` for
the nuclear norm. For given c the best offset is `v = (I - W) m`, m the c-weighted mean, so that it
only re-centres the samples. Setting the derivative to zero gives, S_c being the weighted scatter::

    W = S_c (S_c + B)^-1,    B = lam D + (eta/2) N + ridge I

and the smoothed objective plus `ridge |W|_F^2` falls at every step. (With the nuclear norm on the
other side, `W = (S_c - (eta/2) W N) (S_c + lam D + ridge I)^-1`, nothing is majorised; that
iteration was seen to swing between two matrices for ever.)

With more features than samples no d x d matrix appears. The columns of W lie in the span of the
samples: `W = Q M` with `X' = Q R`, Q d x n, so that samples become n-vectors, `x_i = Q y_i`, while
residuals, columns and singular values of M are those of W. The push-through identity turns the
update into n x n systems, `M = Y'(I + Y G Y')^-1 Y (B^-1 Q)'` with `G = Q'B^-1 Q` and the weights
taken into Y. B is a diagonal minus a matrix of rank n (see `Penalty`), so Woodbury's identity
inverts it even with the nuclear norm. The cost is O(dn^2) an iteration, O(dn) memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve, cholesky, qr, solve_triangular

from ..linalg.types import Array

SMOOTHING = 1e-3
RIDGE = 1e-3


@dataclass(frozen=True)
class Penalty:
    """The positive definite matrix B = diag(diagonal) - spread spread'.

    The nuclear norm has this form because `N = e^(-1/2) I - W'(...)W`: on singular vectors of W
    with singular value s, `e^(-1/2) - (s^2 + e)^(-1/2) = s^2 / (h e^(1/2) (h + e^(1/2)))` with
    `h = (s^2 + e)^(1/2)`, which does not cancel for small s.
    """

    diagonal: Array
    spread: Array | None = None

    def dense(self) -> Array:
        """Return B."""
        matrix = np.diag(self.diagonal)
        return matrix if self.spread is None else matrix - self.spread @ self.spread.T

    def solve(self, V: Array) -> Array:
        """Return B^-1 V, by Woodbury's identity."""
        scaled = V / self.diagonal[:, None]
        if self.spread is None:
            return scaled
        narrow = self.spread / self.diagonal[:, None]
        inner = np.eye(self.spread.shape[1]) - self.spread.T @ narrow
        return scaled + narrow @ cho_solve(cho_factor(inner), self.spread.T @ scaled)


@dataclass(frozen=True)
class Coordinates:
    """Centred samples `x_i = basis @ rows_i`; without a basis the rows are the samples."""

    rows: Array
    basis: Array | None

    @classmethod
    def of(cls, X: Array) -> Coordinates:
        """Return centred samples as they are, or as n-vectors if that is shorter."""
        if X.shape[1] <= X.shape[0]:
            return cls(rows=X, basis=None)
        basis, triangle = qr(X.T, mode="economic")
        return cls(rows=triangle.T, basis=basis)

    def update(self, weighted: Array, penalty: Penalty) -> tuple[Array, Array]:
        """Return M and `M basis` for rows that are centred and multiplied by sqrt(c_i)."""
        if self.basis is None:
            scatter = weighted.T @ weighted
            M = cho_solve(cho_factor(scatter + penalty.dense()), scatter).T
            return M, M
        solved = penalty.solve(self.basis)
        inner = self.basis.T @ solved
        system = np.eye(len(weighted)) + weighted @ inner @ weighted.T
        half = solve_triangular(cholesky(system, lower=True), weighted, lower=True)
        core = half.T @ half
        return core @ solved.T, core @ inner


@dataclass(frozen=True)
class Reconstruction:
    """A matrix W by what its objective and the next weights need."""

    M: Array  #: W in the coordinates of its columns.
    residuals: Array  #: The norms of the residuals.
    columns: Array  #: The norms of the columns: the scores of the features.
    #: Singular values of M, and the vectors on its left as columns; empty without nuclear norm.
    singular: Array
    left: Array

    def objective(self, lam: float, eta: float) -> float:
        """Return the objective of the module, as in the papers: no smoothing, no ridge."""
        return float(self.residuals.sum() + lam * self.columns.sum() + eta * self.singular.sum())

    def penalty(self, lam: float, eta: float, smoothing: float) -> Penalty:
        """Return B at this matrix."""
        diagonal = RIDGE + 0.5 * lam / np.sqrt(self.columns**2 + smoothing)
        if eta == 0.0:
            return Penalty(diagonal)
        floor, heights = np.sqrt(smoothing), np.sqrt(self.singular**2 + smoothing)
        shares = np.sqrt(0.5 * eta / (floor * heights * (floor + heights)))
        return Penalty(diagonal + 0.5 * eta / floor, self.M.T @ (self.left * shares))


def irls_steps(
    X: Array, *, lam: float, eta: float, recentre: bool, smoothing: float = SMOOTHING
) -> Iterator[tuple[Reconstruction, float]]:
    """Yield the matrices of the module's iteration, each with its objective.

    It starts from unit weights. X is centred; with `recentre` the offset v is learned.
    """
    coordinates = Coordinates.of(X)
    weights = np.ones(len(X))
    penalty = Penalty(np.full(X.shape[1], RIDGE + lam + 0.5 * eta))
    while True:
        rows = coordinates.rows
        if recentre:
            rows = rows - np.average(rows, axis=0, weights=weights)
        M, inside = coordinates.update(np.sqrt(weights)[:, None] * rows, penalty)
        residuals = np.linalg.norm(rows - rows @ inside.T, axis=1)
        singular, left = _left_singular(M) if eta > 0.0 else (np.empty(0), np.empty((0, 0)))
        columns = np.linalg.norm(M, axis=0)
        current = Reconstruction(M, residuals, columns, singular, left)
        yield current, current.objective(lam, eta)
        weights = 0.5 / np.sqrt(residuals**2 + smoothing)
        penalty = current.penalty(lam, eta, smoothing)


def _left_singular(M: Array) -> tuple[Array, Array]:
    """Return the singular values and left singular vectors of M, those of rounding as zero."""
    squares, left = np.linalg.eigh(M @ M.T)
    noise = len(M) * np.finfo(np.float64).eps * squares[-1]
    return np.sqrt(np.where(squares > noise, squares, 0.0)), left
