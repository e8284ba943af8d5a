r"""Tables for papers: LaTeX with the rules of the package booktabs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from .section import Block, Table

_SPECIAL = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
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
    columns = "l" + "r" * (len(table.columns) - 1)
    lines = [
        r"\begin{table}",
        rf"\caption{{{_text(table.caption)}}}",
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


def _line(cells: Sequence[str]) -> str:
    return " & ".join(map(_text, cells)) + r" \\"


def _text(text: str) -> str:
    """Return a text in which no character is a command."""
    return re.sub("|".join(map(re.escape, _SPECIAL)), lambda found: _SPECIAL[found[0]], text)
