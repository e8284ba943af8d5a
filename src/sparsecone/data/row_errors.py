"""How far the products of samples in memory are off."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ..linalg.rounding import norm, sum_error
from ..linalg.types import Array
from .products import BLOCK


class RowErrors:
    """What `Rows` say of their rounding."""

    @property
    def relative_error(self: Any) -> float:
        """Relative error of products with weighted samples."""
        return sum_error(self.n_samples + self.n_features)

    @cached_property
    def sizes(self: Any) -> Array:
        """What the errors of products with single samples are relative to: at least |x_i|^2."""
        return np.asarray((np.sqrt(self.squared_norms) + 2.0 * _norm(self.offset)) ** 2)

    @cached_property
    def total_size(self: Any) -> float:
        """What the errors of products with S are relative to."""
        return self.trace if self.offset is None else float(self.sizes.sum())

    @cached_property
    def centre_error(self: Any) -> float:
        """How far the mean of the samples is from what is subtracted from them."""
        if self._centre_error is not None:
            return self._centre_error
        spread = float(np.sqrt(self.trace / self.n_samples)) + _norm(self._subtracted)
        return sum_error(self.n_samples) * spread

    @cached_property
    def gram_error(self: Any) -> float:
        """How far products with S are off."""
        summed = self._gram[1] if self.is_single and self.prefers_gram else 0.0
        centred = self.n_samples * self.centre_error**2
        if self.prefers_gram:
            relative = 2.0 * gram_relative_error(*self.matrix.shape)
            return relative * self.total_size + centred + summed
        return self.relative_error * self.total_size + centred + summed

    @property
    def is_measured(self: Any) -> bool:
        """Whether sums of S in single precision count: their errors are measured."""
        return self.is_single and not self.is_sparse and self.prefers_gram


def gram_relative_error(n: int, d: int) -> float:
    """Return the relative error of a Gram matrix and its products.

    Sums over rows go block by block, then over the blocks.
    """
    return sum_error(min(n, BLOCK) + n // BLOCK + d)


def _norm(vector: Array | None) -> float:
    return 0.0 if vector is None else norm(vector)
