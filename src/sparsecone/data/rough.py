"""All eigenvalues of a large matrix from single precision, its leading pairs from double.

The reduction to a tridiagonal matrix reads all that is left of a matrix for each of its columns: in
single precision it takes half of the time. Its eigenvectors span the leading ones of the matrix but
for about 1e-5, some more than are asked for those that are all the better. In their span the pairs
are found in double precision, and what they leave, G U - U diag(values), is measured.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg

from ..linalg.rounding import UNIT_SINGLE, eigen_error, norm
from ..linalg.tridiagonal import Tridiagonal
from ..linalg.types import Array
from .pairs import ROUNDING, Eigenvalues, Spectrum

# Sums of so many eigenvalues may be off by so much of the trace.
MANY, LOOSE = 500, 2e-3
# Vectors are sought for so many more pairs than are asked for: a part of them, and some.
PART, SOME = 0.25, 8
# The part of all pairs up to which this pays.
FEW = 0.2
# Leading vectors that are multiplied with the matrix first, and how often: what single precision
# leaves in the largest of them is large beside all others.
LARGEST, TIMES = 16, 2


def is_enough(matrix: Array, trace: float) -> bool:
    """Return whether eigenvalues from single precision are off by little beside the trace."""
    size = len(matrix)
    return bool(np.sqrt(min(MANY, size)) * single_error(matrix) <= LOOSE * trace)


def single_error(matrix: Array) -> float:
    """Return how far a decomposition in single precision is off, in the norm of Frobenius."""
    return eigen_error(len(matrix), norm(matrix), UNIT_SINGLE)


@dataclass(frozen=True)
class Ritz:
    """Pairs of a matrix G in a span, from which G leads out by little.

    Attributes
    ----------
    values, vectors : ndarray of shape (k,) and (size, k)
        The pairs, the largest first.
    leaving : ndarray of shape (k, k)
        R'R with R = G U - U diag(values).
    leak : float
        The norm of U'R, which would be zero but for rounding.
    outside : float
        What G does not exceed outside of the span.
    """

    values: Array
    vectors: Array
    leaving: Array
    leak: float
    outside: float

    def residual(self, count: int) -> float:
        """Return the spectral norm of the first columns of R."""
        square = self.leaving[:count, :count]
        return float(np.sqrt(np.linalg.norm(square, 2))) if count else 0.0

    def floor(self, count: int) -> float:
        """Return what G does not exceed outside of the span of the first vectors."""
        others = self.values[count:]
        return max(float(others.max(initial=0.0)), self.outside) + self.residual(self.values.size)


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
        return Eigenvalues(values, self.off + found.residual(found.values.size), self.spread, known)

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
        """Find so many leading pairs in the span of the vectors from single precision."""
        reduced = self.reduced or self._reduced()
        self.reduced = reduced
        given, matrix = reduced.vectors(0, count), self.matrix
        span = given.copy()
        for _ in range(TIMES):
            first = matrix @ span[:, :LARGEST]
            lengths = np.linalg.norm(first, axis=0)
            # A vector that the matrix takes to zero stays as it is.
            moved = np.flatnonzero(lengths > 0.0)
            span[:, moved] = first[:, moved] / lengths[moved]
        span, _ = scipy.linalg.qr(span, mode="economic", overwrite_a=True, check_finite=False)
        image = matrix @ span
        values, turn = scipy.linalg.eigh(span.T @ image)
        values, turn = values[::-1], turn[:, ::-1]
        vectors = span @ turn
        leaving = image @ turn - vectors * values
        leak = norm(vectors.T @ leaving)
        # What the span has lost of the vectors from single precision counts by its square.
        lost = (given - vectors @ (vectors.T @ given)) * np.sqrt(self.values[:count])
        outside = norm(lost) ** 2
        outside += min(eigen_error(len(matrix), float(self.values[0]), UNIT_SINGLE), self.spread)
        outside += float(self.values[count]) if count < self.values.size else 0.0
        self.found = Ritz(values, vectors, leaving.T @ leaving, leak, outside)
        self.vectors = self.vectors[:, :0]

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
        # What leaves the span is outside of it, and X' takes it no farther than that says.
        least = float(found.values[count - 1])
        beyond, largest = np.sqrt(found.outside / least), np.sqrt(float(found.values[0]) / least)
        return float(max(beyond, 1.0) * residual + largest * (found.leak + self.off))
