"""What the mathematics may ask of the data: the one page that a new kind of data implements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeGuard

from ..linalg.types import Array
from .pairs import Spectrum
from .terms import Terms


class Data(Protocol):
    """Centred samples X (n x d), divided by a power of two where their squares would overflow.

    S stands for X'X. Products are in double precision, whatever the samples are stored in, and
    their errors are stated: one with X' diag(weights) X is off by at most
    `relative_error * sum_i weights_i size_i` times the norm of what is multiplied, where size_i is
    at least |x_i|^2; one with S, and S itself as `gram_matrix`, by at most `gram_error`, which also
    bounds the error of `trace`. Where all products have one S that is itself off, as from sums in
    single precision, that is apart, as `matrix_error`: nothing multiplies it.
    """

    n_samples: int
    n_features: int
    mean: Array
    names: Array | None
    # What the samples were divided by.
    scale: float

    @property
    def relative_error(self) -> float:
        """Relative error of products with weighted samples."""
        ...

    @property
    def gram_error(self) -> float:
        """How far products with S, S itself and its trace are off, in the spectral norm."""
        ...

    @property
    def matrix_error(self) -> float:
        """How far the S of all products is from that of the samples, in the norm of Frobenius."""
        ...

    @property
    def is_measured(self) -> bool:
        """Whether one of these errors was measured with random directions, and is not proven."""
        ...

    @property
    def trace(self) -> float:
        """Trace of S, the total variation."""
        ...

    @property
    def variances(self) -> Array:
        """Diagonal of S."""
        ...

    @property
    def in_memory(self) -> bool:
        """Whether all rows are at hand, and not only one block at a time."""
        ...

    @property
    def prefers_gram(self) -> bool:
        """Whether products with S are cheaper through the d x d matrix itself."""
        ...

    @property
    def gram_matrix(self) -> Array:
        """S as a dense array."""
        ...

    def gram_product(self, L: Array) -> Array:
        """Return S L."""
        ...

    def gram_columns(self, indices: Array) -> Array:
        """Return some columns of S."""
        ...

    def weighted_product(self, L: Array, weights: Any) -> Array:
        """Return X' diag(weights) X L."""
        ...

    def weighted_gram(self, weights: Any) -> Array:
        """Return X' diag(weights) X as a dense array."""
        ...

    def leading(
        self,
        threshold: float,
        weights: Any = None,
        *,
        most: int | None = None,
        gram: Array | None = None,
    ) -> Spectrum:
        """Return the eigenpairs of X' diag(weights) X above the threshold, at most so many.

        Where that matrix is known it is given as `gram`.
        """
        ...

    def let_go(self) -> None:
        """Keep the eigenpairs found so far, and nothing else: further ones are found anew."""
        ...

    def collect(self, function: Callable[..., Terms], *rowwise: Any) -> Terms:
        """Return the terms of all rows, in one pass over them.

        Parameters
        ----------
        function : callable
            Takes a block of rows (`Rows`) and its entries of every `rowwise`, and returns their
            terms. It may run elsewhere, and on several blocks at once.
        *rowwise : array or what an earlier pass returned as such
            One value a row.
        """
        ...


def answers(X: Any) -> TypeGuard[Data]:
    """Return whether an object has the answers; none is asked for, as some cost a pass."""
    return hasattr(type(X), "gram_product")
