"""What follows from a choice, from rows of S or from columns of the samples."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.linalg.blas import dsymv, dsyrk

from ..linalg.types import Array
from .candidates import Candidates
from .diverse import Repulsion
from .side import Side
from .sides import FeatureSide

# Choices that wait until they are taken from a matrix over all features at once: 32 and 128 take as
# long on isolet and pie (benchmarks/regimes.py), but for a few percent.
LAG = 64


class AllFeatures(Candidates):
    """All features from S, with a matrix in its place from which many choices at once are taken.

    R is that matrix less V'V of the choices since: these are few rows, and the others cost nothing
    any more.
    """

    def __init__(self, side: Any, *given: Any) -> None:
        super().__init__(side, *given)
        self.gram, self.roots = side.gram, side.roots
        # One triangle, in the order that BLAS expects, and how many choices are taken from it.
        self.matrix, self.taken = side.gram.T, 0

    def _step(self, place: int) -> tuple[float, float]:
        if self.count - max(self.taken, self.first) >= LAG:
            self._take()
        since, v = self.roots[self.taken : self.count], self.roots[self.count]
        # The column of a symmetric matrix, of which one half is known.
        v[:place], v[place:] = self.matrix[:place, place], self.matrix[place, place:]
        v -= since[:, place].dot(since)
        v /= math.sqrt(float(v[place]) + self.ridge + float(self.own[place]))
        since = self.roots[self.taken : self.count + 1]
        inside = since.dot(v)
        lost = float(inside[-1])
        inside *= -2.0
        inside[-1] = -lost
        inside.dot(since, self.change)
        # In the place of the last argument, which is returned.
        dsymv(2.0, self.matrix, v, 1.0, self.change, overwrite_y=1)
        self.v[:] = v
        np.multiply(self.gram[place], self.roots_of_inverse[place], self.column)
        return lost, float(v.dot(self.change))

    def _take(self) -> None:
        """Take the choices since from the matrix; at first it is S, which others need as it is."""
        since, is_copy = self.roots[self.taken : self.count], self.taken > 0
        self.matrix = dsyrk(-1.0, since.T, 1.0, self.matrix, overwrite_c=is_copy)
        self.taken = self.count


class FeatureCandidates(Candidates):
    """Some features, from their rows of S."""

    def __init__(self, side: Any, *given: Any) -> None:
        super().__init__(side, *given)
        self.gram, self.known = side.gram, side.roots
        self.rows = side.gram[self.features]
        self.here = np.empty((len(side.roots), self.features.size))
        self.here[: side.count] = side.known[:, self.features]

    def _step(self, place: int) -> tuple[float, float]:
        known, here, count = self.known[: self.count + 1], self.here[: self.count + 1], self.count
        column, v = self.gram[self.features[place]], known[count]
        np.subtract(column, here[:count, place].dot(known[:count]), v)
        v /= math.sqrt(float(v[self.features[place]]) + self.ridge + float(self.own[place]))
        inside = known.dot(v)
        lost = float(inside[count])
        inside *= -2.0
        inside[count] = -lost
        np.take(v, self.features, out=here[count])
        np.add(inside.dot(here), 2.0 * self.rows.dot(v), self.change)
        self.v[:] = here[count]
        np.multiply(column[self.features], self.roots_of_inverse[place], self.column)
        return lost, 0.0


class SampleCandidates(Candidates):
    """Candidates from columns x of the samples: v = Z'a with a along x - B'B x."""

    def __init__(self, side: Any, *given: Any) -> None:
        super().__init__(side, *given)
        self.columns = np.ascontiguousarray(side.samples.columns(self.features))
        self.twice = side.twice
        # Coordinates of what a step finds, and what it has in the rows of B.
        self.point, self.mapped = np.empty((2, len(self.columns)))
        self.turned = np.empty((len(side.roots) - self.first, len(self.columns)))
        self.inside = np.empty(len(side.roots))

    def _step(self, place: int) -> tuple[float, float]:
        x, mapped, count = self.point, self.mapped, self.count
        turned = self.turned[count - self.first]
        roots, columns, after = self.side.roots, self.columns, count + 1
        before, known, a = roots[:count], roots[:after], roots[count]
        x[:] = columns[:, place]
        before.dot(x, self.inside[:count]).dot(before, a)
        np.subtract(x, a, a)
        a /= math.sqrt(float(x.dot(a)) + self.ridge + float(self.own[place]))
        self.twice.dot(a, mapped)
        inside = known.dot(mapped, self.inside[:after])
        lost = 0.5 * float(inside[count])
        inside[count] = lost
        np.subtract(mapped, inside.dot(known, turned), turned)
        x *= self.roots_of_inverse[place]
        # One vector at a time: BLAS takes twice as long for a product of three rows.
        x.dot(columns, self.column)
        a.dot(columns, self.v)
        turned.dot(columns, self.change)
        return lost, 0.5 * float(mapped.dot(turned))

    @property
    def changes(self) -> Array:
        """Coordinates of the changes of all choices."""
        return self.turned[: self.count - self.first]


def candidates(side: Side, weights: Repulsion, features: Array, *given: Any) -> Candidates:
    """Return candidates that follow from the side."""
    kind: type[Candidates] = SampleCandidates
    if isinstance(side, FeatureSide):
        is_whole = features.size == side.gains.left.size
        kind = AllFeatures if is_whole else FeatureCandidates
    return kind(side, weights, features, *given)
