"""Multipliers of the samples, shorter where M exceeds eta: a repair that leaves all others alone.

For a loss whose multipliers are bounded in length the dual objective is all but linear in them, so
that scaling all of them by eta / (eta + e) costs e / eta of the whole objective, whichever one
direction exceeds eta by e. With an orthonormal basis Q that contains it and 0 <= p <= I,

    A'  =  (I - Q p Q') A

is no longer than A, sample by sample, and M becomes M - sym(Q p Z') with Z = X'A'Q: nothing changes
outside of the span of Q. At the optimum Q'Z is eta and a little more in the range of W, so a p of
about what exceeds eta, divided by that, takes it away, at a cost of about the trace of it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from ..linalg.rounding import norm, sum_error
from ..linalg.types import Array
from ..model.problem import Point
from .dual_point import Excess
from .matrix import low_rank_part, matrix_rounding
from .span import SpanPart

# The least eigenvalue of Q'Z that p is divided by, as a part of eta.
LEAST = 0.5
# The largest eigenvalue of p.
MOST = 1.0


@dataclass(frozen=True)
class Damping:
    """Multipliers (I - Q p Q') A in the place of those at a point without an offset.

    Attributes
    ----------
    start : SpanPart
        M - eta I with the multipliers at the point.
    image : ndarray of shape (n_features, rank)
        Z = X'A'Q.
    image_error : float
        How far it may be off, in the spectral norm.
    least : float
        What p is divided by at least.
    core : ndarray of shape (rank, rank)
        p.
    part : SpanPart
        M - eta I with the multipliers as they are now.
    """

    start: SpanPart
    image: Array
    image_error: float
    least: float
    core: Array
    part: SpanPart

    @classmethod
    def of(cls, point: Point, part: SpanPart) -> Self:
        """Return the multipliers at a point as they are."""
        basis, eta = part.basis, point.problem.eta
        left, right = low_rank_part(point)
        inside = left.T @ basis
        # (M - eta I) Q is known: X'A' is M less what B and the other half of A X have in it.
        image = part.leaving + basis @ part.inside + eta * basis
        image += 0.5 * (left @ (right.T @ basis) + right @ inside) - point.data.H @ inside
        width = float(np.sqrt(basis.shape[1]))
        error = 2.0 * part.error + 4.0 * width * matrix_rounding(point, left, right)
        error += sum_error(len(basis)) * width * (norm(part.inside) + norm(part.leaving) + eta)
        return cls(part, image, error, LEAST * eta, np.zeros_like(part.inside), part)

    @cached_property
    def inside(self) -> Array:
        """Q'Z."""
        return self.start.basis.T @ self.image

    @cached_property
    def _decomposed(self) -> tuple[Array, Array]:
        values, vectors = np.linalg.eigh(0.5 * (self.inside + self.inside.T))
        return np.maximum(values, self.least), vectors

    def cancelled(self, excess: Excess) -> Self | None:
        """Return the multipliers without what M has above eta, or None where that is too much.

        With a diagonal Q'Z = diag(z) the equation for p is p_kl (z_k + z_l) / 2 = e_kl. Its
        solution is positive semidefinite where e is.
        """
        if excess.values.size == 0:
            return None
        z, turn = self._decomposed
        root = turn.T @ (self.start.basis.T @ (excess.vectors * np.sqrt(excess.values)))
        more = turn @ (2.0 * (root @ root.T) / np.add.outer(z, z)) @ turn.T
        core = self.core + 0.5 * (more + more.T)
        # What rounding may have made negative: with p >= 0 no multiplier is longer than before.
        k = len(core)
        core[np.diag_indices(k)] += 4.0 * k * sum_error(2 * k) * norm(root) ** 2 / self.least
        if not np.isfinite(core).all() or np.linalg.eigvalsh(core)[-1] > MOST:
            return None
        part = self.start.changed(self.image @ core)
        off = 2.0 * (self.image_error + sum_error(k) * norm(self.image)) * norm(core)
        found = replace(self, core=core, part=replace(part, error=part.error + off))
        vars(found).update(inside=self.inside, _decomposed=self._decomposed)
        return found

    @property
    def lost(self) -> float:
        """What <A, X'> is smaller by."""
        return float(np.vdot(self.core, self.inside))

    @property
    def lost_error(self) -> float:
        """How far that may be off."""
        d, k = self.image.shape
        size = norm(self.image) * np.sqrt(k)
        off = float(np.sqrt(k) * self.image_error + sum_error(d + k * k) * size)
        return 2.0 * off * norm(self.core)
