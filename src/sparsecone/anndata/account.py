"""What was done, in types that an h5ad file can hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import sparsecone

from ..selectors.base import Selector

# What an account says of every solution.
FOUND = ("status", "value", "bound", "gap", "reason")


def account_of(
    name: str, fits: Sequence[Selector], asked: Mapping[str, Any], batches: Sequence[str] | None
) -> dict[str, Any]:
    """Return method, parameters, version, and what the solutions say, one each or one a batch."""
    given = [fit.get_params() for fit in fits]
    own = {name: [_plain(values[name]) for values in given] for name in given[0]}
    parameters = dict(asked) | {
        name: values[0] if len(set(map(repr, values))) == 1 else np.array(values)
        for name, values in own.items()
    }
    account: dict[str, Any] = {
        "method": name,
        "parameters": {name: value for name, value in parameters.items() if value is not None},
        "version": sparsecone.__version__,
    }
    solutions = [getattr(fit, "solution_", None) for fit in fits]
    found = {
        name: [_plain(getattr(solution, name)) for solution in solutions]
        for name in FOUND
        if None not in solutions
    }
    if batches is None:
        return account | {name: values[0] for name, values in found.items()}
    account["batches"] = np.array(batches)
    return account | {name: np.array(values) for name, values in found.items()}


def _plain(value: Any) -> Any:
    """Return a value as None, bool, int, float, str or an array of numbers."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, list | tuple | np.ndarray) and not any(map(_is_nested, value)):
        return np.asarray(value)
    return value if value is None or type(value) in (bool, int, float, str) else str(value)


def _is_nested(value: Any) -> bool:
    return not isinstance(value, bool | int | float | np.number | np.bool_)
