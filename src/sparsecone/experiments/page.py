"""The page of results, as HTML in one file and as Markdown with figure files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import jinja2

from .cell import Row
from .section import Figure, Section, Table

HTML_NAME = "results.html"
MARKDOWN_NAME = "results.md"
FIGURE_FOLDER = "figures"


def write_page(sections: Sequence[Section], rows: Sequence[Row], folder: Path) -> list[Path]:
    """Write the page and return its two files.

    Parameters
    ----------
    sections : sequence of Section
        What the experiments have to say.
    rows : sequence of Row
        The rows behind them; the page names the machines.
    folder : Path
        Where to write: results.html has everything inside, results.md refers to figures/.
    """
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader(__package__ or "", "templates"),
        autoescape=jinja2.select_autoescape(["html.j2"]),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["cell"] = _markdown_cell
    environment.tests["table"] = lambda block: isinstance(block, Table)
    environment.tests["figure"] = lambda block: isinstance(block, Figure)
    content = {"sections": sections, "machines": _machines(rows), "n_rows": len(rows)}
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name in (HTML_NAME, MARKDOWN_NAME):
        text = environment.get_template(f"{name}.j2").render(content)
        path = folder / name
        path.write_text(text.rstrip() + "\n", encoding="utf-8")
        written.append(path)
    _write_figures(sections, folder / FIGURE_FOLDER)
    return written


def _write_figures(sections: Sequence[Section], folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    for section in sections:
        for block in section.blocks:
            if isinstance(block, Figure):
                path = folder / f"{block.name}.svg"
                path.write_text(block.svg, encoding="utf-8")


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
