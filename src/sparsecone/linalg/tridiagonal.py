"""A symmetric matrix reduced to a tridiagonal one, once: then any part of its spectrum is cheap."""

from __future__ import annotations

import numpy as np
import scipy.linalg
from scipy.linalg import lapack

from .rounding import TINY
from .threads import large
from .types import Array

# The part of the multiplications of a reduction that several threads share well.
SHARED = 0.1
# Columns that LAPACK turns at once.
BLOCK = 64
# Eigenvectors are few where there are so many times as many: then a method finds them that takes no
# room for all.
FEW = 8
# The part of their own entries that joins two rows of T.
TOUCHING = np.finfo(float).eps


class Tridiagonal:
    """A symmetric matrix as Q T Q' with Q orthogonal and T tridiagonal; its lower triangle counts.

    Parameters
    ----------
    matrix : ndarray of shape (size, size)
        The matrix; by columns it is copied fastest.
    single : bool
        Whether it is reduced in single precision, which takes half of the time and memory. All that
        is done with T is in double precision.

    Attributes
    ----------
    values : ndarray of shape (size,)
        All eigenvalues, the largest first.
    """

    def __init__(self, matrix: Array, *, single: bool = False) -> None:
        size, unit, letter = len(matrix), 1.0, "s" if single else "d"
        if single:
            # A power of two, so that nothing overflows and nothing is rounded.
            unit = 2.0 ** np.frexp(np.abs(matrix.diagonal()).max(initial=TINY))[1]
            room = np.empty((size, size), dtype=np.float32, order="F")
            matrix = np.multiply(matrix, 1.0 / unit, out=room, casting="same_kind")
        work, _ = getattr(lapack, f"{letter}sytrd_lwork")(size, lower=1)
        reduction = getattr(lapack, f"{letter}sytrd")
        with large(SHARED * size**3):
            reduced, *bands, scales, _ = reduction(
                matrix, lower=1, lwork=int(work), overwrite_a=int(single)
            )
        self._diagonal, self._beside = (unit * band.astype(np.float64) for band in bands)
        # The reflections that make up Q leave the first coordinate alone.
        self._turn = getattr(lapack, f"{letter}ormqr")
        self._reflections = _moved(reduced), scales
        self.values = scipy.linalg.eigvalsh_tridiagonal(self._diagonal, self._beside)[::-1]

    def vectors(self, first: int, last: int) -> Array:
        """Return the eigenvectors of the eigenvalues from the first on, before the last."""
        if last <= first:
            return np.zeros((self.values.size, 0))
        found = self._small_vectors(first, last)
        if len(found) > 1:
            sizes = {"lwork": BLOCK * found.shape[1]}
            found[1:] = self._turn("L", "N", *self._reflections, found[1:], **sizes)[0]
        return found

    def _small_vectors(self, first: int, last: int) -> Array:
        """Return eigenvectors of T."""
        size, bands = self.values.size, (self._diagonal, self._beside)
        part, few = (size - last, size - first - 1), size >= FEW * (last - first)
        if few and not self._is_split:
            # The eigenvalues are known: inverse iteration is all that is left.
            values, ends = self.values[first:last][::-1], np.zeros(size, dtype=np.int32)
            ends[0] = size
            vectors, failed = lapack.dstein(*bands, values, np.ones_like(ends), ends)
            if not failed and np.isfinite(vectors).all():
                return np.ascontiguousarray(vectors[:, ::-1])
        for driver in ("stebz", "stemr") if few else ("stemr",):
            try:
                _, vectors = scipy.linalg.eigh_tridiagonal(
                    *bands, select="i", select_range=part, lapack_driver=driver
                )
            except np.linalg.LinAlgError:
                # LAPACK's methods for a part of the spectrum may fail where values all but agree.
                continue
            # Or say nothing of it.
            if np.isfinite(vectors).all():
                return np.ascontiguousarray(vectors[:, ::-1])
        vectors = scipy.linalg.eigh_tridiagonal(*bands)[1][:, part[0] : part[1] + 1]
        return np.ascontiguousarray(vectors[:, ::-1])

    @property
    def _is_split(self) -> bool:
        """Whether T is made of parts that hardly touch: inverse iteration would need them apart."""
        diagonal = np.abs(self._diagonal)
        return bool((self._beside**2 <= TOUCHING**2 * diagonal[1:] * diagonal[:-1]).any())


def _moved(matrix: Array) -> Array:
    """Return a square matrix by columns without its first row and last column, in its memory."""
    size = len(matrix)
    places = matrix.reshape(-1, order="F")
    for column in range(size - 1):
        start = column * (size - 1)
        places[start : start + size - 1] = places[start + column + 1 : start + column + size]
    return places[: (size - 1) ** 2].reshape((size - 1, size - 1), order="F")
