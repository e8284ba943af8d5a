"""Formulas as MathML, written when the pages are built: no script, no font, no network."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

# Relations that the converter takes for identifiers, which would lose the space around them.
RELATIONS = ("&#x02AB0;", "&#x02AAF;", "&#x0227D;", "&#x0227C;")


def mathml(formula: str, display: str) -> str:
    """Return a LaTeX formula as MathML."""
    markup = convert(formula, display=display)
    for relation in RELATIONS:
        markup = markup.replace(f"<mi>{relation}</mi>", f"<mo>{relation}</mo>")
    return markup


def visit_inline(translator: HTML5Translator, node: nodes.math) -> None:
    """Write a formula within a line."""
    translator.body.append(mathml(node.astext(), "inline"))
    raise nodes.SkipNode


def visit_block(translator: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula on lines of its own."""
    markup = mathml(node.astext(), "block")
    translator.body.append(f'<div class="math">{markup}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the renderer."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
