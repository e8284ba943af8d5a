"""FPS: farthest point sampling of the features."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils._param_validation import Interval

from ..data import Rows
from ..linalg.types import Array
from ..selectors.constraints import CHOICE
from ..selectors.wishes import Wishes
from .greedy import GreedyComparison
from .projections.nearest import NearestChosen


class FPS(GreedyComparison):
    """Select the features that are farthest from each other.

    With X centred, the distance of two features is that of their columns. Chosen is always the
    feature farthest from its nearest chosen one [1]_, which is at most twice as far as the best
    choice of that number of features would leave any [2]_. Features to keep are chosen before all
    others.

    Parameters
    ----------
    n_features_to_select, keep, exclude, groups, per_group
        How many features, which in any case and never, and one or all of a group: see
        :class:`~sparsecone.selectors.controls.MaxVariance`.
    start : int or None, default=None
        The index of the first feature; None for that of largest variance.

    Attributes
    ----------
    scores_, ranking_, selected_, support_
        See :class:`~sparsecone.selectors.base.Selector`. The score of a feature is its distance
        from those chosen before it, that of one not chosen from all chosen; the first has its own
        norm. From the second on, the scores fall along the ranking.
    n_iter_ : int
        Number of features chosen; fewer than asked for where the others repeat them.

    Notes
    -----
    A round is at most one product with X, at O(dn), and several rounds share one where X is dense;
    nothing larger than X is formed. Sparse X is centred implicitly and never made dense. A constant
    feature, which tells nothing, would be far from all others; it is left out, scores zero and
    ranks last. Distances come from inner products, so those below 1e-7 of the features' norms count
    as zero.

    References
    ----------
    .. [1] Y. Eldar, M. Lindenbaum, M. Porat, Y. Y. Zeevi, "The farthest point strategy for
       progressive image sampling", IEEE Transactions on Image Processing 6, 1997.
    .. [2] T. F. Gonzalez, "Clustering to minimize the maximum intercluster distance", Theoretical
       Computer Science 38, 1985.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsecone.baselines.fps import FPS
    >>> X = np.random.default_rng(0).normal(size=(50, 4)) * [1.0, 9.0, 4.0, 0.1]
    >>> FPS(n_features_to_select=2).fit(X).selected_
    array([1, 2])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **CHOICE,
        "start": [None, Interval(Integral, 0, None, closed="left")],
    }

    def __init__(
        self,
        *,
        n_features_to_select: int | float | None = None,
        keep: Any = None,
        exclude: Any = None,
        groups: Any = None,
        per_group: str = "one",
        start: int | None = None,
    ) -> None:
        self._set_choice(n_features_to_select, keep, exclude, groups, per_group)
        self.start = start

    def _choose(
        self, samples: Rows, n_wanted: int, wishes: Wishes
    ) -> tuple[NDArray[np.intp], Array]:
        nearest = NearestChosen(samples)
        self._check_start(nearest.squares, wishes)
        scores, chosen = np.zeros(samples.n_features), list[int]()
        is_chosen = np.zeros(samples.n_features, dtype=bool)
        able = np.ones(samples.n_features, dtype=bool)
        while len(chosen) < n_wanted:
            # The first is the farthest from the mean.
            far = nearest.bounds if chosen else nearest.squares
            if not wishes.are_none:
                able = wishes.open(is_chosen, far > 0.0)
            latest = int(np.argmax(far * able))
            if not nearest.is_exact[latest]:
                nearest.renew(able)
                continue
            if not far[latest] * able[latest] > 0.0:
                break
            if not chosen and self.start is not None:
                latest = int(self.start)
            scores[latest] = far[latest]
            nearest.add(latest)
            chosen.append(latest)
            is_chosen[latest] = True
        nearest.settle()
        others = np.where(is_chosen, scores, nearest.bounds)
        return np.array(chosen, dtype=np.intp), samples.scale * np.sqrt(others)

    def _check_start(self, squares: Array, wishes: Wishes) -> None:
        """Say why a given start cannot be the first feature."""
        if self.start is None:
            return
        if self.start >= squares.size:
            raise ValueError(f"start={self.start} must be below n_features={squares.size}.")
        if wishes.exclude[self.start]:
            raise ValueError(f"start={self.start} is in exclude: take one of the two back.")
        if squares[self.start] == 0.0:
            raise ValueError(f"start={self.start} is a constant feature: give another, or None.")
