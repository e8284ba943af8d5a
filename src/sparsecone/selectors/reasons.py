"""Why a fit chose what was left to it, in words."""

from __future__ import annotations

from .base import Selector
from .curve import ExplainedCurve


def reason_of(selector: Selector) -> str:
    """Return why the weights and the number of features are what they are.

    Parameters
    ----------
    selector : Selector
        Any fitted selector of this library.

    Returns
    -------
    str
        Sentences; empty where nothing was chosen automatically.

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


def _number_of_features(curve: ExplainedCurve) -> str:
    number = f"{curve.chosen} feature{'s' if curve.chosen > 1 else ''}"
    explained, target = 100.0 * curve.explained[curve.chosen - 1], 100.0 * curve.target
    if curve.is_noise:
        return (
            f"{number}: no component explains more than uncorrelated features would, so that more "
            "of them would be a choice among noise; give a number to have more."
        )
    if explained >= target:
        return (
            f"{number}: the least number to explain {target:.1f} % of the variance, which is 90 % "
            "of what the kept components explain."
        )
    return (
        f"{number}: more of them do not explain more than {explained:.1f} % of the variance, "
        f"though {target:.1f} % would be enough."
    )
