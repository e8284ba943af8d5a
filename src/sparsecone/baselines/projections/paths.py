"""Least angle paths of several targets, side by side, in blocks of steps.

The steps of a block are taken among the few features that are next as the paths go; products with
all features show afterwards how many of them were right. With C the correlation that is left, a
residual is a polygon in C. Between the ends of a block it is within `off` of a line, and what is
left of a feature x within |x| off: few features can be ahead of the chosen ones in between, and
they are looked at where each step ends.
"""

from __future__ import annotations

import numpy as np

from ...linalg.types import Array
from .feature_vectors import FeatureVectors
from .path_block import Block
from .path_steps import DISTINCT, NONE, Correlations, Indices, Record
from .sample_vectors import SampleVectors

# Features that a block chooses from, for each of its steps.
CANDIDATES = 3
# The part of the first correlation that the others may be off by.
ROUNDING = 1e-13


class Paths:
    """Paths of several targets.

    Parameters
    ----------
    vectors : SampleVectors or FeatureVectors
        The orthonormal vectors of the paths; none yet.
    b : ndarray of shape (n_paths, n_features)
        X'y of each target.
    n_steps : int
        How many steps they have in the end.
    """

    def __init__(self, vectors: SampleVectors | FeatureVectors, b: Array, n_steps: int) -> None:
        self.now, self.count, self.vectors = Correlations.of(b), 0, vectors
        self.reach = np.sqrt(self.vectors.squares)
        self.rounding = ROUNDING * self.now.left[:, 0]
        self.records = [Record.of(n_steps) for _ in self.now.c]
        while self.count < n_steps:
            self._go_on(min(vectors.block, n_steps - self.count))

    def ends(self) -> list[tuple[Array, int]]:
        """Return the coefficients where the next features would be chosen, and their number."""
        speed = self.now.speeds().max(axis=1)
        last = self.now.left[:, 0] * (speed / (1.0 + speed))
        pairs = zip(self.records, last, strict=True)
        return [record.end(left, self.reach.size) for record, left in pairs]

    def _go_on(self, n_steps: int) -> None:
        """Take the steps of another block."""
        now, count = self.now, self.count
        places, beyond, needed = self._next(CANDIDATES * n_steps)
        block = Block(now.at(places), beyond, needed, n_steps, starts=count == 0)
        now.go_to(block.left[:, :1])
        parts = self.vectors.add(block.places, block.triangle, count)
        then = self._after(block, n_steps)
        n_right = self._n_right(block, then.c, places)
        if n_right < n_steps:
            then = self._after(block, n_right)
        chosen = np.take_along_axis(places, block.places[:, :n_right], axis=1)
        np.put_along_axis(then.free, chosen, values=False, axis=1)
        self.now, self.count = then, count + n_right
        new = slice(count, self.count)
        for path, record in enumerate(self.records):
            record.chosen[new], record.goal[new] = chosen[path], block.goal[path, :n_right]
            record.left[new] = block.left[path, :n_right]
            record.triangle[new, :count] = parts[path, :n_right]
            record.triangle[new, new] = block.triangle[path, :n_right, :n_right]

    def _next(self, n_wanted: int) -> tuple[Indices, Array, Array]:
        """Return the features that are next if the paths go on as they do.

        Returns
        -------
        places : ndarray of shape (n_paths, n_next)
            Which they are, in order.
        beyond : ndarray of shape (n_paths, n_next, n_next)
            Their inner products without the parts along what was chosen.
        needed : ndarray of shape (n_paths, n_next)
            What their squares must exceed there for a feature to be chosen.
        """
        now, n_wanted = self.now, min(n_wanted, self.reach.size)
        while True:
            speeds = now.speeds() if self.count else np.abs(now.c)
            # Features that stand still come before those that cannot be chosen.
            speeds = np.where(now.free, speeds, -1.0)
            places = np.sort(np.argpartition(speeds, -n_wanted, axis=1)[:, -n_wanted:], axis=1)
            beyond = self.vectors.beyond(places, self.count)
            needed = DISTINCT * self.vectors.squares[places]
            distinct = np.diagonal(beyond, axis1=1, axis2=2) > needed
            np.put_along_axis(now.free, places, distinct, axis=1)
            # Copies of what was chosen may be all that is next.
            if np.all(distinct.any(axis=1) | ~now.free.any(axis=1)):
                return places, beyond, needed

    def _after(self, block: Block, n_steps: int) -> Correlations:
        """Return the correlations of all features after some steps of a block."""
        now, last = self.now, n_steps - 1
        goal = np.where(np.arange(block.goal.shape[1]) < n_steps, block.goal, 0.0)
        sums = self.vectors.sums(np.stack([block.fits[:, last], goal], axis=1))
        then = Correlations(now.c.copy(), now.e, now.free, now.left)
        then.go_to(block.left[:, last, None])
        then.c -= sums[:, 0]
        then.e = now.e - sums[:, 1]
        return then

    def _n_right(self, block: Block, c: Array, places: Indices) -> int:
        """Return how many steps of a block are right for all features, with c at its end."""
        left, fits, n_right = block.left, block.fits, block.left.shape[1]
        gone = left[:, :1] - left
        shares = gone / np.maximum(gone[:, -1:], NONE)
        off = np.linalg.norm(fits - shares[:, :, None] * fits[:, -1:], axis=2)
        first, last = left[:, :1] - np.abs(self.now.c), left[:, -1:] - np.abs(c)
        close = np.minimum(first, last) < np.multiply.outer(off.max(axis=1), self.reach)
        close &= self.now.free
        np.put_along_axis(close, places, values=False, axis=1)
        for path, found in enumerate(close):
            near = np.flatnonzero(found)
            room = np.multiply.outer(1.0 - shares[path], first[path, near])
            room += np.multiply.outer(shares[path], last[path, near])
            room -= np.multiply.outer(off[path], self.reach[near])
            near = near[np.any(room < 0.0, axis=0)]
            n_right = min(n_right, self._first_ahead(block, path, near))
        return n_right

    def _first_ahead(self, block: Block, path: int, near: Indices) -> int:
        """Return the first step at which one of some features is ahead of the chosen ones."""
        c, e, left = self.now.c[path, near], self.now.e[path, near], block.left[path]
        then = e + np.multiply.outer(left / max(left[0], NONE), c - e)
        then -= block.fits[path] @ self.vectors.products(path, near)
        ahead = np.abs(then).max(axis=1, initial=0.0) > left + self.rounding[path]
        # The first step was chosen among all.
        ahead[0] = False
        return int(ahead.argmax()) if ahead.any() else left.size
