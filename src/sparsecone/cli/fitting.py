"""From the options about the method to a fitted selector."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from .console import remark, working

if TYPE_CHECKING:
    from ..registry import Method
    from ..selectors.base import Selector
    from .select import SelectOptions

# Parameters that the commands use themselves, to show progress.
_OURS = {"callback", "verbose"}


def find_method(name: str) -> Method:
    """Return a method by name, or one of your own by module:Class; or name the nearest."""
    from ..registry import method_at, methods

    if ":" in name:
        return method_at(name)
    known = {method.name: method for method in methods()}
    found = known.get(name.lower())
    if found is None:
        near = get_close_matches(name.lower(), known, n=1)
        hint = f"Did you mean '{near[0]}'?" if near else f"There are: {', '.join(known)}."
        raise ValueError(f"There is no method '{name}'. {hint}")
    return found


def make_selector(
    method: Method, *, n_features: str | None, given: Mapping[str, Any], seed: int
) -> Selector:
    """Return the selector of a method with the parameters given, the others at their defaults."""
    known = {name: value for name, value in method.parameters.items() if name not in _OURS}
    parameters = {name: value for name, value in given.items() if value is not None}
    for name in parameters:
        if name not in known:
            raise ValueError(
                f"The method {method.name} has no parameter '{name}'. It has: {', '.join(known)}."
            )
    if n_features is not None and "n_features_to_select" in known:
        parameters["n_features_to_select"] = value_of(n_features)
    if "random_state" in known:
        parameters.setdefault("random_state", seed)
    return method.selector(**parameters)


def value_of(text: str | None) -> Any:
    """Return a parameter from its text: a number, true, false, none, or the text itself.

    Examples
    --------
    >>> [value_of(text) for text in ("10", "1e-3", "true", "auto")]
    [10, 0.001, True, 'auto']
    """
    if text is None:
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return {"true": True, "false": False, "none": None}.get(text.lower(), text)


def parameters_of(asked: SelectOptions) -> dict[str, Any]:
    """Return the parameters of the method that options give, None for those that do not."""
    from ..files.wanted import split_names

    return {
        "lam": value_of(asked.lam),
        "eta": value_of(asked.eta),
        "units": asked.units and str(asked.units),
        "keep": split_names(asked.keep) or None,
        "exclude": split_names(asked.exclude) or None,
        "groups": [split_names([names]) for names in asked.group or ()] or None,
        "per_group": asked.per_group and str(asked.per_group),
        "solver": asked.solver,
        "tol": value_of(asked.tol),
        "max_time": asked.max_time,
        "selection": asked.selection and str(asked.selection),
        **settings_of(asked.settings),
    }


def settings_of(pairs: Sequence[str] | None) -> dict[str, Any]:
    """Return the parameters in name=value pairs."""
    settings = {}
    for pair in pairs or ():
        name, sign, value = pair.partition("=")
        if not sign or not name:
            raise ValueError(f"--set takes name=value, such as n_neighbors=7, got '{pair}'.")
        settings[name.strip().replace("-", "_")] = value_of(value.strip())
    return settings


def fit(selector: Selector, X: Any, *, title: str, threads: int) -> float:
    """Fit a selector with its progress on the terminal; return the seconds it took."""
    from threadpoolctl import threadpool_limits

    watched = "callback" in selector.get_params(deep=False)
    timings: dict[str, float] = {}
    with working(title) as watch, threadpool_limits(limits=threads), warnings_as_remarks():
        if watched:
            selector.set_params(callback=watch)
        with timed(timings, "fit"):
            selector.fit(X)
    if watched:
        # What shows progress is no part of the result.
        selector.set_params(callback=None)
    return timings["fit"]


@contextmanager
def timed(timings: dict[str, float], phase: str) -> Iterator[None]:
    """Note the seconds that a phase takes."""
    started = time.perf_counter()
    yield
    timings[phase] = time.perf_counter() - started


@contextmanager
def warnings_as_remarks() -> Iterator[None]:
    """Show warnings as lines on stderr after the work, each once."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for text in dict.fromkeys(str(warning.message) for warning in caught):
        remark(f"Note: {text}", style="yellow")
