"""Centred samples, dense or sparse, behind the four products that SPCAFS needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Centred:
    """The matrix `data - 1 mean'`; `data` may be sparse and then stays so.

    Dense data are centred once, which is the more accurate way, and have `mean` zero here.
    """

    data: Any
    mean: Array

    @classmethod
    def of(cls, X: Any) -> Self:
        """Centre the columns of X without changing X."""
        mean = np.asarray(X.mean(axis=0), dtype=np.float64).ravel()
        if issparse(X):
            return cls(data=X, mean=mean)
        data = X - mean
        # A constant feature is zero, however its mean was rounded.
        data[:, np.ptp(X, axis=0) == 0] = 0.0
        return cls(data=data, mean=np.zeros_like(mean))

    @property
    def shape(self) -> tuple[int, int]:
        """The number of samples and of features."""
        return self.data.shape  # type: ignore[no-any-return]

    def project(self, V: Array) -> Array:
        """Return X V."""
        return self.data @ V - self.mean @ V  # type: ignore[no-any-return]

    def backproject(self, P: Array) -> Array:
        """Return X' P."""
        return self.data.T @ P - np.multiply.outer(self.mean, P.sum(axis=0))  # type: ignore[no-any-return]

    def scatter(self) -> Array:
        """Return X'X, a matrix of features by features."""
        product = _dense(self.data.T @ self.data)
        product -= self.shape[0] * np.multiply.outer(self.mean, self.mean)
        return product

    def gram(self, scales: Array) -> Array:
        """Return X diag(scales) X', a matrix of samples by samples."""
        data = self.data
        scaled = data.multiply(scales).tocsr() if issparse(data) else data * scales
        product = _dense(scaled @ data.T)
        offset = scaled @ self.mean
        product -= offset[:, None] + offset - self.mean @ (scales * self.mean)
        return product


def _dense(product: Any) -> Array:
    return product.toarray() if issparse(product) else product  # type: ignore[no-any-return]
