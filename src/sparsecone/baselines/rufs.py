"""RUFS: robust unsupervised feature selection."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from ..selectors.constraints import AT_LEAST_ONE, CHOICE, NOT_NEGATIVE, POSITIVE
from .base import ProjectionBaseline
from .constant_features import NonConstant
from .projections.projection import Projection
from .projections.pseudo_labels import first_labels
from .projections.robust_labels import RobustLabels, local_learning
from .spectral import SpectralGraph


class RUFS(ProjectionBaseline):
    """Robust unsupervised feature selection (Qian, Zhai, 2013).

    With X centred (rows `x_i`), it minimises over the projection V (features x clusters, rows
    `v^i`), the centres C (clusters x features) and the pseudo-labels F >= 0 (samples x clusters,
    rows `f_i`)::

        sum_i |x_i - f_i C| + nu |F - A F|^2 + alpha sum_i |x_i V - f_i| + beta sum_i |v^i|
            + (gamma / 2) |F'F - I|^2

    [1]_. The norms are not squared, so that outlying samples weigh less. A predicts the labels of a
    sample from those of its neighbours by a linear ridge regression with an intercept (local
    learning). F starts from k-means on the spectral embedding. The score of a feature is the norm
    of its row of V; a constant feature scores zero.

    Parameters
    ----------
    n_features_to_select, keep, exclude, groups, per_group
        How many features, which in any case and never, and one or all of a group: see
        :class:`~sparsecone.selectors.controls.MaxVariance`.
    n_clusters : int or None, default=None
        Columns of F and V; fewer than there are samples. None for the number in 2, .., 10 before
        the largest gap of the eigenvalues of the normalised Laplacian of the neighbours.
    alpha, beta, nu : float, default=1.0
        Weights of the regression, of the norms of V and of local learning.
    gamma : float, default=1e8
        Weight of orthonormality.
    n_neighbors : int, default=5
        Neighbours of a sample; fewer than there are samples.
    max_iter : int, default=50
        Largest number of rounds.
    tol : float, default=1e-5
        Stop where the objective falls by no more than this, relative to it.
    random_state : int, RandomState instance or None, default=None
        Seed of k-means.

    Attributes
    ----------
    scores_, ranking_, selected_, support_
        See :class:`~sparsecone.selectors.base.Selector`; the scores are the row norms of V.
    projection_ : ndarray of shape (n_features, n_clusters)
        V, with zeros in the rows of constant features.
    labels_ : ndarray of shape (n_samples, n_clusters)
        F.
    n_iter_ : int
        Number of rounds.
    objective_ : ndarray of shape (n_iter_,)
        The objective after each, with 1e-16 inside the roots; it never rises.

    Notes
    -----
    The problem is not convex, and the result depends on the start. Norms are replaced by weighted
    squares again and again, after which C and V have closed forms and F is updated as in
    :class:`NDFS`, never raising the objective. The paper has C >= 0 for data that are not negative;
    here C is free, as X is centred. The ridge of local learning is the sum of squared distances
    from the neighbours. A round costs a weighted Gram matrix and its Cholesky factor on the smaller
    side of X.

    References
    ----------
    .. [1] M. Qian, C. Zhai, "Robust unsupervised feature selection", IJCAI 2013.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sparsecone.baselines.rufs import RUFS
    >>> X, _ = load_iris(return_X_y=True)
    >>> RUFS(n_features_to_select=2, n_clusters=3, random_state=0).fit_transform(X).shape
    (150, 2)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **CHOICE,
        "n_clusters": [None, *AT_LEAST_ONE],
        "alpha": POSITIVE,
        "beta": POSITIVE,
        "nu": NOT_NEGATIVE,
        "gamma": POSITIVE,
        "n_neighbors": AT_LEAST_ONE,
        "max_iter": AT_LEAST_ONE,
        "tol": NOT_NEGATIVE,
        "random_state": ["random_state"],
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
        alpha: float = 1.0,
        beta: float = 1.0,
        nu: float = 1.0,
        gamma: float = 1e8,
        n_neighbors: int = 5,
        max_iter: int = 50,
        tol: float = 1e-5,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self._set_choice(n_features_to_select, keep, exclude, groups, per_group)
        self.n_clusters = n_clusters
        self.alpha = alpha
        self.beta = beta
        self.nu = nu
        self.gamma = gamma
        self.n_neighbors = n_neighbors
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _project(self, features: NonConstant) -> Projection:
        features.require(1, "The number of features")
        X = features.X - features.X.mean(axis=0)
        graph = SpectralGraph.of(X, self.n_neighbors)
        n_clusters = graph.n_clusters(self.n_clusters)
        embedding = graph.embedding(max(1, n_clusters - 1))[1]
        model = RobustLabels(
            X,
            local_learning(X, self.n_neighbors),
            alpha=self.alpha,
            beta=self.beta,
            nu=self.nu,
            gamma=self.gamma,
        )
        start = first_labels(embedding, n_clusters, self.random_state)
        self.labels_, projection = model.fit(start, max_iter=self.max_iter, tol=self.tol)
        return projection
