"""The methods as a Markdown table, from the registry: `make methods-table`."""

from __future__ import annotations

from typing import Any

from sparsecone.registry import methods

COLUMNS = (
    "method",
    "paper",
    "kind",
    "cost of an iteration here",
    "cost in all as published",
    "convexity",
    "parameters",
)


def methods_table() -> str:
    """Return the methods as a Markdown table, one row a method."""
    rows = [
        (
            f"{method.label} (`{method.selector.__name__}`)",
            method.paper if method.year is None else f"{method.paper}, {method.year}",
            method.kind,
            method.complexity,
            method.published_complexity,
            method.convexity,
            _defaults(method.parameters),
        )
        for method in methods()
    ]
    rule = ("---",) * len(COLUMNS)
    return "".join(f"| {' | '.join(row)} |\n" for row in [COLUMNS, rule, *rows])


def _defaults(parameters: dict[str, Any]) -> str:
    return ", ".join(f"`{name}={value!r}`" for name, value in parameters.items()) or "none"


if __name__ == "__main__":
    print(methods_table(), end="")
