"""Row-sparse projections: the problem that several selectors have in common.

Minimise  tr(V' M V) + gamma sum_i (|v^i|^2 + eps)^(p/2)  over  V' V = I,

v^i the rows of V, one a feature, eps the machine precision. The concave penalty is replaced by its
tangent in |v^i|^2 again and again, and each time V is an eigenproblem: no step raises the value.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...linalg.types import Array
from .dirichlet import EPS, TOLERANCE, DirichletForm
from .projection import Projection


@dataclass(frozen=True)
class RowPenalty:
    """The penalty gamma sum_i (|v^i|^2 + eps)^(p/2)."""

    gamma: float
    p: float

    def value(self, V: Array) -> float:
        """Return the penalty of V."""
        return self.gamma * float(np.sum(self._squares(V) ** (self.p / 2)))

    def slopes(self, V: Array) -> Array:
        """Return its derivative in each |v^i|^2."""
        return self.gamma * self.p / 2 * self._squares(V) ** (self.p / 2 - 1)

    @staticmethod
    def _squares(V: Array) -> Array:
        return np.asarray(np.sum(V**2, axis=1) + EPS)


def fit_row_sparse(
    scatter: DirichletForm,
    penalty: RowPenalty,
    n_components: int,
    *,
    max_iter: int,
    rtol: float = 0.0,
    atol: float = 0.0,
) -> Projection:
    """Solve the problem of this module from equal weights, that is, from eigenvectors of M.

    Parameters
    ----------
    scatter : DirichletForm
        The matrix M.
    penalty : RowPenalty
        The penalty, with its gamma and p.
    n_components : int
        Columns of V.
    max_iter : int
        Largest number of eigenproblems.
    rtol, atol : float, default=0.0
        Stop where the value falls by no more than rtol times it plus atol. A residual of an
        eigenproblem changes the value by its square, so that it may be a tenth of the root of the
        last relative fall, and of rtol where the value would rise otherwise.

    Returns
    -------
    Projection
        V and the history of the value.
    """
    V, fall = scatter.flattest(n_components), 1.0
    objective = [scatter.energy(V) + penalty.value(V)]
    while len(objective) < max_iter:
        weights, start = penalty.slopes(V), V
        # Without rtol every eigenproblem is solved as it would be at the end.
        for accuracy in (fall, rtol) if rtol else (0.0,):
            tolerance = max(TOLERANCE, 0.1 * accuracy**0.5)
            V, energy = scatter.flattest_penalised(weights, start, tolerance)
            value = energy + penalty.value(V)
            if value <= objective[-1]:
                break
        objective.append(value)
        if objective[-2] - value <= rtol * value + atol:
            break
        fall = max(rtol, (objective[-2] - value) / value)
    return Projection(V=V, objective=np.array(objective))
