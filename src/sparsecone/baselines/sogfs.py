"""SOGFS: structured optimal graph feature selection."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from ..selectors.constraints import AT_LEAST_ONE, CHOICE, POSITIVE, UP_TO_TWO
from .base import ProjectionBaseline
from .constant_features import NonConstant
from .projections.projection import Projection
from .projections.row_sparse import RowPenalty
from .projections.structured import fit_structured_graph


class SOGFS(ProjectionBaseline):
    """Select features by a projection and a neighbour graph that are learned together.

    Features are centred and scaled to unit norm; a constant one scores zero. Over affinities S
    with rows on the simplex and k non-zeros each, V' V = I and F' F = I, with L the Laplacian of
    (S + S') / 2, it minimises in turn [1]_

        tr(V' X' L X V) + gamma ||V||_2,p^p + (r / 2) ||S||^2 + mu tr(F' L F).

    The weight r is the mean of those that give k neighbours a sample in the data; mu starts there
    and doubles while the graph has fewer components than `n_clusters`, and halves while it has
    more. The score of a feature is the norm of its row of V.

    The graph is sparse throughout. V is found on the smaller of the two sides: with more features
    than samples the matrix X' L X is held as a factor, for the price of one n_samples x n_samples
    eigenproblem a round.

    Parameters
    ----------
    n_features_to_select, keep, exclude, groups, per_group
        How many features, which in any case and never, and one or all of a group: see
        :class:`~sparsecone.selectors.controls.MaxVariance`.
    n_clusters : int, default=2
        Components that the graph should have; fewer than there are samples. The default is the
        smallest number that means anything: set it.
    gamma : float, default=0.1
        Weight of the norm; large values leave few features.
    p : float, default=0.5
        Exponent of the norm, in (0, 2]. The published program has 1.
    n_neighbors : int, default=5
        Neighbours of a sample; at least two fewer than there are samples.
    n_components : int or None, default=None
        Columns of V, at most the number of features; None for `n_clusters` - 1, or 1
        if that is 0.
    max_iter : int, default=50
        Largest number of rounds.

    Attributes
    ----------
    scores_, ranking_, selected_, support_
        See :class:`~sparsecone.selectors.base.Selector`; the scores are the row norms of V.
    projection_ : ndarray of shape (n_features, n_components)
        V, with zeros in the rows of constant features.
    graph_ : csr_array of shape (n_samples, n_samples)
        The learned graph (S + S') / 2.
    n_iter_ : int
        Number of rounds.
    objective_ : ndarray of shape (n_iter_,)
        The objective after each round, at the mu of that round; for the change of mu, it may rise.

    References
    ----------
    .. [1] F. Nie, W. Zhu, X. Li, "Unsupervised feature selection with structured graph
       optimization", AAAI 2016.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sparsecone.baselines.sogfs import SOGFS
    >>> X, _ = load_iris(return_X_y=True)
    >>> SOGFS(n_features_to_select=2, n_clusters=3).fit_transform(X).shape
    (150, 2)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **CHOICE,
        "n_clusters": AT_LEAST_ONE,
        "gamma": POSITIVE,
        "p": UP_TO_TWO,
        "n_neighbors": AT_LEAST_ONE,
        "n_components": [None, *AT_LEAST_ONE],
        "max_iter": AT_LEAST_ONE,
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
        gamma: float = 0.1,
        p: float = 0.5,
        n_neighbors: int = 5,
        n_components: int | None = None,
        max_iter: int = 50,
    ) -> None:
        self._set_choice(n_features_to_select, keep, exclude, groups, per_group)
        self.n_clusters = n_clusters
        self.gamma = gamma
        self.p = p
        self.n_neighbors = n_neighbors
        self.n_components = n_components
        self.max_iter = max_iter

    def _project(self, features: NonConstant) -> Projection:
        n_components = self.n_components or max(1, self.n_clusters - 1)
        features.require(n_components, f"{n_components} components of the projection")
        n_samples = len(features.X)
        if self.n_clusters >= n_samples:
            raise ValueError(f"n_clusters={self.n_clusters} must be below n_samples={n_samples}.")
        result = fit_structured_graph(
            features.X,
            RowPenalty(gamma=self.gamma, p=self.p),
            n_clusters=self.n_clusters,
            n_components=n_components,
            n_neighbors=self.n_neighbors,
            max_iter=self.max_iter,
        )
        self.graph_ = result.affinities.graph
        return replace(result.projection, objective=result.objective)
