"""Docstrings as they are written: `scores_` is no link, and |x| no substitution."""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

# Code in backticks and references such as [1]_ are left alone.
MARKUP = re.compile(r"(`+[^`]*`+)|(?<=\w)_(?=\W|$)|\|")


def escaped(lines: list[str]) -> list[str]:
    """Return the lines with what only looks like markup escaped, outside of doctests."""
    result, in_doctest = [], False
    for line in lines:
        in_doctest = bool(line.strip()) and (in_doctest or line.lstrip().startswith(">>>"))
        plain = in_doctest or line.lstrip().startswith("..")
        result.append(line if plain else MARKUP.sub(lambda m: m[1] or "\\" + m[0], line))
    return result


def process(
    _app: Sphinx, _what: str, _name: str, _object: Any, _options: Any, lines: list[str]
) -> None:
    """Escape a docstring in place."""
    lines[:] = escaped(lines)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the step, after that of numpydoc."""
    app.connect("autodoc-process-docstring", process, priority=600)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
