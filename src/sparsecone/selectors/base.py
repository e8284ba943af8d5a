"""What every selector shares: the cut, the ranking and the mask."""

from __future__ import annotations

import numbers
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

from ..data import Blocks, Counts, DaskBlocks, answers, as_rows, is_dask
from ..linalg.checked import checked_array, unmasked
from ..model.build import as_data
from .explained import explained_variance
from .explanation import Explanation, explain
from .wishes import Wishes


def has_own_form(X: Any) -> bool:
    """Return whether data come as blocks, counts, moments or of Dask, not as samples in memory."""
    return is_dask(X) or isinstance(X, Blocks | DaskBlocks | Counts) or answers(X)


class Selector(SelectorMixin, BaseEstimator):
    """Base of all selectors: a subclass computes scores and calls `_keep(scores)`.

    A subclass has the parameter `n_features_to_select`: None for half of the features, an integer
    for their number, a float in (0, 1] for their fraction.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        One score a feature, larger is better.
    ranking_ : ndarray of shape (n_features,)
        The rank of each feature; 1 is best. It does not depend on `n_features_to_select`. Equal
        scores rank by index, the lower first.
    selected_ : ndarray of shape (n_selected,)
        Indices of the selected features, best first.
    support_ : ndarray of shape (n_features,)
        Mask of the selected features.
    """

    n_features_to_select: int | float | str | None
    # What a score of zero means, for the reasons.
    _unscored: ClassVar[str] = "below the noise: no score"

    def _set_choice(
        self, n_features_to_select: Any, keep: Any, exclude: Any, groups: Any, per_group: str
    ) -> None:
        """Keep the parameters about the choice, which nearly all selectors have."""
        self.n_features_to_select = n_features_to_select
        self.keep, self.exclude = keep, exclude
        self.groups, self.per_group = groups, per_group

    def _n_selected(self, n_features: int) -> int:
        """Return the number of features asked for, or say why it cannot be had."""
        wanted = self.n_features_to_select
        if wanted is None:
            return max(1, n_features // 2)
        if isinstance(wanted, numbers.Integral) and not isinstance(wanted, bool):
            if not 1 <= wanted <= n_features:
                raise ValueError(
                    f"n_features_to_select={wanted} must lie between 1 and the number of "
                    f"features, {n_features}."
                )
            return int(wanted)
        if isinstance(wanted, numbers.Real) and not isinstance(wanted, bool):
            if not 0.0 < wanted <= 1.0:
                raise ValueError(
                    f"n_features_to_select={wanted} is a fraction and must lie in (0, 1]; "
                    "give an int for a number of features."
                )
            return max(1, int(wanted * n_features))
        raise ValueError(
            f"n_features_to_select must be None, an int or a float in (0, 1], got {wanted!r}."
        )

    def _wishes(self, n_features: int) -> Wishes:
        """Return what is to be kept, excluded and grouped."""
        return Wishes.of(self, n_features)

    def _keep(self, scores: NDArray[Any], order: NDArray[Any] | None = None) -> Self:
        """Rank the features, by their scores where no other order is given, and select the best."""
        if order is None:
            order = np.argsort(-scores, kind="stable")
        order, self._sizes = self._wishes(scores.size).arranged(order)
        wanted = self._n_selected(scores.size)
        if not isinstance(self.n_features_to_select, numbers.Integral):
            wanted = int(np.clip(wanted, self._sizes[0], self._sizes[-1]))
        return self._cut(scores, order, self._size(wanted))

    def _cut(self, scores: NDArray[Any], order: NDArray[Any], n_selected: int) -> Self:
        """Keep the scores, and select the first features of an order."""
        self.scores_ = scores
        self.ranking_ = np.empty(scores.size, dtype=np.intp)
        self.ranking_[order] = np.arange(1, scores.size + 1)
        self.selected_ = order[:n_selected]
        self.support_ = np.zeros(scores.size, dtype=bool)
        self.support_[self.selected_] = True
        return self

    def _size(self, wanted: int) -> int:
        """Return the largest number up to the one wanted at which the order may be cut."""
        # A selector that was read from a file has none of its wishes left but those that came true.
        sizes = self._sizes if "_sizes" in vars(self) else np.arange(1, self.ranking_.size + 1)
        if not sizes[0] <= wanted <= sizes[-1]:
            raise ValueError(
                f"{wanted} features cannot be selected: with keep, exclude and groups as they are "
                f"it must be {sizes[0]} to {sizes[-1]}."
            )
        return int(sizes[sizes <= wanted][-1])

    def selected_at(self, n_features: int) -> NDArray[np.intp]:
        """Return the features that a fit with another number of them selects, best first.

        Parameters
        ----------
        n_features : int
            The number of features.

        Returns
        -------
        ndarray of shape (n_features,)
            Their indices; fewer where whole groups do not fit.

        Examples
        --------
        >>> from sparsecone import MaxVariance
        >>> MaxVariance(n_features_to_select=1).fit([[1, 2, 0], [3, 5, 0]]).selected_at(2)
        array([1, 0])
        """
        check_is_fitted(self, "support_")
        if not 1 <= n_features <= self.ranking_.size:
            raise ValueError(
                f"n_features={n_features} must lie between 1 and {self.ranking_.size}."
            )
        return np.argsort(self.ranking_)[: self._size(n_features)]

    def support_at(self, n_features: int) -> NDArray[np.bool_]:
        """Return the mask of the features that `selected_at` returns."""
        mask = np.zeros(self.ranking_.size, dtype=bool)
        mask[self.selected_at(n_features)] = True
        return mask

    def score(self, X: Any, y: Any = None) -> float:  # noqa: ARG002
        """Return the share of the variance of all features that the selected ones predict in X.

        Every sample of X is predicted by a ridge regression of all features on the selected ones
        over the other samples of X, so nothing but the selection comes from the samples seen in
        `fit`. With unseen samples it measures the selection without labels, and `GridSearchCV`
        and `cross_val_score` can use it.

        Parameters
        ----------
        X : array-like, DataFrame or SciPy sparse matrix of shape (n_samples, n_features)
            Samples, best others than those seen in `fit`; at least 2.
        y : Ignored
            There are no labels.

        Returns
        -------
        float
            At most 1, which is best; 0 is as good as the mean.
        """
        check_is_fitted(self, "support_")
        return explained_variance(as_rows(self._seen(X)), self.selected_)

    def explanation(self, X: Any) -> Any:
        """Return who stands for whom: why each feature was selected or left out.

        Parameters
        ----------
        X : array-like, DataFrame or SciPy sparse matrix of shape (n_samples, n_features)
            The samples seen in `fit`, or others. Sparse data stay sparse; it takes the scatter of
            all features with the selected ones.

        Returns
        -------
        pandas.DataFrame
            A row a feature: `rank`, `selected`, `score`; `closest`, the selected feature (other
            than itself) of largest absolute `correlation`; `explained`, the share of its variance
            that all selected features explain by a ridge regression; and the `reason` in words.

        Examples
        --------
        >>> import numpy as np
        >>> from sparsecone import SPCAPSD
        >>> X = np.random.default_rng(0).normal(size=(50, 3)) * [3, 2, 1]
        >>> X = np.c_[X, 2 * X[:, 0], np.ones(50)]
        >>> SPCAPSD(n_features_to_select=2).fit(X).explanation(X)["reason"][[0, 1, 4]].tolist()
        ['copy of 3, chosen 1st', 'chosen 2nd', 'constant']
        """
        return self._explain(X).table()

    def _explain(self, X: Any) -> Explanation:
        check_is_fitted(self, "support_")
        if has_own_form(X):
            return explain(as_data(X, weighs=False), self)
        return explain(as_rows(self._seen(X)), self)

    def _seen(self, X: Any) -> Any:
        """Return validated samples with the features that were seen in `fit`."""
        return checked_array(
            X,
            estimator=self,
            accept_sparse=("csr", "csc"),
            dtype=(np.float64, np.float32),
            ensure_min_samples=2,
            reset=False,
        )

    def transform(self, X: Any) -> Any:
        """Return the selected features of some samples.

        Parameters
        ----------
        X : array-like, DataFrame or SciPy sparse matrix of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        array, DataFrame or sparse matrix of shape (n_samples, n_selected)
            Their columns, in the order of X.
        """
        return super().transform(unmasked(X))

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self, "support_")
        return self.support_
