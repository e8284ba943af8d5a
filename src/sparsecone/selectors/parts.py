"""What features in a given order add to the explained variance of each feature."""

from __future__ import annotations

import numpy as np
import scipy.linalg

from ..data import Data
from ..linalg.types import Array
from .gains import ridge_of


def explained_parts(data: Data, features: Array, columns: Array) -> Array:
    """Return what each of some features adds to what those before it explain of every feature.

    One Cholesky factorisation R R' of the scatter matrix of k features, with the ridge, gives all
    numbers of them at once: the first h explain `sum over i <= h of (R^-1 S_C:)_ij^2` of feature j.
    `columns` are those of S of these features; the result has a row for each, in the units of S.
    """
    ridge = max(ridge_of(data), np.finfo(float).tiny)
    block = columns[features] + ridge * np.eye(features.size)
    root = scipy.linalg.cholesky(block, lower=True)
    return np.asarray(scipy.linalg.solve_triangular(root, columns.T, lower=True) ** 2)
