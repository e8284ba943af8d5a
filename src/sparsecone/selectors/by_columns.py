"""Samples by their columns: one column at a time, and products with X', many times over."""

from __future__ import annotations

import numpy as np

from ..data import Rows
from ..linalg.types import Array


class ByColumns:
    """Centred samples; sparse ones are held by columns as well, where one is found at once.

    Parameters
    ----------
    rows : Rows
        The samples.
    """

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.stored = rows.matrix.tocsc().astype(np.float64) if rows.is_sparse else None

    def column(self, feature: int) -> Array:
        """Return a centred column."""
        if self.stored is None:
            return self.rows.columns(np.array([feature]))[:, 0]
        part = slice(*self.stored.indptr[feature : feature + 2])
        offset = 0.0 if self.rows.offset is None else float(self.rows.offset[feature])
        column = np.full(self.rows.n_samples, -offset)
        column[self.stored.indices[part]] += self.stored.data[part]
        return column

    def backproject(self, P: Array) -> Array:
        """Return X'P; products of a sparse matrix with a few columns are faster one by one."""
        if self.stored is None:
            return self.rows.backproject(P)
        back = np.column_stack([self.stored.T @ column for column in P.T])
        if self.rows.offset is not None:
            back -= np.multiply.outer(self.rows.offset, P.sum(axis=0))
        return back
