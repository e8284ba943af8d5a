"""How many features a choice by frequency takes in error, at most in the mean."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..linalg.types import Array


def error_bound(frequency: ArrayLike, *, n_selected: float, n_features: int) -> Array:
    """Return the most errors, in the mean, of choosing all features with such a frequency.

    Let q of p features be selected on a random half of the samples, in the mean. An error is a
    feature that is selected on a half with a probability of at most q / p, as by a random choice.
    Over complementary pairs of halves, the expected number of errors among the features with a
    frequency of at least t > 1/2 is at most

        (q / p) q / (2 t - 1) .

    This holds for any selector, any data and any number of pairs, if the samples are independent
    and of one distribution (Shah and Samworth 2013, theorem 1 with theta = q / p; their mean number
    of selected errors is at most q). Meinshausen and Buehlmann (2010) have the same number for
    selectors that treat all irrelevant features alike, and no worse than a random choice.

    Parameters
    ----------
    frequency : array-like
        The frequency t from which on features are chosen.
    n_selected : float
        The mean number q of features selected on a half.
    n_features : int
        The number p of features.

    Returns
    -------
    ndarray
        The bound, at most p; p where the frequency is at most one half, and nothing is known.

    References
    ----------
    Shah, Samworth: Variable selection with error control: another look at stability selection,
    Journal of the Royal Statistical Society B 75 (2013).
    Meinshausen, Buehlmann: Stability selection, ibid. 72 (2010).

    Examples
    --------
    >>> from sparsecone.stability import error_bound
    >>> error_bound([0.5, 0.75, 1.0], n_selected=10, n_features=1000)
    array([1.e+03, 2.e-01, 1.e-01])
    """
    beyond = 2.0 * np.asarray(frequency, dtype=np.float64) - 1.0
    bound = np.full(beyond.shape, float(n_features))
    np.divide(n_selected**2 / n_features, beyond, out=bound, where=beyond > 0.0)
    return np.minimum(bound, n_features)
