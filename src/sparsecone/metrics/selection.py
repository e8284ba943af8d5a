"""What a selection must look like before it is measured."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def check_selection(selected: ArrayLike, *, n_features: int | None = None) -> NDArray[np.intp]:
    """Return feature indices from 0, each at most once, as an array, or say why they are none.

    Examples
    --------
    >>> check_selection([2, 0], n_features=3)
    array([2, 0])
    """
    indices = np.asarray(selected)
    if indices.ndim != 1 or indices.size == 0:
        raise ValueError(
            f"A selection is a non-empty 1-D array of feature indices, got shape {indices.shape}."
        )
    if indices.dtype == bool:
        raise ValueError("A selection holds indices, not a mask: apply np.flatnonzero to it.")
    if not np.issubdtype(indices.dtype, np.integer):
        raise ValueError(f"A selection holds integer indices, got dtype {indices.dtype}.")
    if indices.min() < 0:
        raise ValueError(f"Feature indices count from 0, but the selection has {indices.min()}.")
    if n_features is not None and indices.max() >= n_features:
        raise ValueError(
            f"The selection has the index {indices.max()}, but there are {n_features} features, "
            "counted from 0. Give feature indices such as selected_, not ranks such as ranking_."
        )
    if np.unique(indices).size != indices.size:
        raise ValueError("The selection names a feature more than once.")
    return indices.astype(np.intp)
