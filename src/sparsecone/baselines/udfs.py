"""UDFS: unsupervised discriminative feature selection."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..linalg.types import Array
from ..selectors.constraints import AT_LEAST_ONE, CHOICE, NOT_NEGATIVE, POSITIVE
from .base import ProjectionBaseline
from .constant_features import NonConstant
from .graph import nearest_neighbours, row_batches
from .projections.dirichlet import EPS, dirichlet_form
from .projections.projection import Projection
from .projections.row_sparse import RowPenalty, fit_row_sparse

# A ridge that is larger than this, relative to the squares of a sample, covers their rounding.
COARSE = 1e-6


class UDFS(ProjectionBaseline):
    """Select features by the local discriminative information of a linear projection.

    With X_i the sample i and its k neighbours, centred, and M the sum over the samples of
    X_i' (X_i X_i' + mu I)^-1 X_i, it minimises

        tr(V' M V) + gamma ||V||_2,1  over  V' V = I,

    V of `n_clusters` columns [1]_, by eigenproblems that follow each other. The score of a feature
    is the norm of its row of V; a constant feature scores zero.

    Memory grows with the square of the smaller of n_samples and n_features: M has rank below
    n_samples and, with more features than that, is never formed. The published method then starts
    anywhere in the null space of M; here it starts from the eigenvectors of smallest non-zero
    eigenvalue whenever the null space has more than `n_clusters` dimensions, and so depends on the
    data only.

    Parameters
    ----------
    n_features_to_select, keep, exclude, groups, per_group
        How many features, which in any case and never, and one or all of a group: see
        :class:`~sparsecone.selectors.controls.MaxVariance`.
    n_clusters : int, default=2
        Columns of V, the clusters one expects; at most the number of features. The default is
        the smallest number of clusters that there can be: set it.
    gamma : float, default=1.0
        Weight of the norm; large values leave few features.
    mu : float, default=1000.0
        Ridge of the local scatter; relative to squared distances between neighbours.
    n_neighbors : int, default=5
        Neighbours of a sample; fewer than there are samples.
    max_iter : int, default=20
        Largest number of eigenproblems.
    tol : float, default=1e-6
        Stop where the objective falls by no more than this, relative to it; the published program
        always makes 20 iterations, as 0 does until nothing falls any more. The eigenvectors are
        accurate to a tenth of the root of the last fall, and to 1e-8 where it is 0.

    Attributes
    ----------
    scores_, ranking_, selected_, support_
        See :class:`~sparsecone.selectors.base.Selector`; the scores are the row norms of V.
    projection_ : ndarray of shape (n_features, n_clusters)
        V, with zeros in the rows of constant features.
    n_iter_ : int
        Number of eigenproblems.
    objective_ : ndarray of shape (n_iter_,)
        The objective after each; it never rises.

    References
    ----------
    .. [1] Y. Yang, H. T. Shen, Z. Ma, Z. Huang, X. Zhou, "l2,1-norm regularized discriminative
       feature selection for unsupervised learning", IJCAI 2011.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sparsecone.baselines.udfs import UDFS
    >>> X, _ = load_iris(return_X_y=True)
    >>> UDFS(n_features_to_select=2, n_clusters=2).fit_transform(X).shape
    (150, 2)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **CHOICE,
        "n_clusters": AT_LEAST_ONE,
        "gamma": POSITIVE,
        "mu": POSITIVE,
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
        n_clusters: int = 2,
        gamma: float = 1.0,
        mu: float = 1000.0,
        n_neighbors: int = 5,
        max_iter: int = 20,
        tol: float = 1e-6,
    ) -> None:
        self._set_choice(n_features_to_select, keep, exclude, groups, per_group)
        self.n_clusters = n_clusters
        self.gamma = gamma
        self.mu = mu
        self.n_neighbors = n_neighbors
        self.max_iter = max_iter
        self.tol = tol

    def _project(self, features: NonConstant) -> Projection:
        features.require(self.n_clusters, f"n_clusters={self.n_clusters}")
        laplacian = discriminative_laplacian(features.X, self.n_neighbors, self.mu)
        return fit_row_sparse(
            dirichlet_form(features.X, laplacian, self.n_clusters),
            RowPenalty(gamma=self.gamma, p=1.0),
            self.n_clusters,
            max_iter=self.max_iter,
            rtol=self.tol,
        )


def discriminative_laplacian(X: Array, n_neighbors: int, mu: float) -> sp.csr_array:
    """Return the sparse L with X' L X = M, the matrix of `UDFS`.

    L is the sum over the samples of H (H X_i X_i' H + mu I)^-1 H, H the centring matrix, each on
    the rows and columns of sample i and its neighbours.
    """
    size, neighbours = n_neighbors + 1, nearest_neighbours(X, n_neighbors)
    groups = np.column_stack([np.arange(len(X)), neighbours.indices])
    products, centring = neighbours.products, np.eye(size) - 1.0 / size
    if products is not None and mu > COARSE * products.diagonal().max():
        scatters = centring @ products[groups[:, :, None], groups[:, None]] @ centring
    else:
        scatters = _local_scatters(X, groups)
    blocks = _ridge_inverse(scatters, mu)
    places = (np.repeat(groups, size, axis=1).ravel(), np.tile(groups, size).ravel())
    entries = (centring @ blocks @ centring).ravel()
    return sp.coo_array((entries, places), shape=(len(X), len(X))).tocsr()


def _local_scatters(X: Array, groups: NDArray[np.intp]) -> Array:
    """Return H X_i X_i' H of each group of samples, whose digits do not depend on where it is."""
    scatters = np.empty((*groups.shape, groups.shape[1]))
    for batch in row_batches(len(X), groups.shape[1] * X.shape[1]):
        local = X[groups[batch]]
        local -= local.mean(axis=1, keepdims=True)
        scatters[batch] = local @ local.transpose(0, 2, 1)
    return scatters


def _ridge_inverse(grams: Array, mu: float) -> Array:
    """Return (G + mu I)^-1 of each positive semidefinite G, or say that mu makes no difference."""
    values, vectors = np.linalg.eigh(grams)
    if mu <= EPS * values.max():
        raise ValueError(
            f"mu={mu} vanishes beside the local scatter, up to {values.max():.3g}: raise mu, or "
            "scale the features."
        )
    scaled = vectors / (np.maximum(values, 0.0) + mu)[:, None, :]
    return np.asarray(scaled @ vectors.transpose(0, 2, 1))
