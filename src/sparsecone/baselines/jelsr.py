"""JELSR: joint embedding learning and sparse regression."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import scipy.linalg
import scipy.sparse as sp

from ..linalg.types import Array
from ..selectors.constraints import AT_LEAST_ONE, CHOICE, NOT_NEGATIVE, POSITIVE
from .base import ProjectionBaseline
from .constant_features import NonConstant
from .projections.krylov import Operator, leading_eigenvectors
from .projections.nonnegative import reconstruction_weights
from .projections.projection import Projection
from .projections.regression import Regression
from .projections.row_sparse import RowPenalty
from .spectral import SpectralGraph

# How far the embedding of a round is followed where its matrix is known by products only.
TOLERANCE, PRODUCTS = 1e-8, 30


class JELSR(ProjectionBaseline):
    """Joint embedding learning and sparse regression (Hou et al., 2014).

    With X centred and A the weights that rebuild each sample from its neighbours (locally linear
    embedding), it minimises over V (features x clusters, rows `v^i`) and the embedding Y::

        |Y - A Y|^2 + beta (|X V - Y|^2 + alpha sum_i |v^i|)    subject to    Y'Y = I

    [1]_. The score of a feature is the norm of its row of V; a constant feature scores zero.

    Parameters
    ----------
    n_features_to_select, keep, exclude, groups, per_group
        How many features, which in any case and never, and one or all of a group: see
        :class:`~sparsecone.selectors.controls.MaxVariance`.
    n_clusters : int or None, default=None
        Columns of Y and V; fewer than there are samples. None for the number in 2, .., 10 before
        the largest gap of the eigenvalues of the normalised Laplacian of the neighbours.
    alpha : float, default=1.0
        Weight of the norms; large values leave few features.
    beta : float, default=1.0
        Weight of the regression.
    n_neighbors : int, default=5
        Neighbours of a sample; fewer than there are samples.
    max_iter : int, default=50
        Largest number of rounds.
    tol : float, default=1e-5
        Stop where the objective falls by no more than this, relative to it.

    Attributes
    ----------
    scores_, ranking_, selected_, support_
        See :class:`~sparsecone.selectors.base.Selector`; the scores are the row norms of V.
    projection_ : ndarray of shape (n_features, n_clusters)
        V, with zeros in the rows of constant features.
    embedding_ : ndarray of shape (n_samples, n_clusters)
        Y.
    n_iter_ : int
        Number of rounds.
    objective_ : ndarray of shape (n_iter_,)
        The objective after each, with 1e-16 inside the roots; it never rises.

    Notes
    -----
    The problem is not convex: the end is a stationary point. A round solves for V and Y together
    with the norms replaced by weighted squares, which never raises the objective: Y are the
    smallest eigenvectors of an n x n matrix, exactly where there are at most as many samples as
    features. Where there are more the matrix is not formed, and a round improves on the Y of the
    round before by up to 30 products with it; Y starts from the spectral embedding.

    References
    ----------
    .. [1] C. Hou, F. Nie, X. Li, D. Yi, Y. Wu, "Joint embedding learning and sparse regression: a
       framework for unsupervised feature selection", IEEE Transactions on Cybernetics 44, 2014.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sparsecone.baselines.jelsr import JELSR
    >>> X, _ = load_iris(return_X_y=True)
    >>> JELSR(n_features_to_select=2, n_clusters=3).fit_transform(X).shape
    (150, 2)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **CHOICE,
        "n_clusters": [None, *AT_LEAST_ONE],
        "alpha": POSITIVE,
        "beta": POSITIVE,
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
        alpha: float = 1.0,
        beta: float = 1.0,
        n_neighbors: int = 5,
        max_iter: int = 50,
        tol: float = 1e-5,
    ) -> None:
        self._set_choice(n_features_to_select, keep, exclude, groups, per_group)
        self.n_clusters = n_clusters
        self.alpha = alpha
        self.beta = beta
        self.n_neighbors = n_neighbors
        self.max_iter = max_iter
        self.tol = tol

    def _project(self, features: NonConstant) -> Projection:
        features.require(1, "The number of features")
        X = features.X - features.X.mean(axis=0)
        graph = SpectralGraph.of(X, self.n_neighbors)
        n_clusters = graph.n_clusters(self.n_clusters)
        residual = sp.eye_array(len(X)) - reconstruction_weights(X, self.n_neighbors)
        laplacian = sp.csr_array(residual.T @ residual)
        regression, penalty = Regression(X), RowPenalty(gamma=self.alpha, p=1.0)
        solve = regression.weighted(np.full(X.shape[1], self.alpha))
        start = graph.embedding(n_clusters)[1]
        objective: list[float] = []
        for _ in range(self.max_iter):
            start = Y = smoothest(X, solve, laplacian, self.beta, start)
            V = solve(Y)
            misfit = float(np.sum((X @ V - Y) ** 2)) + penalty.value(V)
            objective.append(float(np.sum((residual @ Y) ** 2)) + self.beta * misfit)
            if len(objective) > 1 and objective[-2] - objective[-1] <= self.tol * objective[-1]:
                break
            solve = regression.weighted(penalty.slopes(V))
        self.embedding_ = Y
        return Projection(V=V, objective=np.array(objective))


def smoothest(
    X: Array, solve: Operator, laplacian: sp.csr_array, beta: float, start: Array
) -> Array:
    """Return the smallest eigenvectors of L + beta (I - H), H T = X V the fit of the targets T.

    They have no larger trace than `start`, and are exact where the matrix may be formed.
    """
    n_samples, n_wanted = start.shape

    def apply(T: Array) -> Array:
        return np.asarray(laplacian @ T + beta * (T - X @ solve(T)))

    if n_samples <= max(X.shape[1], 10 * n_wanted):
        matrix = apply(np.eye(n_samples))
        wanted = [0, n_wanted - 1]
        return np.asarray(scipy.linalg.eigh((matrix + matrix.T) / 2, subset_by_index=wanted)[1])
    # Gershgorin's bound of the largest eigenvalue turns the smallest into the leading ones.
    top = beta + float(abs(laplacian).sum(axis=1).max())
    return leading_eigenvectors(
        lambda T: top * T - apply(T), start, n_wanted, tol=TOLERANCE, max_products=PRODUCTS
    )[1]
