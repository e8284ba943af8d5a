"""SPEC: spectral feature selection, the features that agree with the graph of the samples."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
import scipy.sparse as sp
from sklearn.utils._param_validation import StrOptions

from ..linalg.types import Array
from ..selectors.constraints import AT_LEAST_ONE, CHOICE, POSITIVE
from .base import Baseline
from .laplacian_score import ACCEPTED, roughness, weighted_spread
from .spectral import SpectralGraph


class SPEC(Baseline):
    """Spectral feature selection (Zhao, Liu, 2007).

    With the symmetric graph of the k nearest neighbours, its degrees g and its normalised Laplacian
    N with eigenvalues `value_1 <= value_2 <= ..` and eigenvectors `xi_1, xi_2, ..`, a feature f is
    scaled to `f~ = diag(g)^1/2 f / |diag(g)^1/2 f|` and has one of three criteria [1]_::

        "all"      f~' N f~                                  small is good
        "centred"  f~' N f~ / (1 - (f~' xi_1)^2)             small is good
        "leading"  sum_j=2..c+1 (2 - value_j) (f~' xi_j)^2   large is good

    Where small is good `scores_` holds the negative. A constant feature has the score minus
    infinity, and ranks last.

    Parameters
    ----------
    n_features_to_select, keep, exclude, groups, per_group
        How many features, which in any case and never, and one or all of a group: see
        :class:`~sparsecone.selectors.controls.MaxVariance`.
    criterion : {"all", "centred", "leading"}, default="centred"
        Which of the three; they are phi_1, phi_2 and phi_3 of the paper.
    n_clusters : int or None, default=None
        The number c of eigenvectors of the third; None for the c in 2, .., 10 before the largest
        gap of the eigenvalues.
    n_neighbors, weights, width, self_loops
        The graph: see :class:`~sparsecone.LaplacianScore`.

    Attributes
    ----------
    scores_, ranking_, selected_, support_
        See :class:`~sparsecone.selectors.base.Selector`.
    n_iter_ : int
        Always 1: there is nothing to iterate.

    Notes
    -----
    The second criterion is the Laplacian score: `xi_1 = diag(g)^1/2 1`, and to leave it out is to
    centre f. The first depends on the means of the features, and prefers those whose mean is large
    beside their spread. The third leaves the constant `xi_1` out, which tells no samples apart.
    Sparse X is never made dense, and memory beyond X grows with n_samples * n_neighbors.

    References
    ----------
    .. [1] Z. Zhao, H. Liu, "Spectral feature selection for supervised and unsupervised learning",
       ICML 2007.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sparsecone.baselines.spec import SPEC
    >>> X, _ = load_iris(return_X_y=True)
    >>> SPEC(n_features_to_select=2).fit(X).selected_
    array([2, 3])
    """

    _accepted = ACCEPTED
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **CHOICE,
        "criterion": [StrOptions({"all", "centred", "leading"})],
        "n_clusters": [None, *AT_LEAST_ONE],
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
        criterion: Literal["all", "centred", "leading"] = "centred",
        n_clusters: int | None = None,
        n_neighbors: int = 5,
        weights: Literal["binary", "heat"] = "binary",
        width: float = 1.0,
        self_loops: bool = False,
    ) -> None:
        self._set_choice(n_features_to_select, keep, exclude, groups, per_group)
        self.criterion = criterion
        self.n_clusters = n_clusters
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.width = width
        self.self_loops = self_loops

    def _scores(self, X: Any) -> Array:
        graph = SpectralGraph.of(
            X, self.n_neighbors, weights=self.weights, width=self.width, self_loops=self.self_loops
        )
        self.n_iter_ = 1
        spread = weighted_spread(X, graph.roots**2)
        sizes = spread if self.criterion == "centred" else _weighted_squares(X, graph.roots**2)
        scores = np.full(X.shape[1], -np.inf)
        raw = self._leading(graph, X) if self.criterion == "leading" else -roughness(graph.graph, X)
        np.divide(raw, sizes, out=scores, where=spread > 0)
        return scores

    def _leading(self, graph: SpectralGraph, X: Any) -> Array:
        """Return sum_j (2 - value_j) (f' diag(g)^1/2 xi_j)^2 of every column f."""
        values, embedding = graph.embedding(graph.n_clusters(self.n_clusters))
        parts = X.T @ (graph.roots[:, None] ** 2 * embedding)
        return np.asarray(parts**2 @ (2.0 - values))


def _weighted_squares(X: Any, degrees: Array) -> Array:
    """Return f' diag(g) f of every column f."""
    squares = X.multiply(X) if sp.issparse(X) else X**2
    return np.asarray(degrees @ squares)
