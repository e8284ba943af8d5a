"""Samples known by their second moments alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
import scipy.linalg
from sklearn.utils.validation import _get_feature_names

from ..linalg.checked import checked_array
from ..linalg.thin import thin_product
from ..linalg.types import Array
from .row_errors import gram_relative_error
from .rows import Rows
from .spectrum import Remembers
from .terms import Terms


class Moments(Remembers):
    """Data given as S = X'X, which is all the squared model needs; made by `from_gram`.

    Where a solver asks for rows, any square root of S serves as well as the samples.

    Parameters
    ----------
    gram : ndarray of shape (n_features, n_features)
        S.
    n_samples : int
        Number of samples behind it.
    mean : ndarray of shape (n_features,)
        The feature means.
    names : ndarray of str or None
        The names of the features.
    scale : float
        What the samples were divided by.
    error : float
        How far S is from that of the samples, in the norm of Frobenius.
    is_measured : bool
        Whether that was measured with random directions.
    """

    in_memory = True
    prefers_gram = True

    def __init__(
        self,
        gram: Array,
        n_samples: int,
        mean: Array,
        names: Array | None,
        *,
        scale: float = 1.0,
        error: float = 0.0,
        is_measured: bool = False,
    ) -> None:
        self.gram_matrix = gram
        self.n_samples, self.n_features = n_samples, gram.shape[0]
        self.mean, self.names, self.scale = mean, names, scale
        self.variances = np.diag(gram)
        self.trace = float(self.variances.sum())
        self.is_measured = is_measured
        self.relative_error = gram_relative_error(n_samples, self.n_features)
        self.gram_error = 2.0 * self.relative_error * self.trace
        self.matrix_error = error

    @cached_property
    def root(self) -> Rows:
        """A square root of S as samples."""
        values, vectors = scipy.linalg.eigh(self.gram_matrix)
        matrix = np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T
        return Rows(matrix, self.mean, None, scale=self.scale)

    def gram_product(self, L: Array) -> Array:
        """Return S L."""
        return thin_product(self.gram_matrix, L)

    def gram_columns(self, indices: Array) -> Array:
        """Return some columns of S."""
        return np.asarray(self.gram_matrix[:, indices])

    def weighted_product(self, L: Array, weights: Any) -> Array:
        """Return S L: there are no samples to weigh."""
        _refuse(weights)
        return self.gram_product(L)

    def weighted_gram(self, weights: Any) -> Array:
        """Return S: there are no samples to weigh."""
        _refuse(weights)
        return self.gram_matrix

    def collect(self, function: Callable[..., Terms], *rowwise: Any) -> Terms:
        """Return the terms of the rows of a square root of S."""
        return function(self.root, *rowwise)


def _refuse(weights: Any) -> None:
    """Say that moments have no samples that could be weighed."""
    if weights is not None:
        raise TypeError(
            "A model that weighs every sample needs X itself; moments such as a Gram matrix are "
            "enough for SPCAPSD only."
        )


def from_gram(S: Any, *, n_samples: int | None = None, mean: Any = None) -> Moments:
    """Return what `SPCAPSD.fit` takes in the place of X when only S = X'X of the data is known.

    Parameters
    ----------
    S : array-like or DataFrame of shape (n_features, n_features)
        Scatter matrix of the centred data, sum_i (x_i - mean)(x_i - mean)': n_samples - 1 times
        the sample covariance. Column names of a DataFrame become feature names.
    n_samples : int or None
        Number of samples behind S; only the published algorithm asks whether it exceeds the number
        of features, and None means that it does.
    mean : array-like of shape (n_features,) or None
        The feature means, zero if None.

    Returns
    -------
    Moments
        The data for `SPCAPSD.fit`. The robust models need the samples themselves and refuse it.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsecone import SPCAPSD, from_gram
    >>> X = np.random.default_rng(0).normal(size=(50, 4)) * [3, 2, 1, 1]
    >>> S = np.cov(X, rowvar=False) * 49
    >>> SPCAPSD(n_features_to_select=2).fit(from_gram(S, n_samples=50)).selected_
    array([0, 1])
    """
    names = _get_feature_names(S)
    gram = checked_array(S, dtype=np.float64, input_name="S")
    if gram.shape[0] != gram.shape[1]:
        raise ValueError(f"S must be square, got shape {gram.shape}.")
    scale = float(np.abs(np.diag(gram)).max())
    if not np.allclose(gram, gram.T, rtol=0.0, atol=1e-8 * scale):
        raise ValueError("S must be symmetric: it is X'X of the centred data.")
    gram = 0.5 * (gram + gram.T)
    if float(scipy.linalg.eigvalsh(gram, subset_by_index=(0, 0))[0]) < -1e-8 * scale:
        raise ValueError("S has a negative eigenvalue: it is not X'X of any data.")
    if n_samples is not None and n_samples < 2:
        raise ValueError(f"n_samples={n_samples} must be at least 2.")
    d = gram.shape[0]
    centre = np.zeros(d) if mean is None else np.asarray(mean, dtype=np.float64)
    if centre.shape != (d,):
        raise ValueError(f"mean must have shape ({d},), got {centre.shape}.")
    n = d + 1 if n_samples is None else n_samples
    # Where squares of S would overflow or vanish, it is divided by a power of four.
    root = 1.0 if 1e-60 <= scale <= 1e60 or scale == 0.0 else 2.0 ** (np.log2(scale) // 2)
    return Moments(gram / root**2, n, centre, names, scale=float(root))
