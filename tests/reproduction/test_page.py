from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

from sparsecone.reproduction.page import write_page
from sparsecone.reproduction.plan import shipped_plan
from sparsecone.reproduction.reproduction import ROWS_NAME, write_results
from sparsecone.reproduction.section import Figure, Section, Table
from sparsecone.reproduction.store import RowFile

from fabricated import fabricate


def test_page_has_all_sections(tmp_path: Path) -> None:
    plans = {number: shipped_plan(number, "quick") for number in range(1, 7)}
    cells = {cell.key: cell for plan in plans.values() for cell in plan.cells}
    with RowFile(tmp_path / ROWS_NAME) as store:
        for cell in cells.values():
            store.append(fabricate(cell))
    sections, (html, markdown) = write_results(plans, tmp_path)
    text, plain = html.read_text(), markdown.read_text()
    for number in range(1, 7):
        assert f'<section id="experiment-{number}">' in text
        assert f"## Experiment {number}: " in plain
    figures = [b for section in sections for b in section.blocks if isinstance(b, Figure)]
    assert text.count("<svg") == plain.count("](figures/") == len(figures)
    for figure in figures:
        ET.fromstring((tmp_path / "figures" / f"{figure.name}.svg").read_text())
    assert all(loaded not in text for loaded in ("<script", "<link", 'src="http'))
    tables = [b for section in sections for b in section.blocks if isinstance(b, Table)]
    assert plain.count("| --- |") >= len(tables)


def test_text_is_escaped_and_tables_are_whole(tmp_path: Path) -> None:
    table = Table("A <b> caption", ("a|b", "c"), (("1 < 2", "x|y"), ("3", "")))
    section = Section(1, "Title & more", "A claim.", (table, "A sentence <with> marks."))
    html, markdown = write_page([section], [], tmp_path)
    assert "A sentence &lt;with&gt; marks." in html.read_text()
    assert "<td>1 &lt; 2</td><td>x|y</td>" in html.read_text()
    expected = "| a\\|b | c |\n| --- | --- |\n| 1 < 2 | x\\|y |\n| 3 |  |\n"
    assert expected in markdown.read_text()


def test_same_rows_give_the_same_page(tmp_path: Path) -> None:
    plan = shipped_plan(5, "quick")
    rows = list(map(fabricate, plan.cells))
    pages = []
    for name in ("first", "second"):
        with RowFile(tmp_path / name / ROWS_NAME) as store:
            for row in rows:
                store.append(row)
        _, (html, _) = write_results({5: plan}, tmp_path / name)
        pages.append(html.read_bytes())
    assert pages[0] == pages[1]
