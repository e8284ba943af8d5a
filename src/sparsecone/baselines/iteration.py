"""The one loop of the iterative comparison methods: follow, record, stop, warn."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from itertools import islice
from typing import TypeVar

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from ..linalg.types import Array

State = TypeVar("State")

# A change below this fraction of the objective is rounding: no tolerance can ask for less.
ROUNDING = 1e-14


def converge(
    steps: Iterator[tuple[State, float]], *, max_iter: int, tol: float
) -> tuple[State, Array]:
    """Follow an iteration until its objective settles.

    Parameters
    ----------
    steps : iterator of (state, objective)
        The iteration; it never ends by itself.
    max_iter : int
        The number of states to look at before giving up with a `ConvergenceWarning`.
    tol : float
        The absolute change of the objective that counts as settled, as in the papers.

    Returns
    -------
    state
        The last state.
    objective : ndarray
        The objective of each state.
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
