"""Samples as scikit-learn checks them, and what it leaves: masks, indices, duplicates, scales."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.utils import check_array
from sklearn.utils.validation import validate_data

from .sparse_format import check_indices, summed


def checked_array(X: Any, *, estimator: Any = None, **options: Any) -> Any:
    """Return samples as an array or sparse matrix in which every entry stands once.

    Parameters
    ----------
    X : array-like, DataFrame or SciPy sparse matrix
        The samples; masked values and indices out of range are refused.
    estimator : estimator or None
        What keeps the names and the number of the features.
    **options
        Those of `sklearn.utils.check_array`.
    """
    X = unmasked(X)
    if sp.issparse(X):
        check_indices(X)
    if estimator is None:
        return summed(check_array(X, **options))
    return summed(validate_data(estimator, X, **options))


def unmasked(X: Any) -> Any:
    """Return X, or complain about values under a mask, which NumPy would use as they are."""
    if isinstance(X, np.ma.MaskedArray):
        n_masked = int(np.count_nonzero(X.mask))
        if n_masked:
            raise ValueError(
                f"X has {n_masked} masked values: fill them with X.filled(...), or leave out their "
                "rows."
            )
    return X


def check_scale(X: Any) -> None:
    """Refuse data whose squares would overflow or vanish."""
    values, limits = X.data if sp.issparse(X) else X, np.finfo(X.dtype)
    reach = max(values.max(initial=0.0), -values.min(initial=0.0))
    if reach > np.sqrt(limits.max / values.size):
        raise ValueError("The squares of the values overflow: divide X by its largest value first.")
    if 0.0 < reach < np.sqrt(limits.tiny):
        raise ValueError("The squares of the values vanish: multiply X by a large number first.")
