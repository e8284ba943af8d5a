"""Controls that every comparison shows: all features, the most varying, and any."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.base import _fit_context
from sklearn.utils import Tags, check_random_state
from sklearn.utils.sparsefuncs import mean_variance_axis, min_max_axis

from ..linalg.checked import check_scale, checked_array
from .base import Selector
from .constraints import CHOICE

DATA: dict[str, Any] = {"dtype": np.float64, "accept_sparse": ["csr", "csc"]}


def variance_score(X: Any, y: Any = None) -> NDArray[np.float64]:  # noqa: ARG001
    """Return the variance of each feature, for `SelectKBest` and the like.

    Parameters
    ----------
    X : array-like or SciPy sparse matrix of shape (n_samples, n_features)
        The samples.
    y : Ignored
        There are no labels.

    Returns
    -------
    ndarray of shape (n_features,)
        The variances, exactly zero for a constant feature.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.feature_selection import SelectKBest
    >>> from sparsecone.selectors.controls import variance_score
    >>> X, _ = load_iris(return_X_y=True)
    >>> SelectKBest(variance_score, k=2).fit(X).get_support(indices=True)
    array([0, 2])
    """
    X = checked_array(X, **DATA)
    check_scale(X)
    if issparse(X):
        _, variances = mean_variance_axis(X, axis=0)
        lowest, highest = min_max_axis(X, axis=0)
    else:
        variances, lowest, highest = X.var(axis=0), X.min(axis=0), X.max(axis=0)
    return np.where(lowest == highest, 0.0, variances)


class Control(Selector):
    """Base of the controls: they differ in the scores alone."""

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002
        """Score the features and select the best.

        Parameters
        ----------
        X : array-like, DataFrame or SciPy sparse matrix of shape (n_samples, n_features)
            The samples.
        y : Ignored
            There are no labels.

        Returns
        -------
        self
            The fitted selector.
        """
        X = checked_array(X, estimator=self, **DATA)
        self._n_selected(X.shape[1])
        return self._keep(self._scores(X))

    @abstractmethod
    def _scores(self, X: Any) -> NDArray[np.float64]:
        """Return one score a feature."""

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class AllFeatures(Control):
    """Select every feature, with equal scores: what a selection has to beat.

    Attributes
    ----------
    scores_, ranking_, selected_, support_
        See :class:`~sparsecone.selectors.base.Selector`.

    Examples
    --------
    >>> from sparsecone.selectors.controls import AllFeatures
    >>> AllFeatures().fit([[1, 2], [3, 5]]).support_
    array([ True,  True])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {}

    n_features_to_select = 1.0

    def _scores(self, X: Any) -> NDArray[np.float64]:
        return np.ones(X.shape[1])


class MaxVariance(Control):
    """Select the features of largest variance.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        A number of features, a fraction of them, or None for half.
    keep, exclude : str, array-like or None, default=None
        Features that are selected in any case, and never: names, patterns such as `"MT-*"`,
        indices or a mask. What is kept counts among the selected.
    groups : array-like or None, default=None
        Lists of features, or a label for each feature, None for those of no group.
    per_group : {"one", "all"}, default="one"
        Whether at most one feature of a group is selected, or all or none of them: then as many
        whole groups as fit into `n_features_to_select`.

    Attributes
    ----------
    scores_, ranking_, selected_, support_
        See :class:`~sparsecone.selectors.base.Selector`; the scores are the variances.

    Examples
    --------
    >>> from sparsecone.selectors.controls import MaxVariance
    >>> MaxVariance(n_features_to_select=1).fit([[1, 2], [3, 5]]).selected_
    array([1])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = CHOICE

    def __init__(
        self,
        *,
        n_features_to_select: int | float | None = None,
        keep: Any = None,
        exclude: Any = None,
        groups: Any = None,
        per_group: str = "one",
    ) -> None:
        self._set_choice(n_features_to_select, keep, exclude, groups, per_group)

    def _scores(self, X: Any) -> NDArray[np.float64]:
        return variance_score(X)


class RandomFeatures(Control):
    """Select features at random.

    Parameters
    ----------
    n_features_to_select, keep, exclude, groups, per_group
        See :class:`MaxVariance`.
    random_state : int, RandomState instance or None, default=None
        Draws the scores, uniform in [0, 1).

    Attributes
    ----------
    scores_, ranking_, selected_, support_
        See :class:`~sparsecone.selectors.base.Selector`.

    Examples
    --------
    >>> from sparsecone.selectors.controls import RandomFeatures
    >>> RandomFeatures(n_features_to_select=1, random_state=0).fit([[1, 2], [3, 5]]).selected_
    array([1])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **CHOICE,
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
        random_state: Any = None,
    ) -> None:
        self._set_choice(n_features_to_select, keep, exclude, groups, per_group)
        self.random_state = random_state

    def _scores(self, X: Any) -> NDArray[np.float64]:
        return check_random_state(self.random_state).random_sample(X.shape[1])
