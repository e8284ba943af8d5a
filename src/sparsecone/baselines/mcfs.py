"""MCFS: features that predict the smoothest functions on the graph of the samples."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
from sklearn.utils._param_validation import StrOptions

from ..linalg.types import Array
from ..selectors.constraints import AT_LEAST_ONE, NUMBER_OR_FRACTION, POSITIVE
from ..selectors.wishes import WISHES
from .base import Baseline
from .constant_features import NonConstant
from .projections.least_angle import least_angle_ends
from .projections.library_paths import lasso_ends, turning_ends
from .spectral import SpectralGraph

PATHS = {"least_angle": least_angle_ends, "lasso": lasso_ends, "scikit-learn": turning_ends}


class MCFS(Baseline):
    """Multi-cluster feature selection (Cai, Zhang, He, 2010).

    With G the graph of the nearest neighbours, g = G 1 and L = diag(g) - G, the embedding is that
    of spectral clustering: the c smallest non-trivial solutions of `L y = value diag(g) y`. For
    each y the path of least angle regression of y on the centred features is followed until it has
    as many features as asked for [1]_. The score of a feature is its largest coefficient in the c
    regressions, by absolute value; a constant feature scores zero.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        None for half of the features, an int for their number, a float for their fraction.
    keep, exclude, groups, per_group
        Features selected in any case, never, and one or all of a group: see
        :class:`~sparsecone.selectors.controls.MaxVariance`.
    n_clusters : int or None, default=None
        The number c of regressions; fewer than there are samples. None for the c in 2, .., 10
        before the largest gap of the eigenvalues.
    n_nonzero : int or None, default=None
        Features of each path; None for the number of features to select. The scores depend on it.
    path : {"least_angle", "lasso", "scikit-learn"}, default="least_angle"
        The regressions: least angle regression by its definition; the lasso, whose path also drops
        features, where it first has as many; or scikit-learn's `Lars`, which scikit-feature calls.
    n_neighbors : int, default=5
        Neighbours of a sample; fewer than there are samples.
    weights : {"binary", "heat"}, default="binary"
        Weight of an edge: one, or exp(-distance^2 / (2 width^2)).
    width : float, default=1.0
        Width of the heat kernel.
    self_loops : bool, default=False
        Whether each sample is also joined to itself, with weight one, as in scikit-feature.

    Attributes
    ----------
    scores_, ranking_, selected_, support_
        See :class:`~sparsecone.selectors.base.Selector`.
    coefficients_ : ndarray of shape (n_features, n_clusters_)
        The coefficients of each regression.
    n_clusters_ : int
        The number of regressions.
    n_iter_ : int
        Features of the longest path.

    Notes
    -----
    There is nothing to converge: the eigenvectors are those of Lanczos' method on the sparse graph,
    and a path is exact. Where the graph has several components the smallest solutions are constant
    on each and determined up to a rotation only, which the scores depend on: here they tell the
    largest components from the rest, in order of their size. The inner products of the features
    are formed once where there are at most as many features as samples and as steps of all paths.
    Where there are more, or paths are long, these go on side by side, several steps among few
    features for each product with all of them, which shows how many of these steps were right.

    The paper states a lasso and solves it by least angle regression. By definition all chosen
    features stay equally correlated with what is left. From the step on at which a coefficient
    first changes its sign that no longer holds in scikit-learn's `Lars`, and selections differ:
    `path="scikit-learn"` and `self_loops=True` select what scikit-feature does.

    References
    ----------
    .. [1] D. Cai, C. Zhang, X. He, "Unsupervised feature selection for multi-cluster data",
       KDD 2010.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sparsecone.baselines.mcfs import MCFS
    >>> X, _ = load_iris(return_X_y=True)
    >>> MCFS(n_features_to_select=2).fit_transform(X).shape
    (150, 2)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_features_to_select": NUMBER_OR_FRACTION,
        **WISHES,
        "n_clusters": [None, *AT_LEAST_ONE],
        "n_nonzero": [None, *AT_LEAST_ONE],
        "path": [StrOptions(set(PATHS))],
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
        n_clusters: int | None = None,
        n_nonzero: int | None = None,
        path: Literal["least_angle", "lasso", "scikit-learn"] = "least_angle",
        n_neighbors: int = 5,
        weights: Literal["binary", "heat"] = "binary",
        width: float = 1.0,
        self_loops: bool = False,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.keep = keep
        self.exclude = exclude
        self.groups = groups
        self.per_group = per_group
        self.n_clusters = n_clusters
        self.n_nonzero = n_nonzero
        self.path = path
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.width = width
        self.self_loops = self_loops

    def _scores(self, X: Array) -> Array:
        features = NonConstant.of(X)
        features.require(1, "The number of features")
        graph = SpectralGraph.of(
            features.X,
            self.n_neighbors,
            weights=self.weights,
            width=self.width,
            self_loops=self.self_loops,
        )
        self.n_clusters_ = graph.n_clusters(self.n_clusters)
        targets = graph.embedding(self.n_clusters_)[1]
        centred, targets = features.X - features.X.mean(axis=0), targets - targets.mean(axis=0)
        # After so many steps nothing is left but rounding, which a path would go on to follow.
        most = min(len(centred) - 1, centred.shape[1])
        n_steps = min(self.n_nonzero or self._n_selected(X.shape[1]), most)
        coefficients, self.n_iter_ = PATHS[self.path](centred, targets, n_steps)
        self.coefficients_ = features.spread(coefficients)
        return np.abs(self.coefficients_).max(axis=1)
