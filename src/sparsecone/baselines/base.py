"""What the methods of others share: the fit, and one loop that follows, records, stops, warns."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import islice
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from sklearn.base import _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags

from ..linalg.checked import check_scale, checked_array
from ..linalg.threads import one_thread
from ..linalg.types import Array
from ..selectors.base import Selector
from .constant_features import NonConstant
from .projections.projection import Projection

State = TypeVar("State")

# A change below this fraction of the objective is rounding: no tolerance can ask for less.
ROUNDING = 1e-14
# Multiplications of inner products of all samples, or features, up to which BLAS has one thread.
SMALL = 1e11


def converge(
    steps: Iterator[tuple[State, float]], *, max_iter: int, tol: float
) -> tuple[State, Array]:
    """Follow states and their objectives; return the last state and the objective of each.

    The end is where the objective changes by no more than `tol`, which is absolute as in the
    papers, or after `max_iter` states, with a `ConvergenceWarning`.
    """
    state, value = next(steps)
    history = [value]
    for state, value in islice(steps, max_iter - 1):
        history.append(value)
        if abs(value - history[-2]) <= max(tol, ROUNDING * abs(value)):
            return state, np.array(history)
    warnings.warn(
        f"The objective still changed by more than tol={tol:g} after max_iter={max_iter} "
        "iterations; raise max_iter or tol.",
        ConvergenceWarning,
        stacklevel=6,
    )
    return state, np.array(history)


class Comparison(Selector):
    """Base of the methods of others: what they accept, and the fit."""

    # What X may be, in the words of scikit-learn's validation.
    _accepted: ClassVar[dict[str, Any]] = {"dtype": np.float64}

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002
        """Score the features and select the best.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            The samples; CUR, FPS, LaplacianScore, SPEC and SPCAFS take sparse matrices too.
        y : Ignored
            There are no labels.

        Returns
        -------
        self
            The fitted selector.
        """
        X = checked_array(X, estimator=self, ensure_min_samples=2, **self._accepted)
        check_scale(X)
        self._n_selected(X.shape[1])
        is_small = X.shape[0] * X.shape[1] * min(X.shape) < SMALL
        with one_thread() if is_small else nullcontext():
            return self._select(X)

    @abstractmethod
    def _select(self, X: Any) -> Self:
        """Rank the features of validated samples, and keep the best and what else there is."""

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = "accept_sparse" in self._accepted
        return tags


class Baseline(Comparison):
    """Base of the methods that score: a subclass has its parameters and `_scores`."""

    max_iter: int
    tol: float

    def _select(self, X: Any) -> Self:
        return self._keep(self._scores(X))

    @abstractmethod
    def _scores(self, X: Any) -> Array:
        """Return one score a feature, and keep what else the fit has to tell."""

    def _converge(self, steps: Iterator[tuple[State, float]]) -> State:
        """Follow an iteration to its end and keep its history."""
        state, self.objective_ = converge(steps, max_iter=self.max_iter, tol=self.tol)
        self.n_iter_ = self.objective_.size
        return state


class ProjectionBaseline(Baseline):
    """Base of the methods that score a feature by the norm of its row of a projection V."""

    def _scores(self, X: Array) -> Array:
        features = NonConstant.of(X)
        projection = self._project(features)
        self.projection_ = features.spread(projection.V)
        self.objective_ = projection.objective
        self.n_iter_ = projection.objective.size
        return features.spread(projection.scores)

    @abstractmethod
    def _project(self, features: NonConstant) -> Projection:
        """Return the projection of the features that are not constant."""
