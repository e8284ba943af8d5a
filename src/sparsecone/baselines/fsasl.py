"""FSASL: feature selection with adaptive structure learning."""

from __future__ import annotations

from typing import Any, ClassVar

from ..selectors.constraints import AT_LEAST_ONE, CHOICE, NOT_NEGATIVE, POSITIVE
from .base import ProjectionBaseline
from .constant_features import NonConstant
from .projections.adaptive import AdaptiveStructure
from .projections.projection import Projection
from .projections.row_sparse import RowPenalty
from .spectral import SpectralGraph


class FSASL(ProjectionBaseline):
    """Feature selection with adaptive structure learning (Du, Shen, 2015).

    With X centred, U = X V (samples x clusters) and `v^i` the rows of V, it minimises over V, the
    representation Z of each sample by the others and the affinities P (rows on the simplex)::

        |U - Z U|^2 + a sum_ij |z_ij| + beta sum_ij (|u_i - u_j|^2 p_ij + mu p_ij^2)
            + gamma sum_i |v^i|    subject to    U'U = I,  z_ii = 0

    [1]_. The score of a feature is the norm of its row of V; a constant feature scores zero.

    Parameters
    ----------
    n_features_to_select, keep, exclude, groups, per_group
        How many features, which in any case and never, and one or all of a group: see
        :class:`~sparsecone.selectors.controls.MaxVariance`.
    n_clusters : int or None, default=None
        Columns of V, at most the rank of X. None for the number in 2, .., 10 before the largest gap
        of the eigenvalues of the normalised Laplacian of the neighbours.
    alpha : float, default=0.1
        Weight a of the absolute values, relative to n_clusters / n_samples, the mean of `|u_i|^2`:
        the larger, the fewer samples represent one.
    beta : float, default=1.0
        Weight of the affinities.
    gamma : float, default=1.0
        Weight of the norms; large values leave few features.
    n_neighbors : int, default=5
        Neighbours of a sample; at least two fewer than there are samples.
    max_iter : int, default=30
        Largest number of rounds.
    tol : float, default=1e-4
        Stop where the objective falls by no more than this, relative to it.

    Attributes
    ----------
    scores_, ranking_, selected_, support_
        See :class:`~sparsecone.selectors.base.Selector`; the scores are the row norms of V.
    projection_ : ndarray of shape (n_features, n_clusters)
        V, with zeros in the rows of constant features.
    n_iter_ : int
        Number of rounds.
    objective_ : ndarray of shape (n_iter_,)
        The objective after each, with 1e-16 inside the roots; it never rises.

    Notes
    -----
    The problem is not convex: the end is a stationary point at best, for Z is given ten proximal
    steps a round and P the nearest neighbours of a sample in the projection, as they change. mu is
    set once, so that the closed form of the first projection has exactly `n_neighbors` affinities a
    row. V is a generalised eigenproblem on the smaller side of X, at O(min(d, n)^3). Z is sparse:
    of an n x n array only some rows at a time exist.

    References
    ----------
    .. [1] L. Du, Y.-D. Shen, "Unsupervised feature selection with adaptive structure learning",
       KDD 2015.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sparsecone.baselines.fsasl import FSASL
    >>> X, _ = load_iris(return_X_y=True)
    >>> FSASL(n_features_to_select=2, n_clusters=3).fit_transform(X).shape
    (150, 2)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **CHOICE,
        "n_clusters": [None, *AT_LEAST_ONE],
        "alpha": POSITIVE,
        "beta": POSITIVE,
        "gamma": POSITIVE,
        "n_neighbors": AT_LEAST_ONE,
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
        n_clusters: int | None = None,
        alpha: float = 0.1,
        beta: float = 1.0,
        gamma: float = 1.0,
        n_neighbors: int = 5,
        max_iter: int = 30,
        tol: float = 1e-4,
    ) -> None:
        self._set_choice(n_features_to_select, keep, exclude, groups, per_group)
        self.n_clusters = n_clusters
        self.alpha = alpha
        self.beta = beta
        self.gamma = gamma
        self.n_neighbors = n_neighbors
        self.max_iter = max_iter
        self.tol = tol

    def _project(self, features: NonConstant) -> Projection:
        features.require(1, "The number of features")
        X = features.X - features.X.mean(axis=0)
        n_clusters = SpectralGraph.of(X, self.n_neighbors).n_clusters(self.n_clusters)
        if self.n_clusters is None:
            n_clusters = min(n_clusters, X.shape[1])
        features.require(n_clusters, f"n_clusters={n_clusters}")
        model = AdaptiveStructure(
            X,
            alpha=self.alpha * n_clusters / len(X),
            beta=self.beta,
            penalty=RowPenalty(gamma=self.gamma, p=1.0),
            n_neighbors=self.n_neighbors,
        )
        return model.fit(n_clusters, max_iter=self.max_iter, tol=self.tol)
