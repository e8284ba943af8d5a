"""All eigenvalues of a large matrix from single precision, its leading pairs from double.

The reduction to a tridiagonal matrix reads all that is left of a matrix for each of its columns: in
single precision it takes half of the time. Its eigenvectors span the leading ones of the matrix but
for about 1e-5, some more than are asked for those that are all the better. In their span the pairs
are found in double precision, and what they leave, G U - U diag(values), is measured.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.linalg

from ..linalg.rounding import UNIT_SINGLE, eigen_error, norm
from ..linalg.tridiagonal import Tridiagonal
from ..linalg.types import Array
from .pairs import ROUNDING, Eigenvalues, Spectrum
from .ritz import Ritz

# Sums of so many eigenvalues may be off by so much of the trace.
MANY, LOOSE = 500, 2e-3
# Vectors are sought for so many more pairs than are asked for: a part of them, and some.
PART, SOME = 0.25, 8
# The part of all pairs up to which this pays.
FEW = 0.2
# Leading vectors that are multiplied with the matrix first, and how often: what single precision
# leaves in the largest of them is large beside all others.
LARGEST, TIMES = 16, 2
# How far from orthogonal vectors may be that single precision gives one after the other.
SKEWED = 1e-3
# What U'R counts beside that the vectors X'u are as far from orthogonal as it is large.
JOINED = 2.0


def is_enough(matrix: Array, trace: float) -> bool:
    """Return whether eigenvalues from single precision are off by little beside the trace."""
    size = len(matrix)
    return bool(np.sqrt(min(MANY, size)) * single_error(matrix) <= LOOSE * trace)


def single_error(matrix: Array) -> float:
    """Return how far a decomposition in single precision is off, in the norm of Frobenius."""
    return eigen_error(len(matrix), norm(matrix), UNIT_SINGLE)


class Rough:
    """The smaller side of X'X, reduced in single precision; leading pairs as they are needed.

    Parameters
    ----------
    samples : Data
        The samples.
    matrix : ndarray of shape (size, size)
        X'X or X X', the whole of it.
    off : float
        How far that is off.
    is_projected : bool
        Whether it is X X'.
    """

    def __init__(self, samples: Any, matrix: Array, off: float, *, is_projected: bool) -> None:
        self.samples, self.matrix, self.is_projected = samples, matrix, is_projected
        reduced = self._reduced()
        self.reduced: Tridiagonal | None = reduced
        self.values = np.maximum(reduced.values, 0.0)
        self.spread = single_error(matrix)
        self.off = off + eigen_error(len(matrix), float(self.values[0]))
        self.found: Ritz | None = None
        self.vectors = np.zeros((samples.n_features, 0))

    def _reduced(self) -> Tridiagonal:
        # The transpose of a symmetric matrix is itself, in the order that LAPACK expects.
        return Tridiagonal(self.matrix.T, single=True)

    def eigenvalues(self) -> Eigenvalues:
        """Return all eigenvalues, those that are found exactly by their pairs."""
        if self.found is None:
            return Eigenvalues(self.values, self.off, self.spread, 0)
        found, values = self.found, self.values.copy()
        known = int(np.count_nonzero(found.values >= found.outside))
        values[:known] = found.values[:known]
        return Eigenvalues(values, self.off + found.error, self.spread, known)

    def leading(self, threshold: float, most: int | None = None) -> Spectrum | None:
        """Return the eigenpairs above the threshold, at most so many; None where they are many."""
        size = self.values.size
        least = max(threshold, ROUNDING * float(self.values[0]))
        count = int(np.count_nonzero(self.values > least))
        count = count if most is None else min(count, most)
        if count > FEW * size:
            return None
        if self.found is None or count >= self.found.values.size:
            self._find(min(size, int((1.0 + PART) * count) + SOME))
        assert self.found is not None
        found = self.found
        above = int(np.count_nonzero(found.values > least))
        count = above if most is None else min(above, most)
        self._extend(count)
        vectors = self.vectors[:, :count]
        return Spectrum(found.values[:count], vectors, found.floor(count), self._error(count))

    def _find(self, count: int) -> None:
        """Find so many leading pairs in the span of the vectors from single precision.

        Those with vectors over the features stay as they are, unless others turn out to lead.
        """
        kept = self.vectors.shape[1]
        found = self._continued(self.found, kept, count) if self.found and kept else None
        if found is None:
            self.vectors = self.vectors[:, :0]
            given = self._given(0, count)
            found = self._ritz(self._powered(given), given, Ritz.nothing(self.values.size))
        self.found = found

    def _given(self, first: int, last: int) -> Array:
        """Return vectors from single precision."""
        self.reduced = self.reduced or self._reduced()
        return self.reduced.vectors(first, last)

    def _powered(self, given: Array) -> Array:
        """Return vectors of which the leading ones are multiplied with the matrix."""
        span = given.copy()
        for _ in range(TIMES):
            first = self.matrix @ span[:, :LARGEST]
            lengths = np.linalg.norm(first, axis=0)
            # A vector that the matrix takes to zero stays as it is.
            moved = np.flatnonzero(lengths > 0.0)
            span[:, moved] = first[:, moved] / lengths[moved]
        return span

    def _continued(self, before: Ritz, kept: int, count: int) -> Ritz | None:
        """Return more pairs beside the first ones; None where these do not lead any more."""
        given, known = self._given(before.values.size, count), before.first(kept)
        if norm(before.given.T @ given) > SKEWED:
            return None
        span = np.column_stack([before.vectors[:, kept:], given])
        # They are all but orthogonal: once is enough.
        span -= known.vectors @ (known.vectors.T @ span)
        found = self._ritz(span, given, known)
        return found if found.values[kept] <= found.values[kept - 1] else None

    def _ritz(self, span: Array, given: Array, known: Ritz) -> Ritz:
        """Return pairs in a span beside those that are known, to whose vectors it is orthogonal.

        It is made of the vectors that are given, and of those that were given for the known pairs.
        """
        span, _ = scipy.linalg.qr(span, mode="economic", overwrite_a=True, check_finite=False)
        image = self.matrix @ span
        values, turn = scipy.linalg.eigh(span.T @ image)
        values, turn = values[::-1], turn[:, ::-1]
        vectors = span @ turn
        residuals = image @ turn - vectors * values
        values = np.concatenate([known.values, values])
        vectors = np.column_stack([known.vectors, vectors])
        # What the span has lost of the vectors from single precision counts by its square.
        first, count, single = known.given.shape[1], values.size, self.values
        left = (given - vectors @ (vectors.T @ given)) * np.sqrt(single[first:count])
        lost = known.lost + norm(left) ** 2
        solved = eigen_error(len(single), float(single[0]), UNIT_SINGLE)
        outside = lost + min(solved, self.spread)
        # So does, twice, how far they are from orthogonal to those that came before.
        outside += 2.0 * norm(known.given.T @ given) * float(single[first:].max(initial=0.0))
        outside += float(single[count]) if count < single.size else 0.0
        return Ritz(
            values,
            vectors,
            np.column_stack([known.residuals, residuals]),
            np.column_stack([known.given, given]),
            lost,
            outside,
        )

    def _extend(self, count: int) -> None:
        """Keep vectors over the features of so many pairs."""
        known = self.vectors.shape[1]
        if count <= known:
            return
        assert self.found is not None
        more = self.found.vectors[:, known:count]
        if self.is_projected:
            more = self.samples.backproject(more)
            more /= np.sqrt(np.einsum("jk,jk->k", more, more))
        self.vectors = np.column_stack([self.vectors, more])

    def _error(self, count: int) -> float:
        """Return how far X'X, or X X', is from a matrix with the first pairs."""
        assert self.found is not None
        if count == 0:
            return self.off
        found, residual = self.found, self.found.residual(count)
        if not self.is_projected:
            return self.off + residual
        # X' takes what leaves the span no farther than what is outside of it says, and each of the
        # vectors in it as far as its eigenvalue.
        values = found.values[:count]
        least, lengths = float(values[-1]), np.sqrt(np.maximum(found.values, 0.0))
        beyond, largest = math.sqrt(found.outside / least), math.sqrt(float(values[0]) / least)
        joined = norm(lengths[:, None] * found.inside[:, :count] / np.sqrt(values))
        return max(beyond, 1.0) * residual + JOINED * joined + largest * self.off
