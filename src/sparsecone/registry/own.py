"""Methods of one's own: registered by hand, or by the packages that are installed."""

from __future__ import annotations

import re
import warnings
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from inspect import isclass
from typing import TYPE_CHECKING, Any, TypeVar

from .method import Method, selector_at

if TYPE_CHECKING:
    from ..selectors.base import Selector

#: Entry points of this group name selectors, or rows of the registry.
GROUP = "sparsecone.methods"

_NAME = re.compile(r"[a-z][a-z0-9-]*")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]*|[a-z0-9]+")
_registered: dict[str, Method] = {}

Given = TypeVar("Given", bound="type[Selector] | Method")


def register(method: Given) -> Given:
    """Make a method of one's own known to everything that takes methods by name.

    From then on, in this process, it is in `sparsecone.methods()`, and works in model files and in
    plans of experiments. A package does better to name it in its entry points, in the group
    `sparsecone.methods`: then it is known wherever the package is installed, on the command line
    too, and without being imported.

    Parameters
    ----------
    method : class or Method
        A subclass of `sparsecone.selectors.base.Selector`, which is called after its class, or a
        row of the registry with the name, label, paper and cost to show. It has to stand at the top
        of a module: it is found again by its import path, never by stored code.

    Returns
    -------
    class or Method
        What was given, so that it may stand above a class as a decorator.

    Examples
    --------
    >>> from sparsecone import MaxVariance, register
    >>> register(MaxVariance)
    Traceback (most recent call last):
        ...
    ValueError: The name 'max-variance' is that of sparsecone.selectors.controls:MaxVariance:
    register a Method with another name.
    """
    row = _row_of(method)
    for other in _known_beside(row):
        for name in {row.name, row.label} & {other.name, other.label}:
            raise ValueError(
                f"The name '{name}' is that of {other.location}: register a Method with another "
                "name."
            )
    _registered[row.name] = row
    return method


def registered_methods() -> tuple[Method, ...]:
    """Return the methods that were registered in this process, which others have to be told."""
    return tuple(_registered.values())


def own_methods() -> tuple[Method, ...]:
    """Return the methods of installed packages, and those that were registered."""
    found = {method.name: method for method in _installed()}
    return tuple((found | _registered).values())


def method_at(location: str) -> Method:
    """Return the row of a class by its import path, or say why there is none."""
    try:
        selector = selector_at(location)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(
            f"There is no method at '{location}' ({error}): give module:Class of a module that "
            "can be imported here."
        ) from error
    return _row_of(selector)


def _row_of(method: Any, *, name: str | None = None) -> Method:
    """Return the row of a class, or a checked row."""
    from ..selectors.base import Selector

    if isclass(method) and issubclass(method, Selector):
        words = _WORD.findall(method.__name__)
        method = Method(
            name=name or "-".join(words).lower(),
            label=method.__name__,
            location=f"{method.__module__}:{method.__qualname__}",
            kind="own",
            convexity="not stated",
        )
    if not isinstance(method, Method):
        raise TypeError(f"A method is a subclass of Selector or a Method, not {method!r}.")
    if not _NAME.fullmatch(method.name):
        raise ValueError(f"The name '{method.name}' must have small letters, digits and dashes.")
    try:
        found = method.selector
    except (ImportError, AttributeError) as error:
        raise ValueError(
            f"'{method.location}' cannot be imported ({error}): define the class at the top of a "
            "module."
        ) from error
    if not (isclass(found) and issubclass(found, Selector)):
        raise TypeError(f"'{method.location}' is no subclass of Selector.")
    return method


def _known_beside(row: Method) -> list[Method]:
    """Return the methods whose names are taken: all but earlier versions of the same class."""
    from . import METHODS

    return [*METHODS, *(other for other in own_methods() if other.location != row.location)]


@cache
def _installed() -> tuple[Method, ...]:
    """Return the methods of the packages that are installed; one that fails is left out."""
    from . import METHODS

    taken = {method.name for method in METHODS}
    found: dict[str, Method] = {}
    for entry in entry_points(group=GROUP):
        try:
            row = _row_of(entry.load(), name=entry.name)
            if row.name in taken | found.keys():
                raise ValueError("its name is taken")
        # A package of others may fail in any way.
        except Exception as error:
            warnings.warn(f"{_origin(entry)} is left out: {error}.", stacklevel=2)
            continue
        found[row.name] = row
    return tuple(found.values())


def _origin(entry: EntryPoint) -> str:
    package = "" if entry.dist is None else f" of the package {entry.dist.name}"
    return f"The method '{entry.name}'{package}"
