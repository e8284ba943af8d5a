r"""Tables for papers: LaTeX with the rules of the package booktabs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from .section import Block, Table, emphasis

#: Cells with more characters break into lines.
_LONG = 40
_WIDTH = "3.5cm"

_SPECIAL = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    "≠": r"$\neq$",
    "<": r"$<$",
    ">": r"$>$",
}


def latex_of(blocks: Iterable[Block]) -> str:
    r"""Return the tables among some blocks as LaTeX; it needs \usepackage{booktabs}.

    Examples
    --------
    >>> print(latex_of([Table("Shares in %.", ("Method", "Wine"), (("Mine", "61.2 ± 0.4"),))]))
    \begin{table}
    \caption{Shares in \%.}
    \centering
    \begin{tabular}{lr}
    \toprule
    Method & Wine \\
    \midrule
    Mine & 61.2 $\pm$ 0.4 \\
    \bottomrule
    \end{tabular}
    \end{table}
    <BLANKLINE>
    """
    return "\n".join(_table(block) for block in blocks if isinstance(block, Table))


def _table(table: Table) -> str:
    columns = "".join(
        _column(place, [row[place] for row in table.rows]) for place in range(len(table.columns))
    )
    lines = [
        r"\begin{table}",
        rf"\caption{{{_text(table.caption)}}}",
        *([rf"\label{{tab:{table.name}}}"] if table.name else []),
        r"\centering",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _line(table.columns),
        r"\midrule",
        *map(_line, table.rows),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _column(place: int, cells: Sequence[str]) -> str:
    """Return how a column is set: words to the left, numbers to the right, texts in lines."""
    if any(len(cell) > _LONG for cell in cells):
        return rf"p{{{_WIDTH}}}"
    return "r" if place else "l"


def _line(cells: Sequence[str]) -> str:
    return " & ".join(map(_cell, cells)) + r" \\"


def _cell(text: str) -> str:
    """Return a cell, the best of its kind in bold, what ties with it in italics."""
    mark, plain = emphasis(text)
    command = {"**": r"\textbf{%s}", "*": r"\textit{%s}"}.get(mark, "%s")
    return command % _text(plain)


def _text(text: str) -> str:
    """Return a text in which no character is a command."""
    return re.sub("|".join(map(re.escape, _SPECIAL)), lambda found: _SPECIAL[found[0]], text)
