"""Features that matter and do not repeat each other: a greedy choice from the factor of W."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

# The part of its own weight by which a chosen feature is taken to be noise. It leaves that much
# to copies of a chosen feature, so that the choice goes on beyond the rank.
OWN_NOISE = 0.03
# Relative difference up to which two features are equally good: rounding does not decide.
TIE = 1e-9
# Features chosen one by one; those after them come in the order of their scores.
MOST_CHOSEN = 1000


def diverse_order(factor: Array, scores: Array, count: int) -> Array:
    """Return all features, the first `count` of them in the order of a greedy choice.

    With W = L L' as a covariance, the next feature is the one with the largest variance given
    those chosen before, each seen with a noise of a fixed part of its own variance:
    `w_jj - W_jC (W_CC + c diag(W_CC))^-1 W_Cj`. This is pivoted Cholesky, the greedy choice of
    the largest determinant, with a repulsion that does not depend on the scale of W. A step costs
    one product with L.

    Parameters
    ----------
    factor : ndarray of shape (n_features, rank)
        L with W = L L'.
    scores : ndarray of shape (n_features,)
        Column norms of W; they order the features after the first `count`.
    count : int
        How many features to choose, of which the first 1000 greedily.

    Returns
    -------
    ndarray of shape (n_features,)
        Feature indices, best first. Ties go to the lower index.

    Examples
    --------
    >>> import numpy as np
    >>> L = np.array([[2.0, 0.0], [2.0, 0.0], [0.0, 1.0]])
    >>> diverse_order(L, np.array([4.0, 4.0, 1.0]), 3)
    array([0, 2, 1])
    """
    own = np.einsum("jk,jk->j", factor, factor)
    left, inverse = own.copy(), np.eye(factor.shape[1])
    by_score = np.argsort(-scores, kind="stable")
    chosen: list[int] = []
    for _ in range(min(count, MOST_CHOSEN)):
        largest = float(left.max())
        if not largest > 0.0:
            break
        best = int(np.argmax(left >= (1.0 - TIE) * largest))
        chosen.append(best)
        direction = inverse @ factor[best]
        size = float(factor[best] @ direction) + OWN_NOISE * own[best]
        inverse -= np.outer(direction, direction / size)
        left -= (factor @ direction) ** 2 / size
        left[best] = -np.inf
    rest = np.ones(len(own), dtype=bool)
    rest[chosen] = False
    return np.concatenate([np.asarray(chosen, dtype=np.intp), by_score[rest[by_score]]])
