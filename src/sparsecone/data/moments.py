"""Samples known by their second moments alone."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import scipy.linalg
from numpy.typing import NDArray
from sklearn.utils import check_array
from sklearn.utils.validation import _get_feature_names

from .rows import Rows

Array = NDArray[Any]


class Moments(Rows):
    """Data given as S = X'X, which is all the squared model needs; made by `from_gram`.

    Where a solver asks for rows, any square root of S serves as well as the samples.
    """

    def __init__(self, gram: Array, n_samples: int, mean: Array, names: Array | None) -> None:
        self.gram = gram
        self.n_samples = n_samples
        self.n_features = gram.shape[0]
        self.mean = mean
        self.offset = None
        self.names = names

    @cached_property
    def matrix(self) -> Array:
        """A square root of S."""
        values, vectors = scipy.linalg.eigh(self.gram)
        return np.asarray(np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T)

    @property
    def gram_matrix(self) -> Array:
        """S itself."""
        return self.gram

    def gram_columns(self, indices: Array) -> Array:
        """Return some columns of S."""
        return np.asarray(self.gram[:, indices])

    @property
    def prefers_gram(self) -> bool:
        """Products go through S."""
        return True

    @cached_property
    def variances(self) -> Array:
        """Diagonal of S."""
        return np.asarray(np.diag(self.gram))

    @property
    def precision(self) -> float:
        """Relative rounding error of the products."""
        return float(np.finfo(np.float64).eps)

    @property
    def has_rows(self) -> bool:
        """There are none."""
        return False

    @property
    def dense_rows(self) -> None:
        """There are no rows."""
        return


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
    gram = check_array(S, dtype=np.float64, input_name="S")
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
    return Moments(gram, d + 1 if n_samples is None else n_samples, centre, names)
