"""Leading eigenvectors of S - D for a diagonal D, the one step of SPCAFS, in two exact forms.

Both take them from the inverse of `F - S`, where `F = D + sigma I` and sigma lies just above the
largest eigenvalue of `S - D`. The vectors are the same, the order is kept (the largest eigenvalue
of `S - D` gives the largest of the inverse), and the entries of D, which may span fifteen orders
of magnitude, enter as `1 / F`: a feature of huge weight drops out instead of drowning the rest in
rounding errors.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.linalg import cho_factor, cho_solve, eigh, qr
from scipy.sparse.linalg import LinearOperator, eigsh

from ..data import Rows
from ..linalg.types import Array
from .projections.dirichlet import EPS
from .projections.row_sparse import RowPenalty

# How far sigma lies above the spectrum, relative to the largest eigenvalue of S.
MARGIN = 1e-3


class DenseScatter:
    """S = X'X as a matrix: the form for at most as many features as samples."""

    def __init__(self, samples: Rows) -> None:
        self.matrix = samples.gram_matrix

    def principal(self, n_components: int) -> tuple[Array, Array]:
        """Return the largest eigenvalues of S, those that are not zero, and their eigenvectors."""
        return _largest(self.matrix, n_components)

    def leading(self, above: Array, near: Array) -> Array:
        """Return the leading eigenvectors of `S - diag(above)`, as many as `near` has columns.

        `above` is F, so that `diag(above) - S` is positive definite.
        """
        scale = 1.0 / np.sqrt(above)
        scaled = np.eye(above.size) - scale[:, None] * self.matrix * scale
        inverse = scale[:, None] * cho_solve(cho_factor(scaled), np.diag(scale))
        last = above.size - 1
        _, vectors = eigh(inverse, subset_by_index=(last + 1 - near.shape[1], last))
        return vectors

    def explained(self, V: Array) -> float:
        """Return tr(V'SV)."""
        return float(np.sum(V * (self.matrix @ V)))


class ImplicitScatter:
    """The same through products with X and n x n matrices: the form for more features."""

    def __init__(self, samples: Rows) -> None:
        self.samples = samples

    def principal(self, n_components: int) -> tuple[Array, Array]:
        """See `DenseScatter`."""
        values, left = _largest(self.samples.sample_gram(), n_components)
        vectors, _ = qr(self.samples.backproject(left / np.sqrt(values)), mode="economic")
        return values, vectors

    def leading(self, above: Array, near: Array) -> Array:
        """See `DenseScatter`. The inverse is applied by Woodbury's identity."""
        n_samples, n_features = self.samples.n_samples, self.samples.n_features
        factor = cho_factor(np.eye(n_samples) - self.samples.sample_gram(1.0 / above))

        def inverse(u: Array) -> Array:
            inner = cho_solve(factor, self.samples.project(u / above))
            return (u + self.samples.backproject(inner)) / above

        operator = LinearOperator((n_features, n_features), matvec=inverse, dtype=np.float64)
        _, vectors = eigsh(operator, k=near.shape[1], which="LA", v0=near.sum(axis=1))
        return vectors

    def explained(self, V: Array) -> float:
        """See `DenseScatter`."""
        return float(np.sum(self.samples.project(V) ** 2))


Scatter = DenseScatter | ImplicitScatter


def scatter_of(samples: Rows) -> Scatter:
    """Return the cheaper form of S."""
    wide = samples.n_features > samples.n_samples
    return ImplicitScatter(samples) if wide else DenseScatter(samples)


def penalised_steps(
    scatter: Scatter, penalty: RowPenalty, *, largest: float, start: Array
) -> Iterator[tuple[Array, float]]:
    """Yield the loadings V of SPCAFS and its objective, from the principal components on."""
    V = start
    while True:
        yield V, penalty.value(V) - scatter.explained(V)
        weights = penalty.slopes(V)
        # Weyl: no eigenvalue of S - D exceeds the largest of S minus the smallest weight.
        above = weights - weights.min() + (1 + MARGIN) * largest
        V = scatter.leading(above, near=V)


def _largest(matrix: Array, count: int) -> tuple[Array, Array]:
    """Return the largest eigenvalues that are not zero up to rounding, and their vectors."""
    size = matrix.shape[0]
    values, vectors = eigh(matrix, subset_by_index=(size - min(count, size), size - 1))
    positive = values > size * EPS * values[-1]
    return values[positive], vectors[:, positive]
