"""How far the selections of several runs agree."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from .selection import check_selection


def jaccard_stability(selections: Sequence[ArrayLike]) -> float:
    """Mean over the pairs of runs of |A and B| / |A or B|.

    Two random selections of h out of d features agree by chance, the more the larger h/d:
    compare it only between selections of the same size, or use `kuncheva_stability`.

    Parameters
    ----------
    selections : sequence of array-like of shape (n_selected,)
        The feature indices selected by each run, at least two runs.

    Returns
    -------
    float
        Stability in [0, 1]; 1 means that all runs selected the same features.

    Examples
    --------
    >>> jaccard_stability([[0, 1, 2], [1, 2, 3]])
    0.5
    """
    runs = _as_sets(selections, n_features=None)
    return float(np.mean([len(a & b) / len(a | b) for a, b in combinations(runs, 2)]))


def kuncheva_stability(selections: Sequence[ArrayLike], *, n_features: int) -> float:
    """Mean over the pairs of runs of the overlap, corrected for chance.

    For two selections of h out of d features with r in common, (r d - h^2) / (h (d - h)): 1 for
    the same selection, 0 for the overlap expected by chance. Selecting all features leaves no
    choice; that counts as chance, 0.

    Parameters
    ----------
    selections : sequence of array-like of shape (n_selected,)
        The feature indices selected by each run, at least two runs, all of the same size.
    n_features : int
        Number of features to choose from.

    Returns
    -------
    float
        Stability in [-1, 1]; -1 only where two halves of the features share none.

    Examples
    --------
    >>> round(kuncheva_stability([[0, 1, 2], [1, 2, 3]], n_features=10), 4)
    0.5238
    """
    runs = _as_sets(selections, n_features=n_features)
    sizes = sorted({len(run) for run in runs})
    if len(sizes) > 1:
        raise ValueError(
            f"The Kuncheva index compares selections of one size, got sizes {sizes}: "
            "cut all rankings at the same number, or use jaccard_stability."
        )
    size = sizes[0]
    if size == n_features:
        return 0.0
    overlap = np.mean([len(a & b) for a, b in combinations(runs, 2)])
    return float((overlap * n_features - size**2) / (size * (n_features - size)))


def _as_sets(selections: Sequence[ArrayLike], *, n_features: int | None) -> list[set[int]]:
    """Return one set of features a run, of at least two runs."""
    if len(selections) < 2:
        raise ValueError(f"Stability compares at least two runs, got {len(selections)}.")
    return [set(check_selection(run, n_features=n_features).tolist()) for run in selections]
