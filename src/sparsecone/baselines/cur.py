"""CUR: the features of largest leverage, one after the other."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.linalg import eigsh

from ..data import Rows
from ..linalg.types import Array
from ..selectors.constraints import AT_LEAST_ONE, CHOICE
from ..selectors.wishes import Wishes
from .greedy import GreedyComparison
from .projections.dirichlet import EPS
from .projections.remainder import remainder_of

# Relative accuracy of the eigenvalues behind the leverages.
TOLERANCE = 1e-9


class CUR(GreedyComparison):
    """Select features by their leverage, with the chosen ones projected out.

    With X centred and V its k leading right singular vectors, the leverage of feature j is
    `sum_i v_ji^2`, i from 1 to k: the part that it has in the best approximation of rank k [1]_.
    The feature of largest leverage is chosen, all features are made orthogonal to it, and so on
    [2]_, until the chosen ones span all. A constant feature has no leverage. Features to keep are
    chosen before all others, and those that may not be selected are left out of X.

    Parameters
    ----------
    n_features_to_select, keep, exclude, groups, per_group
        How many features, which in any case and never, and one or all of a group: see
        :class:`~sparsecone.selectors.controls.MaxVariance`.
    n_components : int, default=1
        The number k of singular vectors.

    Attributes
    ----------
    scores_, ranking_, selected_, support_
        See :class:`~sparsecone.selectors.base.Selector`. The score of a chosen feature is its
        leverage when it was chosen, that of another its leverage in the last round: the ranking is
        the order of choice, and does not follow the scores.
    n_iter_ : int
        Number of features chosen; fewer than asked for where these explain all features.

    Notes
    -----
    Singular values are accurate to 1e-9 in every round; nothing else is approximated. A round works
    on the smaller of X'X and XX', at O(min(d, n)^2) a product, and costs O(dn) besides where d > n.
    Sparse X is centred implicitly and never made dense.

    References
    ----------
    .. [1] M. W. Mahoney, P. Drineas, "CUR matrix decompositions for improved data analysis",
       PNAS 106, 2009.
    .. [2] G. Imbalzano et al., "Automatic selection of atomic fingerprints and reference
       configurations for machine-learning potentials", J. Chem. Phys. 148, 2018.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsecone.baselines.cur import CUR
    >>> X = np.random.default_rng(0).normal(size=(50, 4)) * [1.0, 9.0, 4.0, 0.1]
    >>> CUR(n_features_to_select=2).fit(X).selected_
    array([1, 2])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **CHOICE,
        "n_components": AT_LEAST_ONE,
    }

    def __init__(
        self,
        *,
        n_features_to_select: int | float | None = None,
        keep: Any = None,
        exclude: Any = None,
        groups: Any = None,
        per_group: str = "one",
        n_components: int = 1,
    ) -> None:
        self._set_choice(n_features_to_select, keep, exclude, groups, per_group)
        self.n_components = n_components

    def _choose(
        self, samples: Rows, n_wanted: int, wishes: Wishes
    ) -> tuple[NDArray[np.intp], Array]:
        remainder = remainder_of(samples)
        negligible = 10 * EPS * samples.n_samples * samples.trace
        scores = np.zeros(samples.n_features)
        is_chosen = np.zeros(samples.n_features, dtype=bool)
        left_out = is_chosen.copy()
        chosen: list[int] = []
        # No direction is missing from it, whatever the chosen features take out of the vectors.
        start = fill = np.random.default_rng(0).standard_normal(len(remainder.gram))
        while len(chosen) < n_wanted:
            shut = wishes.closed(is_chosen) & ~left_out
            remainder.leave_out(np.flatnonzero(shut))
            left_out |= shut
            if not np.trace(remainder.gram) > negligible:
                break
            vectors = leading_vectors(remainder.gram, start, self.n_components)
            start = fill / np.linalg.norm(fill) + vectors.sum(axis=1)
            leverages = remainder.leverages(vectors)
            varies = samples.variances > 0.0
            scores = np.where(varies & ~is_chosen, leverages, scores)
            able = wishes.open(is_chosen, varies)
            chosen.append(int(np.argmax(np.where(able, leverages, -1.0))))
            is_chosen[chosen[-1]] = True
            remainder.remove(chosen[-1], negligible)
        return np.array(chosen, dtype=np.intp), scores


def leading_vectors(gram: Array, start: Array, n_wanted: int) -> Array:
    """Return the leading eigenvectors of a Gram matrix, all of them where there are no more."""
    if len(gram) <= max(20, 2 * n_wanted):
        return np.asarray(np.linalg.eigh(gram)[1][:, -n_wanted:])
    return np.asarray(eigsh(gram, k=n_wanted, which="LA", v0=start, tol=TOLERANCE)[1])
