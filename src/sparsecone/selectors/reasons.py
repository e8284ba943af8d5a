"""Why a fit chose what was left to it, in words."""

from __future__ import annotations

import numpy as np

from ..model.problem import Problem
from ..model.weights import MORE_SCORES
from ..solve import Solution
from .base import Selector
from .curve import ExplainedCurve

# The part of an objective by which another one as good may exceed it.
AS_GOOD = 1e-3


def reason_of(selector: Selector) -> str:
    """Return why the weights and the number of features are what they are, empty if given.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sparsecone import SPCAPSD
    >>> X, _ = load_iris(return_X_y=True)
    >>> reason_of(SPCAPSD(n_features_to_select=1, eta=0.01, lam=0.1).fit(X))
    ''
    >>> print(reason_of(SPCAPSD(n_features_to_select="auto", eta=0.01, lam=0.1).fit(X)))
    1 feature: ...
    """
    solution = getattr(selector, "solution_", None)
    reasons = [] if solution is None else [solution.reason]
    curve = getattr(selector, "curve_", None)
    if curve is not None and selector.n_features_to_select == "auto":
        reasons.append(_number_of_features(curve))
    return " ".join(reason for reason in reasons if reason)


def weights_of(problem: Problem, solution: Solution) -> str:
    """Return why the weights are what they are, and what to do where W = I is as good as W.

    At W = I every feature is predicted by itself: only the penalties are left of the objective.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sparsecone import AWSPCAPSD
    >>> X, _ = load_iris(return_X_y=True)
    >>> print(AWSPCAPSD(n_features_to_select=1, lam=1e-6).fit(X).solution_.reason)
    W = I is as good: each feature is predicted by itself, and scores are all but equal. Raise lam.
    """
    identity = (problem.lam + problem.eta) * problem.samples.n_features
    if not 0.0 < identity <= (1.0 + AS_GOOD) * solution.value:
        return problem.reason
    more = "eta or lam" if problem.eta > 0.0 else "lam"
    return (
        f"{problem.reason.replace(MORE_SCORES, '')} W = I is as good: each feature is predicted by "
        f"itself, and scores are all but equal. Raise {more}."
    ).strip()


def verdict_of(selector: Selector) -> str:
    """Return what the selected features explain and what no others can; empty where not known.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sparsecone import SPCAPSD
    >>> X, _ = load_iris(return_X_y=True)
    >>> verdict_of(SPCAPSD(n_features_to_select=2).fit(X))
    'These 2 features explain ... % of the variance of all; no 2 can explain more than ... %.'
    """
    curve = getattr(selector, "curve_", None)
    return "" if curve is None else curve.verdict(selector.selected_.size)


def fillers_of(selector: Selector) -> str:
    """Return how many selected features have no score and what to do; empty where none is.

    Features that are kept by wish do not count, nor any where scores have no say.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sparsecone import SPCAPSD
    >>> X, _ = load_iris(return_X_y=True)
    >>> fillers_of(SPCAPSD(n_features_to_select=1).fit(X))
    ''
    """
    # In turn with the scores they come in by design.
    by_scores = getattr(selector, "selection", "") in ("diverse", "scores")
    if not by_scores or not selector.scores_.any():
        return ""
    kept = selector._wishes(selector.scores_.size).keep
    without = (selector.scores_ == 0.0)[selector.selected_] & ~kept[selector.selected_]
    n_without, n_first = int(np.count_nonzero(without)), int(np.argmax(without))
    if n_without == 0:
        return ""
    have = "has" if n_without == 1 else "have"
    advice = f", or select at most {n_first}" if n_first else ""
    return (
        f"{n_without} of the {without.size} selected features {have} a score of zero and came in "
        f"by the variance explained: lower lam{advice}."
    )


def _number_of_features(curve: ExplainedCurve) -> str:
    number = f"{curve.chosen} feature{'' if curve.chosen == 1 else 's'}"
    explained, target = 100.0 * curve.explained[curve.chosen - 1], 100.0 * curve.target
    if curve.is_noise:
        return (
            f"{number}: the features look uncorrelated, so that a choice among them would be one "
            "by chance. Give n_features_to_select a number to have more."
        )
    if explained >= target:
        return (
            f"{number}: the least number to explain {target:.1f} % of the total variance, which is "
            "90 % of what the kept components explain."
        )
    return (
        f"{number}: more do not explain more than {explained:.1f} % of the total variance, though "
        f"{target:.1f} % would be enough."
    )
