"""Formulas as MathML, written when the pages are built: no script, no font, no network."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

# What the converter gets wrong: relations are identifiers, and norms as tall as their neighbours.
CORRECTIONS = {
    "<mi>&#x02AB0;</mi>": "<mo>&#x02AB0;</mo>",
    "<mi>&#x02AAF;</mi>": "<mo>&#x02AAF;</mo>",
    "<mo>&#x02016;</mo>": '<mo stretchy="false">&#x02016;</mo>',
}
# Keeps the punctuation that follows on the same line.
WORD_JOINER = "&#x2060;"


def mathml(formula: str, display: str) -> str:
    """Return a LaTeX formula as MathML."""
    markup = convert(formula, display=display)
    for wrong, right in CORRECTIONS.items():
        markup = markup.replace(wrong, right)
    return markup


def visit_inline(translator: HTML5Translator, node: nodes.math) -> None:
    """Write a formula within a line."""
    translator.body.append(mathml(node.astext(), "inline") + WORD_JOINER)
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
