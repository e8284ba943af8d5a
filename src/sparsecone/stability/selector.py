"""A selector that takes what another one selects again and again."""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import MetaEstimatorMixin, _fit_context
from sklearn.utils import Tags, check_random_state, get_tags
from sklearn.utils._param_validation import HasMethods, Interval
from sklearn.utils.validation import _num_samples, validate_data

from ..linalg.types import Array
from ..selectors.base import Selector
from ..selectors.constraints import NUMBER_OR_FRACTION
from ..selectors.wishes import Wishes
from .error_bound import error_bound
from .subsamples import frequencies_of, selections_on


class StableSelector(MetaEstimatorMixin, Selector):
    """Select the features that another selector selects on most halves of the samples.

    The samples are split at random into two halves, again and again, and the selector selects on
    each of them. Features that are selected often are chosen. How many of them are there by chance
    is bounded, whatever the selector (:func:`~sparsecone.stability.error_bound`): the fewer
    features it selects on a half, the fewer errors.

    Parameters
    ----------
    selector : Selector or Pipeline
        Any selector of this library or of scikit-learn that needs no labels, or a Pipeline that
        ends with one and keeps the features before that. Its `n_features_to_select` is the number
        for each half, its `keep`, `exclude` and `groups` hold.
    n_resamples : int, default=50
        Number of halves; they come in pairs, an odd number is raised by one.
    threshold : float, default=0.75
        The frequency from which on features are chosen, above 1/2. If none is selected so often the
        most frequent one is kept, with a warning.
    n_features_to_select : int, float or None, default=None
        Choose so many of the most frequent features instead, or this fraction of all.
    random_state : int, RandomState instance or None, default=None
        Draws the halves; an int makes them repeatable.
    n_jobs : int or None, default=None
        Number of parallel processes, as in joblib.

    Attributes
    ----------
    frequencies_ : ndarray of shape (n_features,)
        In which share of the halves each feature was selected; also `scores_`. Equal frequencies
        rank by the mean rank on those halves.
    error_bounds_ : ndarray of shape (n_features,)
        For each feature the most errors, in the mean, among all features that are at least as
        frequent; `n_features` where nothing is known.
    error_bound_ : float
        The same for the selected features.
    n_selected_mean_ : float
        Mean number of features selected on a half.
    scores_, ranking_, selected_, support_
        See :class:`~sparsecone.selectors.base.Selector`.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsecone import SPCAPSD, StableSelector
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 30))
    >>> X[:, :3] += 2.0 * rng.normal(size=(200, 1))
    >>> stable = StableSelector(SPCAPSD(n_features_to_select=3, selection="scores"), random_state=0)
    >>> sorted(stable.fit(X).selected_.tolist())
    [0, 1, 2]
    >>> round(stable.error_bound_, 2)
    0.3
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "selector": [HasMethods(["fit", "get_params"])],
        "n_resamples": [Interval(Integral, 2, None, closed="left")],
        "threshold": [Interval(Real, 0.5, 1.0, closed="right")],
        "n_features_to_select": NUMBER_OR_FRACTION,
        "random_state": ["random_state"],
        "n_jobs": [None, Integral],
    }
    _unscored = "never selected on a half of the samples"

    def __init__(
        self,
        selector: Any,
        n_resamples: int = 50,
        *,
        threshold: float = 0.75,
        n_features_to_select: int | float | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.selector = selector
        self.n_resamples = n_resamples
        self.threshold = threshold
        self.n_features_to_select = n_features_to_select
        self.random_state = random_state
        self.n_jobs = n_jobs

    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002
        """Select on halves of the samples, and choose by how often each feature was selected.

        Parameters
        ----------
        X : array-like, DataFrame or SciPy sparse matrix of shape (n_samples, n_features)
            The samples, in memory, at least 4.
        y : Ignored
            There are no labels.

        Returns
        -------
        self
            The fitted selector.
        """
        X = X if hasattr(X, "shape") else np.asarray(X)
        if len(X.shape) != 2:
            raise ValueError(f"X must have two dimensions, samples and features, got {X.shape}.")
        validate_data(self, X, skip_check_array=True)
        n_features = self.n_features_in_
        draws = self._halves(_num_samples(X))
        selections = selections_on(self.selector, X, draws, self.n_jobs)
        self.frequencies_ = frequencies_of(selections, n_features)
        self.n_selected_mean_ = float(np.mean([selection.size for selection in selections]))
        self.error_bounds_ = error_bound(
            self.frequencies_, n_selected=self.n_selected_mean_, n_features=n_features
        )
        order = np.lexsort((_rank_sums(selections, n_features), -self.frequencies_))
        self._keep(self.frequencies_, order)
        self.error_bound_ = float(self.error_bounds_[self.selected_].max())
        self._warn()
        return self

    def _halves(self, n_samples: int) -> list[Array]:
        """Return pairs of halves that have no sample in common."""
        half = n_samples // 2
        if half < 2:
            raise ValueError(f"n_samples={n_samples} is too few: halves have at least 2 samples.")
        rng = check_random_state(self.random_state)
        draws = []
        for _ in range((self.n_resamples + 1) // 2):
            drawn = rng.permutation(n_samples)
            draws += [np.sort(drawn[:half]), np.sort(drawn[half : 2 * half])]
        return draws

    def _n_selected(self, n_features: int) -> int:
        if self.n_features_to_select is None:
            return max(1, int(np.count_nonzero(self.frequencies_ >= self.threshold)))
        return super()._n_selected(n_features)

    def _wishes(self, n_features: int) -> Wishes:
        names = getattr(self, "feature_names_in_", None)
        # Positions in a Pipeline are those of its last step: there the frequencies say it all.
        inner = self.selector if isinstance(self.selector, Selector) else None
        return Wishes.of(inner, n_features, names)

    def _warn(self) -> None:
        """Say where features are selected that are not frequent."""
        found = self.frequencies_[self.selected_]
        least, n_never = float(found.min()), int(np.count_nonzero(found == 0.0))
        if self.n_features_to_select is None and least < self.threshold:
            warnings.warn(
                f"No feature was selected on {100 * self.threshold:.0f} % of the halves; the most "
                f"frequent one, on {100 * least:.0f} %, is kept: select more features on a half, "
                "or lower threshold.",
                UserWarning,
                stacklevel=4,
            )
        elif n_never:
            were = "was" if n_never == 1 else "were"
            warnings.warn(
                f"{n_never} of the {found.size} selected features {were} never selected on a half: "
                f"ask for at most {found.size - n_never}.",
                UserWarning,
                stacklevel=4,
            )

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = get_tags(self.selector).input_tags.sparse
        return tags


def _rank_sums(selections: list[Array], n_features: int) -> Array:
    """Return the sum of the ranks of each feature over the selections that have it."""
    sums = np.zeros(n_features)
    for selection in selections:
        sums[selection] += np.arange(selection.size)
    return sums
