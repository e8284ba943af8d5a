"""Parameters, versions and times: what it takes to repeat a run."""

from __future__ import annotations

import inspect
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import numpy as np
import scipy
import sklearn

import sparsecone

from ..charts.names import shortened
from .inputs import Inputs

#: Characters of a parameter.
LONGEST = 120


@dataclass(frozen=True)
class Details:
    """The last section; a parameter has its name, its value and whether it is the default."""

    parameters: list[tuple[str, str, bool]]
    learned: list[tuple[str, str]]
    versions: list[tuple[str, str]]
    timings: list[tuple[str, str]]
    recipe: str
    written: str


def details_of(inputs: Inputs) -> Details:
    """Return what it takes to repeat the run."""
    selector = inputs.selector
    learned = [
        (name, f"{getattr(selector, name):.6g}")
        for name in ("lam_", "eta_")
        if hasattr(selector, name)
    ]
    timings = list((inputs.timings or {}).items())
    if len(timings) > 1:
        timings.append(("in all", sum(seconds for _, seconds in timings)))
    return Details(
        parameters=_parameters(inputs),
        learned=learned,
        versions=_versions(),
        timings=[(phase, f"{seconds:.2f} s") for phase, seconds in timings],
        recipe=_recipe(inputs),
        written=datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z"),
    )


def _parameters(inputs: Inputs) -> list[tuple[str, str, bool]]:
    signature = inspect.signature(type(inputs.selector)).parameters
    rows = []
    for name, value in inputs.selector.get_params(deep=False).items():
        shown = repr(value)
        rows.append((name, shortened(shown, LONGEST), shown == repr(signature[name].default)))
    return rows


def recipe_of_all(compared: Mapping[str, Inputs]) -> str:
    """Return the fits of several selectors on the same data as Python."""
    imports = dict.fromkeys(_import(one) for one in compared.values())
    calls = [f"    {name!r}: {_call(one)}.fit(X)," for name, one in compared.items()]
    data = _data(next(iter(compared.values())))
    return "\n".join([*imports, data, "selectors = {", *calls, "}"])


def _recipe(inputs: Inputs) -> str:
    """Return the run as Python, from the file to the selected features where that is known."""
    return (
        f"{_import(inputs)}\n{_data(inputs)}\nselector = {_call(inputs)}.fit(X)\n"
        "selector.selected_  # the indices, best first"
    )


def _import(inputs: Inputs) -> str:
    kind = type(inputs.selector)
    is_ours = getattr(sparsecone, kind.__name__, None) is kind
    return f"from {'sparsecone' if is_ours else kind.__module__} import {kind.__name__}"


def _data(inputs: Inputs) -> str:
    """Return the lines that make X, where they are known."""
    unknown = f"X = ...  # {inputs.n_samples:,} x {inputs.n_features:,}"
    return (inputs.preparation or unknown).strip()


def _call(inputs: Inputs) -> str:
    """Return the selector as it would be written, without what is the default."""
    given = [f"{name}={value}" for name, value, default in _parameters(inputs) if not default]
    return f"{type(inputs.selector).__name__}({', '.join(given)})"


def _versions() -> list[tuple[str, str]]:
    return [
        ("sparsecone", sparsecone.__version__),
        ("Python", platform.python_version()),
        ("NumPy", np.__version__),
        ("SciPy", scipy.__version__),
        ("scikit-learn", sklearn.__version__),
        ("system", f"{platform.system()} {platform.machine()}"),
    ]
