"""Selections on some of the samples, by a selector or a Pipeline that ends with one."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import Pipeline
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import check_is_fitted

from ..linalg.types import Array
from ..selectors.base import Selector
from ..selectors.psd import PSDSelector
from ..selectors.resample import selected_again


def selections_on(selector: Any, X: Any, draws: Sequence[Array], n_jobs: int | None) -> list[Array]:
    """Return the selected features for each draw of rows, best first where that is known.

    The three models are fitted to all samples once, unless they are already, and the selections on
    the draws start from there.
    """
    rows = X.tocsr() if hasattr(X, "tocsr") else X
    with warnings.catch_warnings(action="ignore", category=UserWarning):
        near = _fitted(selector, rows) if isinstance(last_step(selector), PSDSelector) else selector
    return list(Parallel(n_jobs=n_jobs)(delayed(_quietly)(near, rows, draw) for draw in draws))


def frequencies_of(selections: Sequence[Array], n_features: int) -> Array:
    """Return in which share of the selections each feature is."""
    counts = np.bincount(np.concatenate(selections), minlength=n_features)
    return counts / len(selections)


def last_step(selector: Any) -> Any:
    """Return the selector at the end of a Pipeline, or the selector itself."""
    return last_step(selector.steps[-1][1]) if isinstance(selector, Pipeline) else selector


def _fitted(selector: Any, X: Any) -> Any:
    """Return the selector, fitted to samples of this width."""
    try:
        check_is_fitted(selector)
        if selector.n_features_in_ == X.shape[1]:
            return selector
    except (NotFittedError, AttributeError):
        pass
    return clone(selector).fit(X)


def _quietly(near: Any, X: Any, draw: Array) -> Array:
    """Return the features for some rows; a gap or a score of zero does not matter for a count."""
    with warnings.catch_warnings(action="ignore", category=UserWarning):
        return _selected(near, _safe_indexing(X, draw))


def _selected(near: Any, X: Any) -> Array:
    """Return the features selected on some samples, from a fit to all where there is one."""
    if isinstance(near, Pipeline):
        return _selected_in_steps(near, X)
    if isinstance(near, PSDSelector) and hasattr(near, "solution_"):
        return selected_again(near, X)
    again = clone(near).fit(X)
    return again.selected_ if isinstance(again, Selector) else again.get_support(indices=True)


def _selected_in_steps(near: Pipeline, X: Any) -> Array:
    """Return the features that come through all steps of a Pipeline."""
    *steps, (_, last) = near.steps
    if not steps:
        return _selected(last, X)
    first = clone(Pipeline(steps))
    inner = first.fit_transform(X)
    places = _places(first)
    # What comes before the selector may let other features through on other samples.
    is_near = hasattr(last, "solution_") and np.array_equal(places, _places(near[:-1]))
    return np.asarray(places[_selected(last if is_near else clone(last), inner)])


def _places(steps: Pipeline) -> Array:
    """Return which of the features that go in come out, by their names."""
    names = getattr(steps, "feature_names_in_", None)
    if names is None:
        names = [f"x{place}" for place in range(steps.n_features_in_)]
    known = {name: place for place, name in enumerate(names)}
    try:
        return np.array([known[name] for name in steps.get_feature_names_out()], dtype=np.intp)
    except (KeyError, AttributeError) as error:
        raise ValueError(
            "The steps before the selector must keep the features and their names, as scalers and "
            "selectors do: it is not known which features come out of "
            f"{' and '.join(type(step).__name__ for _, step in steps.steps)}."
        ) from error
