"""The largest useful weight of the l2,1 term, for users."""

from __future__ import annotations

from typing import Any

from ..linalg.threads import one_thread
from ..model.build import build_problem, lam_unit
from ..solvers.largest_lam import largest_useful_lam


@one_thread()
def lambda_max(
    X: Any, *, eta: float | str = "auto", units: str = "relative", model: str = "spca-psd"
) -> float:
    """Return the value of lam from which on nothing is selected, because W = 0 is optimal.

    The limit is sought numerically, to about 1e-4 of itself; where no direction stands out from
    noise it may be 1e-3 too small. Whatever was found is proof in one direction: for every lam
    below the result something is selected.

    Parameters
    ----------
    X : array-like, DataFrame or SciPy sparse matrix of shape (n_samples, n_features)
        The samples.
    eta : float, "auto" or "paper", default="auto"
        Weight of the trace, as in the selectors; AW-SPCA-PSD has none and ignores it.
    units : {"relative", "absolute"}, default="relative"
        Units of a given eta and of the result, as in the selectors.
    model : {"spca-psd", "cspca-psd", "aw-spca-psd"}, default="spca-psd"
        The model.

    Returns
    -------
    float
        The limit; 0 where eta alone makes W = 0 optimal.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from sparsecone import SPCAPSD, lambda_max
    >>> X, _ = load_digits(return_X_y=True)
    >>> limit = lambda_max(X, eta=0.05)
    >>> bool(SPCAPSD(eta=0.05, lam=0.95 * limit).fit(X).scores_.any())
    True
    """
    problem = build_problem(X, model=model, eta=eta, lam=0.0, units=units)
    unit = 1.0 / problem.unit if units == "absolute" else lam_unit(problem)
    return max(largest_useful_lam(problem) / unit, 0.0) if unit > 0.0 else 0.0
