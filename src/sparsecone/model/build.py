"""From data and parameters to a problem: what selectors, paths and `lambda_max` share."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..data import (
    Blocks,
    Counts,
    DaskBlocks,
    Data,
    Moments,
    answers,
    as_samples,
    from_dask,
    is_dask,
)
from ..linalg.checked import checked_array
from .losses import Loss, Robust, Squared, least_smoothing
from .problem import Problem
from .weights import automatic_eta, automatic_lam, paper_eta

MODELS = ("spca-psd", "cspca-psd", "aw-spca-psd")
# Smoothing that a solver starts from, as a fraction of the mean squared norm of the samples, and
# the paper's own in absolute units.
SMOOTHING = 1e-7
PAPER_SMOOTHING = 1e-3
# Squares of weights that are larger beside the loss at W = 0 may overflow.
LARGEST_WEIGHT = 1e40
# Precisions that samples may have; those of a loss that weighs them are converted to the first.
DTYPES = (np.float64, np.float32)


def build_problem(
    X: Any,
    *,
    model: str = "spca-psd",
    lam: float | str = "auto",
    eta: float | str = "auto",
    units: str = "relative",
    delta: float | None = None,
) -> Problem:
    """Return the problem of a model on some data.

    Parameters
    ----------
    X : array-like, DataFrame, SciPy sparse matrix or Data
        The samples, or whatever the selectors take in their place.
    model : {"spca-psd", "cspca-psd", "aw-spca-psd"}, default="spca-psd"
        The model.
    lam : float or "auto", default="auto"
        Weight of the column norms, as in the selectors.
    eta : float, "auto" or "paper", default="auto"
        Weight of the trace, as in the selectors; AW-SPCA-PSD has none and ignores it.
    units : {"relative", "absolute"}, default="relative"
        Units of lam, eta and delta, as in the selectors.
    delta : float or None, default=None
        Smoothing of the residual norms in the objective, as in the robust selectors.

    Returns
    -------
    Problem
        With weights in the units of `Problem.samples`; its `reason` says why they are what they
        are, where they are automatic.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from sparsecone.model.build import build_problem
    >>> X, _ = load_digits(return_X_y=True)
    >>> problem = build_problem(X, eta=0.05, lam=0.1)
    >>> print(f"{problem.eta / problem.zero.value:.2f} {problem.lam / problem.eta:.1f}")
    0.05 0.1
    """
    if model not in MODELS:
        raise ValueError(f"model must be one of {sorted(MODELS)}, got {model!r}.")
    data = as_data(X, weighs=model != "spca-psd")
    loss = loss_of(data, model, delta=delta, units=units)
    eta = 0.0 if model == "aw-spca-psd" else eta
    return weighted(data, loss, lam=lam, eta=eta, units=units)


def as_data(X: Any, *, weighs: bool) -> Data:
    """Return validated data, whatever they come as.

    Parameters
    ----------
    X : array-like, DataFrame, SciPy sparse matrix, blocks, Dask collection or Data
        The samples.
    weighs : bool
        Whether the loss weighs every sample, so that moments are not enough.
    """
    dtypes = DTYPES[:1] if weighs else DTYPES
    if is_dask(X):
        X = from_dask(X)
    if isinstance(X, Blocks | DaskBlocks | Counts):
        return X.samples(weighed=weighs, dtypes=dtypes)
    if answers(X):
        return X
    checked = checked_array(X, accept_sparse=("csr", "csc"), dtype=dtypes, ensure_min_samples=2)
    return as_samples(checked, weighed=weighs)


def loss_of(data: Data, model: str, *, delta: float | None, units: str) -> Loss:
    """Return the loss of a model on some data, in their units."""
    if model == "spca-psd":
        return Squared()
    absolute = units == "absolute"
    unit = 1.0 / data.scale**2 if absolute else data.trace / data.n_samples
    recenter = model == "aw-spca-psd"
    if delta:
        return Robust(float(delta) * unit, recenter)
    smoothing = max((PAPER_SMOOTHING if absolute else SMOOTHING) * unit, least_smoothing(data))
    return Robust(0.0, recenter, smoothing)


def weighted(data: Data, loss: Loss, *, lam: float | str, eta: float | str, units: str) -> Problem:
    """Return the problem of a loss on some data, with automatic or given weights."""
    if loss.needs_rows and isinstance(data, Moments):
        raise TypeError(
            "A robust model weighs every sample and needs X itself; a Gram matrix is enough for "
            "SPCAPSD only."
        )
    problem = Problem(data, loss, lam=0.0, eta=0.0)
    absolute = units == "absolute"
    weight, why_eta = _eta(problem, eta, absolute)
    problem = problem.with_weights(lam=0.0, eta=_checked(problem, weight, "eta"))
    if isinstance(lam, str):
        weight, why_lam = automatic_lam(problem)
    else:
        weight, why_lam = lam * (1.0 / problem.unit if absolute else lam_unit(problem)), ""
    lam = _checked(problem, weight, "lam")
    reason = f"{why_eta} {why_lam}".strip()
    return problem.with_weights(lam=lam, eta=problem.eta, reason=reason)


def _checked(problem: Problem, weight: float, name: str) -> float:
    """Refuse a weight that would overflow beside the data."""
    if not weight <= LARGEST_WEIGHT * max(problem.zero.value, 1.0):
        raise ValueError(
            f"{name} is so large beside these data that squares overflow: W = 0 is optimal for "
            "much smaller ones. Lower it."
        )
    return weight


def _eta(problem: Problem, eta: float | str, absolute: bool) -> tuple[float, str]:
    """Return eta for a problem without penalties, and why."""
    size = problem.zero.value
    if eta == "auto":
        return automatic_eta(problem)
    if eta == "paper":
        return paper_eta(problem)
    assert not isinstance(eta, str)
    return float(eta) * (1.0 / problem.unit if absolute else size), ""


def lam_unit(problem: Problem) -> float:
    """Return what a relative lam is a fraction of: eta, or the loss at W = 0 without a trace."""
    return problem.zero.value if problem.loss.recenter else problem.eta
