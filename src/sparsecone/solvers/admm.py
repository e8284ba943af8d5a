"""The exact optimum by alternating directions, for moderate d: exact zeros, any rank.

W is symmetric, so its column norms may be taken over rows. With copies Y (row norms), Z (cone) and,
for the robust loss, R (residuals), the problem is

    minimise  sum_i phi(|r_i|) + lam sum_j |y^j| + eta tr Z   s.t.  Y = Z >= 0,  R = X - X Y' - 1 v'

The Y step (with v) separates over rows in the eigenbasis of S, which is computed once; the R and Z
steps are independent of each other given Y, so this is a two-block method for all three models.
For the squared loss no R is needed: its quadratic stays in the Y step.

The optimality condition of the Y step is `A X + B = rho (Y - Z + U)` with rows of B that are at
most lam long: a dual point for free, whose bound certifies the result.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy.linalg

from ..certificate import Excess, Multipliers
from ..linalg.cone import Cone
from ..linalg.eigen import pairs_above
from ..linalg.rounding import eigen_error, norm, sum_error
from ..linalg.secular import shrink_rows
from ..linalg.types import Array
from ..model.problem import Point, Problem
from .iterate import Iterate
from .residuals import DualData, FixedData, SplitData, balancing_factor, relaxed


@dataclass(frozen=True)
class ADMM:
    """Alternating direction method of multipliers.

    Parameters
    ----------
    check_every : int
        Iterations between two bounds.
    adapting : int
        Iterations after which the penalties stay as they are.
    """

    check_every: int = 10
    adapting: int = 200
    name: ClassVar[str] = "admm"
    exact: ClassVar[bool] = True
    max_iter: ClassVar[int] = 2000

    def iterate(
        self, problem: Problem, *, tol: float, start: Point | None = None
    ) -> Iterator[Iterate]:
        """Yield one iterate a sweep; every few of them carry a point and a bound."""
        del tol
        state = State(problem, start)
        for sweep in range(1, self.max_iter + 1):
            state.sweep()
            if sweep % self.check_every:
                yield Iterate()
                continue
            yield Iterate(state.point(), state.bound(), proven=state.proven)
            if sweep <= self.adapting:
                state.balance()


class State:
    """The variables of the method and one sweep over them."""

    def __init__(self, problem: Problem, start: Point | None) -> None:
        self.problem = problem
        d = problem.samples.n_features
        self.Z = np.zeros((d, d)) if start is None else start.L @ start.L.T
        self.U = np.zeros((d, d))
        split = problem.loss.needs_rows
        self.data = SplitData(problem, start) if split else FixedData(problem)
        self.proven = not problem.samples.is_measured
        values, self.basis = scipy.linalg.eigh(problem.samples.gram_matrix)
        self.spectrum = np.maximum(values, 0.0)
        mean = 2.0 * self.data.curvature * float(self.spectrum.mean())
        self.rho = max(problem.eta, mean, np.finfo(float).tiny)
        self.cone = Cone(d)

    def sweep(self) -> None:
        """Update Y and v, then Z and R, then the multipliers."""
        half, weight = 0.5 * self.rho, self.data.curvature
        linear = (self.data.pull() + half * (self.Z - self.U)) @ self.basis
        curvatures = weight * self.spectrum + half
        rows = shrink_rows(linear, curvatures, self.problem.lam)
        # At most lam long: minus a subgradient of the norms.
        self.row_multipliers = 2.0 * (rows * curvatures - linear)
        self.rows, self.Y = rows, rows @ self.basis.T
        Y = self.Y
        self.data.push(Y)
        target = self.U + relaxed(Y, self.Z)
        self.U = target.copy()
        target = 0.5 * (target + target.T)
        target[np.diag_indices_from(target)] -= self.problem.eta / self.rho
        previous, self.Z = self.Z, self.cone.project(target)
        self.U -= self.Z
        self.primal, self.dual = Y - self.Z, self.Z - previous

    def balance(self) -> None:
        """Bring primal and dual residuals together through the penalties."""
        factor = balancing_factor(self.primal, self.Z, self.dual, self.U)
        self.rho *= factor
        self.U /= factor
        self.data.balance()

    def point(self) -> Point:
        """Return the PSD iterate as a factor, without the features whose row of Y is zero."""
        return self.problem.evaluate(self.factor(), self.data.v)

    def factor(self) -> Array:
        """Return the factor of the PSD iterate, zero where the row of Y is."""
        keep = np.any(self.rows, axis=1)
        return self.cone.factor(self.Z) * keep[:, None]

    def bound(self) -> float:
        """Return the lower bound of the dual point of the last Y step."""
        return self.bound_for(self.problem, self.data.dual(self.Y))

    def bound_for(self, problem: Problem, dual: DualData) -> float:
        """Return the bound for a problem whose multipliers of the samples are as given.

        A and B are what is stored, whatever equation they should satisfy: M is computed from them.
        """
        d, B = len(self.Y), self.row_multipliers @ self.basis.T
        # Rounding may leave rows that are a little too long.
        long = np.linalg.norm(B, axis=1)
        B[long > problem.lam] *= (problem.lam / long[long > problem.lam])[:, None]
        M = dual.product + B
        M = 0.5 * (M + M.T)
        values, vectors = pairs_above(M, problem.eta)
        size = norm(M) + norm(B)
        rest = dual.product_error + eigen_error(d, size)
        multipliers = Multipliers(
            inner=dual.inner,
            quadratic=dual.quadratic,
            inner_rounding=dual.inner_error,
            quadratic_rounding=dual.quadratic_error,
            lengths=dual.lengths,
            squared_columns=np.einsum("jk,jk->j", B, B) * (1.0 + sum_error(d)),
            diagonal=np.diag(B),
            projections=B @ vectors,
        )
        return multipliers.bound(problem, Excess(values - problem.eta, vectors, rest)).value
