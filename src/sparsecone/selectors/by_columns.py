"""Samples by their columns: one column at a time, and products with X', many times over."""

from __future__ import annotations

import numpy as np

from ..data import Rows
from ..linalg.types import Array


class ByColumns:
    """Centred samples; sparse ones are held by columns as well, where one is found at once."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.stored = rows.transposed.T.astype(np.float64, copy=False) if rows.is_sparse else None
        # Centred numbers in double precision are taken as they are.
        self.is_plain = not (rows.is_sparse or rows.is_single) and rows.offset is None

    def columns(self, features: Array) -> Array:
        """Return some centred columns, dense."""
        if self.is_plain:
            matrix = self.rows.matrix
            # NumPy would copy all of a matrix that is stored by columns.
            by_column = matrix.flags.f_contiguous
            return np.take(matrix.T, features, axis=0).T if by_column else matrix.take(features, 1)
        if self.stored is None:
            return self.rows.columns(features)
        columns = self.stored[:, features].toarray()
        return columns if self.rows.offset is None else columns - self.rows.offset[features]

    def combined(self, P: Array, part: slice) -> Array:
        """Return P X over some features; sparse ones are multiplied by one row after the other."""
        if self.is_plain:
            return np.asarray(P @ self.rows.matrix[:, part])
        if self.stored is None:
            return np.asarray(P @ self.rows.columns(part))
        columns = self.stored[:, part].T
        combined = np.stack([columns @ row for row in P])
        if self.rows.offset is not None:
            combined -= np.multiply.outer(P.sum(axis=1), self.rows.offset[part])
        return combined
