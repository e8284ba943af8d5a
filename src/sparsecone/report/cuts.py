"""What every number of features explains, and who stands for whom at each of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from ..data import Data
from ..linalg.types import Array
from ..selectors.ceiling import ceiling
from ..selectors.curve import percents
from ..selectors.explanation import COPY
from ..selectors.parts import explained_parts

#: Numbers of features, at least where there are so many, that are tried.
FEWEST = 500
#: Entries of S, and multiplications for them, that the numbers beyond the first may take.
ENTRIES, AFFORDABLE = 2e7, 2e10
#: Correlations below this, in percent, say nothing.
LEAST = 20
#: Shares of the variance of a feature of which it is known when they are reached.
LEVELS = np.arange(1, 10) / 10.0


def n_tried(data: Data, n_selected: int, *, n_entries: int | None = None) -> int:
    """Return up to how many features everything is computed: all selected ones, where affordable.

    Examples
    --------
    >>> from sparsecone.data import as_rows
    >>> n_tried(as_rows(np.eye(30)), 6)
    30
    """
    n, d = data.n_samples, data.n_features
    entries = float(n * d if n_entries is None else n_entries)
    most = min(ENTRIES / d, AFFORDABLE / max(entries, 1.0))
    return max(1, min(d, max(n_selected, FEWEST), int(most)))


@dataclass(frozen=True, eq=False)
class Cuts:
    """An order of features, cut at 1, 2, ... up to `order.size` of them."""

    data: Data
    order: Array  #: The first features of the order.

    @cached_property
    def _columns(self) -> Array:
        return self.data.gram_columns(self.order)

    @cached_property
    def _parts(self) -> Array:
        return explained_parts(self.data, self.order, self._columns)

    @cached_property
    def explained(self) -> Array:
        """Share of the variance of all features that so many first ones explain."""
        unit = max(self.data.trace, np.finfo(float).tiny)
        return np.minimum(np.cumsum(self._parts.sum(axis=1)) / unit, 1.0)

    @cached_property
    def ceiling(self) -> Array:
        """No selection of so many features explains a larger share."""
        return ceiling(self.data, self.order.size)

    def percent(self, number: int) -> tuple[float, float]:
        """Return both for so many features in percent, with one digit: the first rounded down."""
        return percents(self.explained[number - 1], self.ceiling[number - 1])

    @cached_property
    def _scale(self) -> Array:
        """One over the norm of each feature; 0 where it does not vary."""
        norms = np.sqrt(np.asarray(self.data.variances))
        return np.divide(1.0, norms, out=np.zeros_like(norms), where=norms > 0.0)

    def nearest(self, features: Array) -> list[list[int]]:
        """Return for some features when a chosen one was nearer than all before it, and how near.

        Entries come in pairs: the rank of the chosen feature, and the correlation in percent with
        its sign, 100 for copies only. Those below 20 are left out.
        """
        alike = self._scale[features, None] * self._columns[features] * self._scale[self.order]
        alike[features[:, None] == self.order] = 0.0
        percent = np.minimum(np.rint(100.0 * np.abs(alike)), 99.0).astype(np.int8)
        percent[np.abs(alike) >= COPY] = 100
        before = np.full_like(percent, LEAST - 1)
        np.maximum.accumulate(percent[:, :-1], axis=1, out=before[:, 1:])
        np.maximum(before, LEAST - 1, out=before)
        rows, places = np.nonzero(percent > before)
        signed = np.where(alike[rows, places] < 0.0, -1, 1) * percent[rows, places]
        pairs = np.column_stack([places + 1, signed]).ravel().tolist()
        ends = (2 * np.cumsum(np.bincount(rows, minlength=features.size))).tolist()
        return [pairs[start:end] for start, end in pairwise([0, *ends])]

    def reached(self, features: Array) -> list[list[int]]:
        """Return for some features how many first ones explain 10 %, 20 %, ... of its variance.

        Levels that are never reached are left out. More features never explain less.
        """
        shares = np.cumsum(self._parts[:, features], axis=0) * self._scale[features] ** 2
        numbers = np.stack([np.count_nonzero(shares < level, axis=0) + 1 for level in LEVELS])
        return [
            [number for number in column if number <= self.order.size]
            for column in numbers.T.tolist()
        ]
