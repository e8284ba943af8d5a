"""Every method of the library in one list: what it is, where it is from and what it costs."""

from __future__ import annotations

from .choices import CHOICES, CONTROLS
from .components import COMPONENTS
from .graphs import GRAPHS
from .method import Method
from .own import method_at, own_methods, register, registered_methods

__all__ = [
    "METHODS",
    "Method",
    "method_at",
    "methods",
    "own_methods",
    "register",
    "registered_methods",
]

METHODS = (*COMPONENTS, *GRAPHS, *CHOICES, *CONTROLS)


def methods() -> tuple[Method, ...]:
    """Return every method: those of the paper, those of others, the controls, and one's own.

    Own ones come from `register`, and from the entry points of installed packages.

    Examples
    --------
    >>> from sparsecone.registry import methods
    >>> [method.label for method in methods() if method.kind == "control"]
    ['All features', 'Highest variance', 'Random subset']
    """
    return (*METHODS, *own_methods())
