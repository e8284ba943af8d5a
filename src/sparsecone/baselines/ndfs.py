"""NDFS: features that predict non-negative spectral clusters."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar, Literal

import numpy as np
import scipy.sparse as sp
from sklearn.utils._param_validation import StrOptions

from ..linalg.types import Array
from ..selectors.constraints import AT_LEAST_ONE, CHOICE, NOT_NEGATIVE, POSITIVE
from .base import ProjectionBaseline
from .constant_features import NonConstant
from .projections.krylov import Operator
from .projections.projection import Projection
from .projections.pseudo_labels import PseudoLabels, first_labels
from .projections.regression import Regression
from .projections.row_sparse import RowPenalty
from .spectral import SpectralGraph


class NDFS(ProjectionBaseline):
    """Nonnegative discriminative feature selection (Li et al., 2012).

    With X centred, N the normalised Laplacian of the graph of nearest neighbours and `v^i` the rows
    of V (features x clusters), it minimises over V and the pseudo-labels F (samples x clusters)::

        tr(F'NF) + alpha (|X V - F|^2 + beta sum_i |v^i|) + (gamma / 2) |F'F - I|^2,   F >= 0

    [1]_. F starts from the clusters of k-means. The score of a feature is the norm of its
    row of V; a constant feature scores zero.

    Parameters
    ----------
    n_features_to_select, keep, exclude, groups, per_group
        How many features, which in any case and never, and one or all of a group: see
        :class:`~sparsecone.selectors.controls.MaxVariance`.
    n_clusters : int or None, default=None
        Columns of F and V; fewer than there are samples. None for the number in 2, .., 10 before
        the largest gap of the eigenvalues of N.
    alpha : float, default=1.0
        Weight of the regression.
    beta : float, default=1.0
        Weight of the norms within it; large values leave few features.
    gamma : float, default=1e8
        Weight of orthonormality.
    n_neighbors : int, default=5
        Neighbours of a sample; fewer than there are samples.
    self_loops : bool, default=False
        Whether each sample is also joined to itself, with weight one, as in scikit-feature.
    start : {"spectral", "samples"}, default="spectral"
        Where k-means looks for the first clusters: in the spectral embedding, or among the samples
        themselves, as in scikit-feature.
    max_iter : int, default=100
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
    The problem is not convex, and the result depends on the start: with gamma as large as published
    F hardly leaves the clusters of k-means, and other clusters may share few features. V given F is
    a regression with weights that follow V, which never raises the objective. The published update
    of F takes the entries of a matrix M for non-negative that are not: here the parts of M F take
    their sides, and a step that would raise the objective is shortened. M is applied and never
    formed; a round costs a Cholesky factor on the smaller side of X.

    References
    ----------
    .. [1] Z. Li, Y. Yang, J. Liu, X. Zhou, H. Lu, "Unsupervised feature selection using nonnegative
       spectral analysis", AAAI 2012.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sparsecone.baselines.ndfs import NDFS
    >>> X, _ = load_iris(return_X_y=True)
    >>> NDFS(n_features_to_select=2, n_clusters=3, random_state=0).fit_transform(X).shape
    (150, 2)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **CHOICE,
        "n_clusters": [None, *AT_LEAST_ONE],
        "alpha": POSITIVE,
        "beta": POSITIVE,
        "gamma": POSITIVE,
        "n_neighbors": AT_LEAST_ONE,
        "self_loops": ["boolean"],
        "start": [StrOptions({"spectral", "samples"})],
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
        gamma: float = 1e8,
        n_neighbors: int = 5,
        self_loops: bool = False,
        start: Literal["spectral", "samples"] = "spectral",
        max_iter: int = 100,
        tol: float = 1e-5,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self._set_choice(n_features_to_select, keep, exclude, groups, per_group)
        self.n_clusters = n_clusters
        self.alpha = alpha
        self.beta = beta
        self.gamma = gamma
        self.n_neighbors = n_neighbors
        self.self_loops = self_loops
        self.start = start
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _project(self, features: NonConstant) -> Projection:
        features.require(1, "The number of features")
        graph = SpectralGraph.of(features.X, self.n_neighbors, self_loops=self.self_loops)
        n_clusters = graph.n_clusters(self.n_clusters)
        centred = features.X - features.X.mean(axis=0)
        spectral = self.start == "spectral"
        points = graph.embedding(max(1, n_clusters - 1))[1] if spectral else centred
        start = first_labels(points, n_clusters, self.random_state)
        self.labels_, projection = fit_ndfs(
            centred,
            graph.normalised,
            start,
            alpha=self.alpha,
            beta=self.beta,
            gamma=self.gamma,
            max_iter=self.max_iter,
            tol=self.tol,
        )
        return projection


def fit_ndfs(
    X: Array,
    laplacian: sp.csr_array,
    start: Array,
    *,
    alpha: float,
    beta: float,
    gamma: float,
    max_iter: int,
    tol: float,
) -> tuple[Array, Projection]:
    """Return the pseudo-labels and the projection of `NDFS` from given pseudo-labels."""
    regression, penalty = Regression(X), RowPenalty(gamma=beta, p=1.0)
    F, solve = start, regression.weighted(np.full(X.shape[1], beta))
    objective: list[float] = []
    for _ in range(max_iter):
        labels = PseudoLabels(partial(_image, X, laplacian, alpha, solve), gamma)
        F = labels.improve(F)
        V = solve(F)
        misfit = float(np.sum((X @ V - F) ** 2)) + penalty.value(V)
        smoothness = float(np.sum(F * (laplacian @ F)))
        objective.append(smoothness + alpha * misfit + labels.excess(F))
        if len(objective) > 1 and objective[-2] - objective[-1] <= tol * abs(objective[-1]):
            break
        solve = regression.weighted(penalty.slopes(V))
    return F, Projection(V=V, objective=np.array(objective))


def _image(X: Array, laplacian: sp.csr_array, alpha: float, solve: Operator, F: Array) -> Array:
    """Return M F, where tr(F' M F) is the objective at the V of F under the weights of `solve`."""
    return np.asarray(laplacian @ F + alpha * (F - X @ solve(F)))
