"""Weights of the samples: how often each one counts."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import _check_sample_weight

# Rows that weights may make of the samples, beside their own number or a million.
MOST_TIMES = 20


def repeated(X: Any, sample_weight: Any) -> Any:
    """Return the rows of validated samples, each as often as its weight says.

    Weights that are no whole numbers, or would make too many rows, are refused; a number or None
    weighs all samples alike.
    """
    if sample_weight is None:
        return X
    weights = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
    times = np.rint(weights).astype(np.intp)
    if not np.array_equal(times, weights):
        raise ValueError(
            "sample_weight says how often each sample counts and takes whole numbers: multiply "
            "fractions by their common denominator."
        )
    if np.count_nonzero(times) < 2:
        raise ValueError("sample_weight leaves fewer than two samples that count.")
    if (times == 1).all():
        return X
    most = max(MOST_TIMES * weights.size, 10**6)
    if times.sum() > most:
        raise ValueError(
            f"sample_weight makes {times.sum()} rows of {weights.size}, and {most} are the most: "
            "divide the weights by a common factor."
        )
    return X[np.repeat(np.arange(weights.size), times)]
