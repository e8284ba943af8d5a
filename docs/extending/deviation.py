"""A method of one's own: the features with the largest mean absolute deviation."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import _fit_context
from sklearn.utils.validation import validate_data

from sparsecone.selectors.base import Selector
from sparsecone.selectors.constraints import NUMBER_OR_FRACTION


class MeanDeviation(Selector):
    """Select the features whose values lie farthest from their median, on average.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        Number of features, or their fraction in (0, 1]; None selects half.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_features_to_select": NUMBER_OR_FRACTION
    }

    def __init__(self, *, n_features_to_select: int | float | None = None) -> None:
        self.n_features_to_select = n_features_to_select

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002
        """Score the features."""
        X = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        return self._keep(np.abs(X - np.median(X, axis=0)).mean(axis=0))
