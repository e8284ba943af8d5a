"""SPCAFS: principal components with an l2,p penalty on the rows of the loadings."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from ..data import as_rows
from ..linalg.types import Array
from ..selectors.constraints import AT_LEAST_ONE, CHOICE, NOT_NEGATIVE, UP_TO_TWO
from ..selectors.controls import variance_score
from .base import Baseline
from .penalised_pca import Scatter, penalised_steps, scatter_of
from .projections.row_sparse import RowPenalty


class SPCAFS(Baseline):
    """Sparse PCA with an l2,p-norm penalty (Li et al., 2021).

    With X centred, S = X'X and `v^i` the rows of V (features x components), it minimises::

        -tr(V'SV) + lam * sum_i (|v^i|^2 + eps)^(p/2)    subject to    V'V = I

    by majorise-minimise: V becomes the leading eigenvectors of `S - lam D`, then
    `D_ii = (p/2) (|v^i|^2 + eps)^((p-2)/2)`, starting from D = I. The objective never rises, but
    the problem is not convex: the end is a stationary point. Scores are the row norms of V.

    Parameters
    ----------
    n_features_to_select, keep, exclude, groups, per_group
        How many features, which in any case and never, and one or all of a group: see
        :class:`~sparsecone.selectors.controls.MaxVariance`.
    n_clusters : int, default=2
        The number of clusters expected in the data, which sets the default of `n_components`. The
        default is the smallest number that means anything: set it.
    n_components : int or None, default=None
        The number of columns of V. None is `n_clusters - 1`, but at least 1 and at most the rank
        of the centred data.
    lam : float, default=10.0
        Weight of the penalty. It competes with the eigenvalues of S: scale it like X'X.
    p : float in (0, 2], default=0.5
        Exponent of the penalty; the smaller, the sparser. The released program has p = 1.
    max_iter : int, default=50
        Largest number of eigenproblems.
    tol : float, default=1e-6
        Stop when the objective changes by at most this much (or only by rounding).

    Attributes
    ----------
    scores_, ranking_, selected_, support_
        See :class:`~sparsecone.selectors.base.Selector`.
    projection_ : ndarray of shape (n_features, n_components)
        V; its columns are orthonormal.
    objective_ : ndarray of shape (n_iter_,)
        The objective after each iteration.
    n_iter_ : int
        Number of iterations.

    Notes
    -----
    With at most as many features as samples an iteration costs O(d^3). With more, no d x d matrix
    is formed: an n x n Cholesky factor at O(dn^2), then ARPACK at O(dn) a product. Both forms are
    exact; `sparsecone.baselines.penalised_pca` has them. Sparse X is centred implicitly and never
    made dense.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsecone.baselines.spcafs import SPCAFS
    >>> X = np.random.default_rng(0).normal(size=(50, 4)) * [5.0, 0.1, 4.0, 0.1]
    >>> SPCAFS(n_features_to_select=2, n_clusters=3).fit(X).support_
    array([ True, False,  True, False])
    """

    _accepted: ClassVar[dict[str, Any]] = {"dtype": np.float64, "accept_sparse": "csr"}
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **CHOICE,
        "n_clusters": AT_LEAST_ONE,
        "n_components": [None, *AT_LEAST_ONE],
        "lam": NOT_NEGATIVE,
        "p": UP_TO_TWO,
        "max_iter": AT_LEAST_ONE,
        "tol": NOT_NEGATIVE,
    }

    def __init__(
        self,
        *,
        n_features_to_select: int | float | None = None,
        keep: Any = None,
        exclude: Any = None,
        groups: Any = None,
        per_group: str = "one",
        n_clusters: int = 2,
        n_components: int | None = None,
        lam: float = 10.0,
        p: float = 0.5,
        max_iter: int = 50,
        tol: float = 1e-6,
    ) -> None:
        self._set_choice(n_features_to_select, keep, exclude, groups, per_group)
        self.n_clusters = n_clusters
        self.n_components = n_components
        self.lam = lam
        self.p = p
        self.max_iter = max_iter
        self.tol = tol

    def _scores(self, X: Any) -> Array:
        if not variance_score(X).any():
            raise ValueError("Every feature of X is constant: there is no component to find.")
        scatter = scatter_of(as_rows(X))
        largest, start = self._start(scatter)
        penalty = RowPenalty(gamma=self.lam, p=self.p)
        steps = penalised_steps(scatter, penalty, largest=largest, start=start)
        self.projection_ = self._converge(steps)
        return np.asarray(np.linalg.norm(self.projection_, axis=1))

    def _start(self, scatter: Scatter) -> tuple[float, Array]:
        """Return the largest eigenvalue of S and its leading eigenvectors, those there are."""
        wanted = self.n_components or max(1, self.n_clusters - 1)
        values, vectors = scatter.principal(wanted)
        if self.n_components is not None and values.size < wanted:
            raise ValueError(
                f"n_components={wanted} exceeds the rank of the centred data, {values.size}: the "
                f"further components would be arbitrary. Choose at most {values.size}."
            )
        return float(values[-1]), vectors
