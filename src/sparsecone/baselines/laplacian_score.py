"""Laplacian score: the features that change little between neighbours."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.sparsefuncs import mean_variance_axis, min_max_axis

from ..linalg.checked import check_scale, checked_array
from ..linalg.types import Array
from ..selectors.constraints import AT_LEAST_ONE, CHOICE, POSITIVE
from .base import Baseline
from .graph import heat_weights, incidence, nearest_neighbours, row_batches, symmetric_graph

ACCEPTED = {"accept_sparse": "csr", "dtype": [np.float64, np.float32]}


def laplacian_score(
    X: ArrayLike,
    y: object = None,  # noqa: ARG001
    *,
    n_neighbors: int = 5,
    weights: Literal["binary", "heat"] = "binary",
    width: float = 1.0,
    self_loops: bool = False,
) -> Array:
    """Score features by the negated Laplacian score, for `SelectKBest` and the like.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        The samples.
    y : object, default=None
        Ignored.
    n_neighbors, weights, width, self_loops
        As in `LaplacianScore`.

    Returns
    -------
    ndarray of shape (n_features,)
        As `scores_` of `LaplacianScore`: larger is better.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.feature_selection import SelectKBest
    >>> from sparsecone.baselines.laplacian_score import laplacian_score
    >>> X, _ = load_iris(return_X_y=True)
    >>> SelectKBest(laplacian_score, k=2).fit_transform(X).shape
    (150, 2)
    """
    samples = checked_array(X, ensure_min_samples=2, **ACCEPTED)
    check_scale(samples)
    return _scores(samples, n_neighbors, weights, width, self_loops)


class LaplacianScore(Baseline):
    """Select the features that respect the neighbour graph of the samples.

    With the symmetric graph G of the k nearest neighbours, the degrees g = G 1 and the Laplacian
    L = diag(g) - G, a feature f, less its mean weighted by g, has the criterion
    f' L f / f' diag(g) f [1]_. Small is good, so `scores_` holds its negative, which is at most 0.
    A constant feature has no criterion: its score is minus infinity, and it ranks last.

    Sparse X is never made dense, and memory beyond X grows with n_samples * n_neighbors.

    Parameters
    ----------
    n_features_to_select, keep, exclude, groups, per_group
        How many features, which in any case and never, and one or all of a group: see
        :class:`~sparsecone.selectors.controls.MaxVariance`.
    n_neighbors : int, default=5
        Neighbours of a sample; fewer than there are samples.
    weights : {"binary", "heat"}, default="binary"
        Weight of an edge: one, or exp(-distance^2 / (2 width^2)).
    width : float, default=1.0
        Width of the heat kernel.
    self_loops : bool, default=False
        Whether each sample is also joined to itself, with weight one. The original method has no
        such loops; scikit-feature has.

    Attributes
    ----------
    scores_, ranking_, selected_, support_
        See :class:`~sparsecone.selectors.base.Selector`; the scores are the negated criterion.
    n_iter_ : int
        Always 1: there is nothing to iterate.

    References
    ----------
    .. [1] X. He, D. Cai, P. Niyogi, "Laplacian score for feature selection", NIPS 2005.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sparsecone.baselines.laplacian_score import LaplacianScore
    >>> X, _ = load_iris(return_X_y=True)
    >>> LaplacianScore(n_features_to_select=2).fit(X).selected_
    array([2, 3])
    """

    _accepted = ACCEPTED
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **CHOICE,
        "n_neighbors": AT_LEAST_ONE,
        "weights": [StrOptions({"binary", "heat"})],
        "width": POSITIVE,
        "self_loops": ["boolean"],
    }

    def __init__(
        self,
        *,
        n_features_to_select: int | float | None = None,
        keep: Any = None,
        exclude: Any = None,
        groups: Any = None,
        per_group: str = "one",
        n_neighbors: int = 5,
        weights: Literal["binary", "heat"] = "binary",
        width: float = 1.0,
        self_loops: bool = False,
    ) -> None:
        self._set_choice(n_features_to_select, keep, exclude, groups, per_group)
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.width = width
        self.self_loops = self_loops

    def _scores(self, X: Any) -> Array:
        self.n_iter_ = 1
        return _scores(X, self.n_neighbors, self.weights, self.width, self.self_loops)


def _scores(X: Any, n_neighbors: int, weights: str, width: float, self_loops: bool) -> Array:
    """Return the negated criterion of validated data."""
    neighbours = nearest_neighbours(X, n_neighbors)
    heat = heat_weights(neighbours, width) if weights == "heat" else None
    graph = symmetric_graph(neighbours, heat)
    degrees = graph.sum(axis=1) + float(self_loops)
    if not degrees.any():
        raise ValueError(
            f"Every weight of the heat kernel is zero in floating point: width={width} is far "
            f"below the distances of neighbours, {neighbours.distances.min():.3g} and more. "
            "Raise width, scale the features, or use weights='binary'."
        )
    spread = weighted_spread(X, degrees)
    scores = np.full(X.shape[1], -np.inf)
    np.divide(-roughness(graph, X), spread, out=scores, where=spread > 0)
    return scores


def roughness(graph: sp.csr_array, X: Any) -> Array:
    """Return f' L f of every column f: the squared differences over the edges, summed."""
    edges = incidence(graph).astype(X.dtype)
    total = np.zeros(X.shape[1])
    for batch in row_batches(edges.shape[0], X.shape[1]):
        differences = edges[batch] @ X
        total += np.asarray((differences**2).sum(axis=0, dtype=np.float64)).ravel()
    return total


def weighted_spread(X: Any, degrees: Array) -> Array:
    """Return f' diag(g) f of every column f less its weighted mean; exactly 0 if constant."""
    total = degrees.sum()
    if sp.issparse(X):
        spread = mean_variance_axis(X, axis=0, weights=degrees.astype(X.dtype))[1] * total
        lowest, highest = min_max_axis(X, axis=0)
    else:
        mean = degrees @ X / total
        spread = np.zeros(X.shape[1])
        for batch in row_batches(*X.shape):
            spread += degrees[batch] @ (X[batch] - mean) ** 2
        lowest, highest = X.min(axis=0), X.max(axis=0)
    return np.where(lowest == highest, 0.0, spread)
