"""The exact nearest neighbours, from inner products in single precision.

These take half the time of double precision. With q the squares of the samples x the closeness of
j to i is x_i'x_j - q_j / 2, largest for the nearest. Summed in chunks of n features it is off by at
most about n UNIT_SINGLE (q_i + q_j) / 2, because a sum of n terms in any order is off by n units of
the product of the lengths (Higham, Accuracy and Stability of Numerical Algorithms, section 3.1).
What such errors leave open is decided by differences of samples in double precision.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import gen_batches

from ..linalg.rounding import UNIT_SINGLE
from ..linalg.threads import large
from ..linalg.types import Array

Indices = NDArray[np.intp]
Single = NDArray[np.float32]

# Samples of a tile of products (transposes take ten times as long where it is a power of two), and
# features of a chunk of their sums.
TILE, CHUNK = 1000, 512
# Groups of a tile's samples for each neighbour that is looked for.
GROUPS = 4
# What rounding adds beside the products, in units: to samples, squares and differences.
BESIDE = 8.0
# Candidates for each neighbour beyond which single precision tells too little; and the products of
# all pairs that take as long as one difference of samples.
CANDIDATES, DIFFERENCE = 16, 64
# Pairs of entries whose differences stay in the cache.
ENTRIES = 2**15
# Samples are scaled where the largest of their squares is beyond it, or below its inverse.
MOST = 2.0**40


class Candidates(NamedTuple):
    """Pairs of samples that may be neighbours.

    Attributes
    ----------
    samples, others : ndarray of shape (n_pairs,)
        Which they are.
    most : ndarray of shape (n_pairs,)
        What their closeness does not exceed but by the error of the first of them.
    """

    samples: Indices
    others: Indices
    most: Single


def neighbours_in_single_precision(X: Array, n_neighbors: int) -> Indices | None:
    """Return the nearest neighbours of every sample, nearest first; of equal ones the first.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The samples.
    n_neighbors : int
        How many neighbours; fewer than there are samples.

    Returns
    -------
    ndarray of shape (n_samples, n_neighbors) or None
        None where single precision leaves too much open, as among duplicates.
    """
    search = Search(X, n_neighbors)
    found = search.candidates()
    if found is None:
        return None
    samples, others = found.samples, found.others
    closeness = found.most - search.errors[others]
    order = np.lexsort((-closeness, samples))
    samples, others, closeness = samples[order], others[order], closeness[order]
    starts = np.searchsorted(samples, np.arange(len(X)))
    # Two neighbours that follow each other are told apart by more than the errors of both.
    errors = search.errors + np.maximum.reduceat(search.errors[others], starts)
    parted = closeness[:-1] - closeness[1:] > 2.0 * errors[samples[1:]]
    runs = np.append(0, np.cumsum(parted | (samples[:-1] != samples[1:])))
    is_open = np.bincount(runs)[runs] > 1
    if DIFFERENCE * np.count_nonzero(is_open) > len(X) ** 2:
        return None
    squared = np.zeros(samples.size)
    squared[is_open] = squared_differences(X, samples[is_open], others[is_open])
    order = np.lexsort((others, squared, runs))
    return others[order][starts[:, None] + np.arange(n_neighbors)]


def squared_differences(X: Array, samples: Indices, others: Indices) -> Array:
    """Return |x_i - x_j|^2 of pairs of samples."""
    squared = np.empty(samples.size)
    length = max(1, ENTRIES // X.shape[1])
    for first in range(0, samples.size, length):
        pairs = slice(first, first + length)
        differences = X[samples[pairs]].astype(np.float64, copy=False)
        differences -= X[others[pairs]]
        squared[pairs] = np.einsum("ij,ij->i", differences, differences)
    return squared


class Search:
    """The candidates among all pairs of samples, tile by tile.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The samples.
    n_neighbors : int
        How many neighbours of each are looked for.

    Attributes
    ----------
    errors : ndarray of shape (n_samples,)
        A closeness of two samples is off by the sum of theirs at most.
    """

    def __init__(self, X: Array, n_neighbors: int) -> None:
        self.n_neighbors, n_features = n_neighbors, X.shape[1]
        self._samples, self._squares = _centred(X)
        length = min(CHUNK, n_features) + n_features / CHUNK
        self.errors = (0.5 * length + BESIDE) * UNIT_SINGLE * self._squares
        # Numbers that vanish, beside entries below the root of MOST.
        self.errors += 16.0 * n_features * np.sqrt(MOST) * float(np.finfo(np.float32).tiny)
        self._closest = np.full((len(X), n_neighbors), -np.inf, dtype=np.float32)

    def candidates(self) -> Candidates | None:
        """Return the pairs among which all neighbours are; None where they are too many."""
        found: list[Candidates] = []
        n_found, too_many = 0, CANDIDATES * self._closest.size
        for rows, columns in self._tiles():
            products = self._products(rows, columns)
            if rows != columns:
                found.append(self._near(columns, rows, products.T.copy()))
            found.append(self._near(rows, columns, products))
            n_found += sum(part.samples.size for part in found[-2:])
            if n_found > too_many:
                return None
        samples, others, most = map(np.concatenate, zip(*found, strict=True))
        near = most >= self._needed(slice(None))[samples]
        return Candidates(samples[near], others[near], most[near])

    def _tiles(self) -> Iterator[tuple[slice, slice]]:
        """Cut the pairs of samples into squares, each of which stands for its mirror image."""
        batches = list(gen_batches(len(self._samples), TILE))
        for place, rows in enumerate(batches):
            for columns in batches[: place + 1]:
                yield rows, columns

    def _products(self, rows: slice, columns: slice) -> Single:
        """Return inner products, the sums of those over chunks of features."""
        left, right = self._samples[rows], self._samples[columns]
        total, part = np.empty((2, len(left), len(right)), dtype=np.float32)
        with large(float(len(left)) * right.size):
            for chunk in gen_batches(left.shape[1], CHUNK):
                np.matmul(left[:, chunk], right[:, chunk].T, out=part if chunk.start else total)
                if chunk.start:
                    total += part
        return np.asarray(total)

    def _near(self, rows: slice, columns: slice, products: Single) -> Candidates:
        """Return the candidates of a tile, whose products are overwritten.

        No neighbour is beyond the closest of a few groups, one for each neighbour.
        """
        errors, n_others = self.errors[columns], products.shape[1]
        products -= (0.5 * self._squares[columns] + errors).astype(np.float32)
        if rows == columns:
            np.fill_diagonal(products, -np.inf)
        n_groups = min(n_others, GROUPS * self.n_neighbors)
        groups = np.arange(n_groups) * n_others // n_groups
        closest = np.maximum.reduceat(products, groups, axis=1)
        closest = np.concatenate([self._closest[rows], closest], axis=1)
        closest.partition(n_groups, axis=1)
        self._closest[rows] = closest[:, n_groups:]
        products += (2.0 * errors).astype(np.float32)
        places = np.flatnonzero(products >= self._needed(rows)[:, None])
        samples, others = np.divmod(places, n_others)
        most = products.ravel()[places]
        return Candidates(samples + rows.start, others + columns.start, most)

    def _needed(self, rows: slice) -> Single:
        """Return what the most of a candidate's closeness must reach, rounded down."""
        needed = self._closest[rows].min(axis=1) - 2.0 * self.errors[rows]
        return np.nextafter(needed.astype(np.float32), np.float32(-np.inf))


def _centred(X: Array) -> tuple[Single, Array]:
    """Return centred samples and their squares, scaled where they might overflow or vanish."""
    centred = np.empty(X.shape, dtype=np.float32)
    for _ in range(2):
        with np.errstate(over="ignore"):
            mean = X.mean(axis=0, dtype=np.float64)
            np.subtract(X, mean, out=centred, dtype=np.float64, casting="same_kind")
        squares = np.einsum("ij,ij->i", centred, centred, dtype=np.float64)
        if 1.0 / MOST < squares.max() < MOST:
            break
        reach = max(float(X.max()), -float(X.min()))
        # By a power of two, which rounds nothing.
        X = np.ldexp(X, -int(np.frexp(reach)[1]))
    return centred, squares
