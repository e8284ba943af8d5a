"""`sparsecone methods`: what there is to choose from."""

from __future__ import annotations

from .console import say_json, show_table
from .options import AsJson

# Parameters with options of their own, and those that are of no use in a command.
_ELSEWHERE = {"n_features_to_select", "random_state", "callback", "verbose"}


def methods(as_json: AsJson = False) -> None:
    """List the methods, their kind and their parameters."""
    from ..registry import methods as all_methods

    found = all_methods()
    if as_json:
        told = ("kind", "convexity", "paper", "year", "parameters")
        say_json(
            [
                {"name": method.name, "label": method.label, "class": method.selector.__name__}
                | {name: getattr(method, name) for name in told}
                for method in found
            ]
        )
        return
    columns = ["--method", "kind", "convexity", "parameters for --set"]
    rows = [
        (
            method.name,
            method.kind,
            method.convexity.partition(" (")[0],
            ", ".join(name for name in method.parameters if name not in _ELSEWHERE),
        )
        for method in found
    ]
    show_table("Methods of selection", columns, rows)
