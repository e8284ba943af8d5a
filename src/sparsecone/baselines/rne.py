"""RNE: robust neighbourhood embedding."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state

from ..linalg.types import Array
from ..selectors.constraints import AT_LEAST_ONE, CHOICE, POSITIVE
from .base import ProjectionBaseline
from .constant_features import NonConstant
from .projections.nonnegative import fit_embedding, reconstruction_weights
from .projections.projection import Projection


class RNE(ProjectionBaseline):
    """Select features by a robust embedding of neighbourhoods.

    Samples are scaled to unit norm, and A rebuilds each from its neighbours (locally linear
    embedding). With as many columns of V as features are to be selected, it minimises [1]_

        ||(I - A) X V||_1 + (alpha / 4) ||V' V - I||^2  over  V >= 0.

    The score of a feature is the norm of its row of V; a constant feature scores zero.

    The problem is not convex and the method runs a fixed number of rounds: the result depends
    strongly on the random start. On one face data set two starts had 3 of 50 features in common.
    Fix `random_state`, and do not read much into a single run.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        None for half of the features, an int for their number, a float for their fraction. It is
        also the number of columns of V, so the scores depend on it.
    keep, exclude, groups, per_group
        Features selected in any case, never, and one or all of a group: see
        :class:`~sparsecone.selectors.controls.MaxVariance`.
    n_neighbors : int, default=5
        Neighbours of a sample; fewer than there are samples.
    alpha : float, default=1000.0
        Weight of orthonormality.
    transposed : bool, default=False
        Whether to take A', as the released program does, instead of A, as the paper does. What
        A' leaves over is several times larger: it is there for comparison.
    max_iter : int, default=50
        Number of rounds; there is no stop test.
    random_state : int, RandomState instance or None, default=None
        Seed of the start.

    Attributes
    ----------
    scores_, ranking_, selected_, support_
        See :class:`~sparsecone.selectors.base.Selector`; the scores are the row norms of V.
    projection_ : ndarray of shape (n_features, n_columns)
        V, with zeros in the rows of constant features.
    n_iter_ : int
        Number of rounds.
    objective_ : ndarray of shape (n_iter_,)
        The objective after each round; it may rise a little while V and its constraint meet.

    References
    ----------
    .. [1] Y. Liu, D. Ye, W. Li, H. Wang, Y. Gao, "Robust neighborhood embedding for unsupervised
       feature selection", Knowledge-Based Systems 193, 2020.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sparsecone.baselines.rne import RNE
    >>> X, _ = load_iris(return_X_y=True)
    >>> RNE(n_features_to_select=2, random_state=0).fit_transform(X).shape
    (150, 2)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **CHOICE,
        "n_neighbors": AT_LEAST_ONE,
        "alpha": POSITIVE,
        "transposed": ["boolean"],
        "max_iter": AT_LEAST_ONE,
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
        n_neighbors: int = 5,
        alpha: float = 1000.0,
        transposed: bool = False,
        max_iter: int = 50,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self._set_choice(n_features_to_select, keep, exclude, groups, per_group)
        self.n_neighbors = n_neighbors
        self.alpha = alpha
        self.transposed = transposed
        self.max_iter = max_iter
        self.random_state = random_state

    def _project(self, features: NonConstant) -> Projection:
        n_varying = features.X.shape[1]
        features.require(1, "The number of columns of the projection")
        n_columns = min(self._n_selected(features.mask.size), n_varying)
        start = check_random_state(self.random_state).uniform(size=(n_varying, n_columns))
        return fit_rne(
            features.X,
            start,
            n_neighbors=self.n_neighbors,
            alpha=self.alpha,
            transposed=self.transposed,
            max_iter=self.max_iter,
        )


def fit_rne(
    X: Array, start: Array, *, n_neighbors: int, alpha: float, transposed: bool, max_iter: int
) -> Projection:
    """Fit the projection of `RNE`, whose docstring explains the parameters, from a given start."""
    norms = np.linalg.norm(X, axis=1, keepdims=True)
    X = X / np.where(norms > 0, norms, 1.0)
    weights = reconstruction_weights(X, n_neighbors)
    residual = X - (weights.T if transposed else weights) @ X
    return fit_embedding(residual, start, alpha=alpha, max_iter=max_iter)
