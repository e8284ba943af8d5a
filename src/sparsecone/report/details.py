"""Parameters, versions and times: what it takes to repeat a run."""

from __future__ import annotations

import inspect
import platform
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


def _recipe(inputs: Inputs) -> str:
    """Return the run as Python, from the file to the selected features where that is known."""
    kind = type(inputs.selector)
    package = kind.__module__.partition(".")[0]
    home = package if getattr(sparsecone, kind.__name__, None) is kind else kind.__module__
    data = inputs.preparation or f"X = ...  # {inputs.n_samples:,} x {inputs.n_features:,}"
    return (
        f"from {home} import {kind.__name__}\n{data.strip()}\n"
        f"selector = {_call(inputs)}.fit(X)\nselector.selected_  # the indices, best first"
    )


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
