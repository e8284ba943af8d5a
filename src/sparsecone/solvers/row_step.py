"""A step for all rows of the factor at once: the column norms exactly, the rest by its curvature.

With A = L'L the penalty of row l_j is `lam |L l_j| = lam sqrt(l_j A l_j')`. In a basis in which A
is the identity and the curvature C of the rest is diagonal, a row that minimises

    <g_j, l> + (l - l_j) C (l - l_j)' / 2 + lam sqrt(l A l')

is the root of a secular equation, and zero where that is best. Unlike a step along the gradient of
the smoothed norms it follows features that enter or leave W as easily as any other.

Within the span of L the best W is sought anyway, so C is that of steps z y' out of it. Where
X' diag(omega) X z = m z, the objective grows by half of

    y' (L'H + lam L' diag(1/G) L + 2 eta I - m (2 I - A)) y ,

of which the second part is how the norms change with A. Nothing that is left outside has m above
eta, and most of it far less.

A row that is zero gets the short one that the smoothing has there, `sqrt(eps / (1 - s)) b_j / lam`
with s = |b_j|^2 / lam^2: its multiplier is then b_j, as the certificate wants it.
"""

from __future__ import annotations

import numpy as np

from ..linalg.basis import whitened
from ..linalg.secular import shrink_rows
from ..model.problem import Point

# Directions of the factor whose squared length is below this fraction of the largest vanish.
VANISHING = 1e-6
# The least curvature of a direction, relative to their mean.
FLOOR = 1e-2
# What stands for m, as a part of eta: of 0 to 0.9 the one with the fewest steps on most of the data
# of benchmarks/regimes.py; from 0.15 to 0.4 the steps are nearly the same.
OUTSIDE = 0.3
# The largest s: a row about to enter is not filled in as if it were large.
LARGEST_SQUARE = 0.999
# The s below which a row stays zero: it would shrink with every step until its square underflows.
NEGLIGIBLE = 1e-60
# Rows treated at once, for the sake of memory.
BLOCK = 4096


def row_step(point: Point, stiffness: float, vanishing: float = VANISHING) -> Point:
    """Return the point after one step of all rows, for lam > 0 and no offset.

    Parameters
    ----------
    point : Point
        Where to start, with the smoothing that counts.
    stiffness : float
        Multiple of the curvature: larger values make shorter steps.
    vanishing : float
        The squared length, as a part of the largest, below which a direction is left as it is.
    """
    problem, L, lam = point.problem, point.L, point.problem.lam
    scaled = L / point.smooth_scores[:, None]
    curvature = L.T @ (point.data.H + lam * scaled)
    curvature = 0.5 * stiffness * (curvature + curvature.T)
    least = FLOOR * float(np.trace(curvature)) / len(curvature)
    curvature += (OUTSIDE * stiffness * problem.eta) * point.A
    least += 2.0 * (1.0 - OUTSIDE) * stiffness * problem.eta
    curvature[np.diag_indices_from(curvature)] += least
    white = whitened(point.lengths, vanishing)
    curvatures, turn = np.linalg.eigh(white.transform.T @ curvature @ white.transform)
    basis = white.transform @ turn
    linear = L @ (curvature @ basis) - point.gradient @ basis
    linear += scaled @ (lam * point.A @ basis)
    rows = np.empty_like(linear)
    for first in range(0, len(L), BLOCK):
        part = slice(first, first + BLOCK)
        rows[part] = shrink_rows(0.5 * linear[part], 0.5 * curvatures, lam)
    zero = ~np.any(rows, axis=1)
    squares = np.einsum("jk,jk->j", linear[zero], linear[zero]) / lam**2
    shares = np.sqrt(point.eps / (1.0 - np.minimum(squares, LARGEST_SQUARE))) / lam
    shares[squares < NEGLIGIBLE] = 0.0
    rows[zero] = shares[:, None] * linear[zero]
    del linear
    # Directions that vanish are left as they are: multipliers of zero rows may need them.
    factor = np.column_stack([rows @ basis.T, L @ white.dropped])
    return point.nearby(factor)
