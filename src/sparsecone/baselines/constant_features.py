"""Dense data without its constant features, which tell samples apart in no method.

A criterion that rewards smoothness would take them first, for they are smoothest of all; they are
left out of the fit instead, and score zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import validate_data

from ..linalg.types import Array
from ..selectors.base import Selector
from .graph import check_scale


@dataclass(frozen=True)
class NonConstant:
    """The features that are not constant.

    Attributes
    ----------
    X : ndarray of shape (n_samples, n_varying)
        Their columns.
    mask : ndarray of shape (n_features,)
        Where they stand among all.
    """

    X: Array
    mask: NDArray[np.bool_]

    def spread(self, rows: Array) -> Array:
        """Return the rows of all features: those given, and zeros for the constant ones."""
        spread = np.zeros((self.mask.size, *rows.shape[1:]))
        spread[self.mask] = rows
        return spread

    def require(self, n_wanted: int, name: str) -> None:
        """Say so where there are fewer features than columns asked of the projection."""
        n_varying = self.X.shape[1]
        if n_wanted > n_varying:
            raise ValueError(
                f"{name} must not exceed the number of features that are not constant, "
                f"{n_varying} of n_features={self.mask.size}: lower it."
            )


def without_constants(selector: Selector, X: Any) -> NonConstant:
    """Validate the X of `fit` as dense float64 and leave out its constant features."""
    samples = validate_data(selector, X, dtype=np.float64, ensure_min_samples=2)
    check_scale(samples)
    selector._n_selected(samples.shape[1])
    mask = samples.min(axis=0) < samples.max(axis=0)
    return NonConstant(X=samples if mask.all() else samples[:, mask], mask=mask)
