"""The page of results, as HTML in one file and as Markdown with figure files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import jinja2
from markupsafe import Markup, escape

from ..files.whole_file import whole_file
from .cell import Row
from .claims import Outcome
from .experiment import Section
from .latex import latex_of
from .section import Block, Figure, Points, Table, emphasis

HTML_NAME = "results.html"
MARKDOWN_NAME = "results.md"
FIGURE_FOLDER = "figures"

_NUMBER = re.compile(r"[<>≠ ]*[-+]?[0-9][0-9.,]*(e[-+]?[0-9]+)?( ≠)?")
_WORDS = {
    re.compile(r"`([^`]+)`"): r"<code>\1</code>",
    re.compile(r"\[([^]]+)\]\(([^)]+)\)"): r'<a href="\2">\1</a>',
    re.compile(r"\*\*([^*]+)\*\*"): r"<strong>\1</strong>",
    re.compile(r"\*([^*]+)\*"): r"<em>\1</em>",
}


def write_page(sections: Sequence[Section], n_rows: int, folder: Path) -> list[Path]:
    """Write the page and return its two files, of which results.md refers to figures/."""
    environment = _environment()
    content = {"sections": sections, "n_rows": n_rows}
    written = [
        _write(folder / name, environment.get_template(f"{name}.j2").render(content))
        for name in (HTML_NAME, MARKDOWN_NAME)
    ]
    blocks = [block for section in sections for block in section.blocks]
    _write_figures(blocks, folder)
    drawn = {block.name for block in blocks if isinstance(block, Figure)}
    for path in (folder / FIGURE_FOLDER).glob("[1-6]_*.svg"):
        if path.stem not in drawn:
            # Of an earlier page, whose rows are gone.
            path.unlink()
    return written


def write_study(
    title: str, blocks: Sequence[Block], rows: Sequence[Row], folder: Path, name: str
) -> list[Path]:
    """Write the page of a study, in Markdown with figure files, and its tables in LaTeX."""
    text = (
        _environment()
        .get_template("study.md.j2")
        .render(title=title, blocks=blocks, machines=_machines(rows), n_rows=len(rows))
    )
    _write_figures(blocks, folder)
    latex = (folder / name).with_suffix(".tex")
    return [_write(folder / name, text), _write(latex, latex_of(blocks))]


def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader(__package__ or "", "templates"),
        autoescape=jinja2.select_autoescape(["html.j2"]),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {"cell": _markdown_cell, "td": _html_cell, "words": _html_words}
    environment.tests["table"] = lambda block: isinstance(block, Table)
    environment.tests["points"] = lambda block: isinstance(block, Points)
    environment.tests["figure"] = lambda block: isinstance(block, Figure)
    return environment


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as draft:
        draft.write_text(text.rstrip() + "\n", encoding="utf-8")
    return path


def _write_figures(blocks: Sequence[Block], folder: Path) -> None:
    for block in blocks:
        if isinstance(block, Figure):
            _write(folder / FIGURE_FOLDER / f"{block.name}.svg", block.svg)


def _machines(rows: Sequence[Row]) -> list[str]:
    """Return a line on every machine that has rows."""
    return list(
        dict.fromkeys(
            "{processor}, {cores} cores (one thread a run), {system}, Python {python}, "
            "NumPy {numpy}, SciPy {scipy}, scikit-learn {scikit-learn}".format(**row["machine"])
            for row in rows
        )
    )


def _markdown_cell(text: str) -> str:
    return text.replace("|", "\\|")


def _html_cell(text: str) -> Markup:
    """Return a cell of a table: numbers to the right, verdicts in colour, the best in bold."""
    mark, plain = emphasis(text)
    shown = escape(plain)
    if plain in set(Outcome):
        return Markup('<td><span class="{}">{}</span></td>').format(plain.replace(" ", "-"), shown)
    if mark:
        shown = Markup("<strong>{}</strong>" if mark == "**" else "<em>{}</em>").format(shown)
    kind = "number" if _NUMBER.fullmatch(plain) else "long" if len(plain) > 24 else "word"
    return Markup('<td class="{}">{}</td>').format(kind, shown)


def _html_words(text: str) -> Markup:
    """Return a sentence with its links, code and emphasis."""
    shown = str(escape(text))
    for pattern, tag in _WORDS.items():
        shown = pattern.sub(tag, shown)
    return Markup(shown)
