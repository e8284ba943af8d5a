"""What the registry says of a method."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from inspect import signature
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..selectors.base import Selector


def selector_at(location: str) -> type[Selector]:
    """Return the class at "module:Class"."""
    module, _, name = location.partition(":")
    selector: type[Selector] = getattr(import_module(module), name)
    return selector


@dataclass(frozen=True, kw_only=True)
class Method:
    """One method.

    Costs are in d features, n samples, k neighbours, h selected features, m columns of a
    projection, the rank r of W, t iterations and t₁, t₂ inner ones.

    Attributes
    ----------
    name : str
        The key: lower case, no spaces.
    label : str
        The name in tables and plots.
    location : str
        "module:Class"; imported when first asked for.
    kind : {"SPCA", "spectral", "geometric", "control", "own"}
        What the method builds on; "own" is one that a user registered.
    complexity : str
        The cost of one iteration of this implementation, and of what comes before the first.
    paper : str
        Authors and title, or "none" for a control.
    year : int or None
        Its year.
    published_complexity : str
        The total cost as the SPCA-PSD paper's table states it.
    convexity : str
        Whether the problem is convex.
    """

    name: str
    label: str
    location: str
    kind: str
    complexity: str = "not stated"
    paper: str = "none"
    year: int | None = None
    published_complexity: str = "not stated"
    convexity: str = "no optimisation"

    @property
    def selector(self) -> type[Selector]:
        """The class of the selector."""
        return selector_at(self.location)

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the selector with their defaults."""
        arguments = signature(self.selector).parameters
        return {name: argument.default for name, argument in arguments.items()}
